// Random programs whose states and messages are of types that can be taken for less than they are: each way of
// searching finds what a run of every order finds that goes back over nothing, but begins anew each time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ways.hpp"

namespace harrier {
namespace {

using shared_number = std::shared_ptr<const int>;

/// What a message asks for, and the operand.
struct request {
  int what = 0;
  int operand = 0;
  shared_number object;
};
constexpr int kinds_of_requests = 18;

struct less_important {
  bool operator()(const std::pair<int, int>& a, const std::pair<int, int>& b) const { return a.first < b.first; }
};

/// All that a handler can see of such values is looked at by some request.
class odd_values {
public:
  /// Does what is asked. @return what a look has found; empty if it is as expected, or nothing is looked at.
  std::string act(const request& r) {
    switch (r.what) {
      case 0: map_.erase(r.operand); return {};
      case 1: map_.emplace(r.operand, 0); return {};
      case 2:
        set_.erase(r.operand);
        set_.insert(r.operand);
        return {};
      case 3: heap_.push({r.operand % 2, r.operand}); return {};
      case 4: zero_ = -zero_; return {};
      case 5: fine_ += 1e-18L; return {};
      case 6: one_ = r.object; return {};
      case 7: other_ = std::make_shared<const int>(other_ == nullptr ? 0 : *other_); return {};
      case 8: other_ = one_; return {};
      case 9: room_.reserve(16); return {};
      case 10:
        room_.push_back(1);
        room_.pop_back();
        return {};
      case 11:
        room_.clear();
        room_.shrink_to_fit();
        return {};
      case 12: return complain(!map_.empty() && map_.begin()->first == r.operand, "map begins with", r.operand);
      case 13: return complain(!set_.empty() && *set_.begin() == r.operand, "set begins with", r.operand);
      case 14: return complain(!heap_.empty() && heap_.top().second == r.operand, "on top is", r.operand);
      case 15: return complain(std::signbit(zero_) == (r.operand % 2 == 0), "sign is", r.operand % 2);
      case 16: return complain((one_ == other_) == (r.operand % 2 == 0), "same object:", r.operand % 2);
      default: return complain(room_.capacity() > 4U * static_cast<unsigned>(r.operand), "room beyond", r.operand);
    }
  }
  /// The same for a handler that is const.
  std::string look(const request& r) const {
    looks_ += r.operand;
    return complain(fine_ == 1.0L + static_cast<long double>(r.operand % 3) * 1e-18L, "fine", r.operand) +
           complain(looks_ == 3 * r.operand, "looks", r.operand);
  }

  template <class Inspector>
  friend bool inspect(Inspector& f, odd_values& x) {
    return f.object(x).fields(f.field("map", x.map_), f.field("set", x.set_), f.field("heap", x.heap_),
                              f.field("zero", x.zero_), f.field("fine", x.fine_), f.field("one", x.one_),
                              f.field("other", x.other_), f.field("room", x.room_), f.field("looks", x.looks_));
  }

private:
  static std::string complain(bool about, const char* what, int operand) {
    return about ? std::string(what) + " " + std::to_string(operand) : std::string();
  }

  std::unordered_map<int, int> map_{{1, 1}, {2, 2}};
  std::unordered_set<int> set_{1, 2};
  std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, less_important> heap_;
  double zero_ = 0;
  long double fine_ = 1;
  shared_number one_, other_;
  std::vector<int> room_;
  mutable int looks_ = 0;
};

/// The same as an aggregate, all of which is known: what it is made of is.
struct plain_values {
  std::unordered_map<int, int> map{{1, 1}, {2, 2}};
  std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, less_important> heap;
  double zero = 0;
  std::vector<int> room;
  mutable int looks = 0;

  std::string act(const request& r) {
    switch (r.what % 9) {
      case 0: map.erase(r.operand); return {};
      case 1: map.emplace(r.operand, 0); return {};
      case 2: heap.push({r.operand % 2, r.operand}); return {};
      case 3: zero = -zero; return {};
      case 4: room.reserve(16); return {};
      case 5: return !map.empty() && map.begin()->first == r.operand ? "map" + std::to_string(r.operand) : "";
      case 6: return !heap.empty() && heap.top().second == r.operand ? "heap" + std::to_string(r.operand) : "";
      case 7: return std::signbit(zero) == (r.operand % 2 == 0) ? "sign" + std::to_string(r.operand % 2) : "";
      default: return room.capacity() > 4U * static_cast<unsigned>(r.operand) ? "room" + std::to_string(r.operand) : "";
    }
  }
  std::string look(const request& r) const {
    looks += r.operand;
    return looks == 3 * r.operand ? "looks" + std::to_string(r.operand) : "";
  }
};

template <class Values>
struct keeper {
  Values values;

  void act(self& me, const request& r) {
    const auto complaint = values.act(r);
    me.check(complaint.empty(), complaint);
  }
  void look(self& me, const request& r) const {
    const auto complaint = values.look(r);
    me.check(complaint.empty(), complaint);
  }
};

struct table {
  std::vector<std::pair<bool, request>> messages;  // whether it only looks
};

table random_table(std::uint32_t seed, int length) {
  std::minstd_rand random(seed + 1);
  const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  const shared_number objects[] = {std::make_shared<const int>(0), std::make_shared<const int>(0)};
  table all;
  // Few kinds in one program, so that they meet.
  std::array<int, 4> kinds{};
  for (auto& k : kinds) k = draw(kinds_of_requests);
  for (int i = 0; i < length; ++i)
    all.messages.push_back({draw(4) == 0,
                            {.what = draw(3) == 0 ? draw(kinds_of_requests) : kinds[static_cast<std::size_t>(draw(4))],
                             .operand = 1 + draw(3),
                             .object = objects[draw(2)]}});
  return all;
}

/// Every order, each from the beginning.
template <class Values>
std::set<std::string> complaints_of_all_orders(const table& of) {
  std::vector<std::size_t> order(of.messages.size());
  std::iota(order.begin(), order.end(), 0U);
  std::set<std::string> all;
  do {
    Values values;
    for (const auto i : order) {
      const auto& [only_looks, r] = of.messages[i];
      if (const auto complaint = only_looks ? values.look(r) : values.act(r); !complaint.empty()) all.insert(complaint);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

template <class Values>
program made_of(const table& of) {
  return make_program([of](self& me) {
    const auto a = me.create<keeper<Values>>();
    for (const auto& [only_looks, r] : of.messages)
      if (only_looks)
        me.send<&keeper<Values>::look>(a, r);
      else
        me.send<&keeper<Values>::act>(a, r);
  });
}

class RandomStates : public testing::TestWithParam<way> {
protected:
  template <class Values>
  void compare(std::uint32_t seeds) {
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
      const auto of = random_table(seed, 4 + static_cast<int>(seed % 2));
      options how;
      GetParam().ask(how);
      how.judging.check_determinism = seed % 4 == 0 ? repetition::all : repetition::off;
      how.judging.check_undo = how.judging.check_determinism != repetition::off;
      ASSERT_EQ(words_found(made_of<Values>(of), how), complaints_of_all_orders<Values>(of)) << "seed " << seed;
    }
  }
};

TEST_P(RandomStates, ShowAllThatTheyAre) { compare<plain_values>(24); }
TEST_P(RandomStates, OfAClassWithAnInspectDoSo) { compare<odd_values>(24); }

INSTANTIATE_TEST_SUITE_P(Ways, RandomStates, testing::ValuesIn(ways_of_searching()), name_of_way());

}  // namespace
}  // namespace harrier
