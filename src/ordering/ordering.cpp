#include <harrier/ordering/ordering.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

#include <harrier/core/archive.hpp>
#include <harrier/core/error.hpp>

#include "send_graph.hpp"
#include "sending_rate.hpp"
#include "stability.hpp"

namespace harrier {
namespace {

actor_slot receiver_of(const system& s, message_slot m) { return s.message_at(m).receiver; }

/// Sorts by a rank of each message's receiver, ascending; equal ranks by the
/// receiver's number, so that an actor's messages stay together and in order.
template <class Rank>
void sort_by(const system& s, std::vector<message_slot>& deliverable, Rank rank) {
  std::stable_sort(deliverable.begin(), deliverable.end(), [&](message_slot x, message_slot y) {
    const auto a = receiver_of(s, x);
    const auto b = receiver_of(s, y);
    if (a == b) return false;
    const auto rank_a = rank(a);
    const auto rank_b = rank(b);
    return rank_a != rank_b ? rank_a < rank_b : a < b;
  });
}

/// Earliest created actor first; latest created actor first.
class by_creation final : public ordering {
public:
  explicit by_creation(bool latest_first) : sign_(latest_first ? -1 : 1) {}
  void arrange(const system& s, std::vector<message_slot>& deliverable) override {
    sort_by(s, deliverable, [this](actor_slot a) { return sign_ * static_cast<std::int64_t>(a); });
  }

private:
  int sign_;
};

/// A number for each actor that has deliverable messages.
class tally {
public:
  /// There may be 10^5 actors: the numbers of others stay what they were.
  void clear(const system& s, const std::vector<message_slot>& deliverable) {
    if (of_.size() < s.actor_count()) of_.resize(s.actor_count());
    for (const auto m : deliverable) of_[receiver_of(s, m)] = 0;
  }
  std::int64_t& operator[](actor_slot a) { return of_[a]; }

private:
  std::vector<std::int64_t> of_;
};

/// Queue: the actor with the oldest deliverable message first.
class queue final : public ordering {
public:
  [[nodiscard]] bool begins_with_oldest() const override { return true; }
  void arrange(const system& s, std::vector<message_slot>& deliverable) override {
    oldest_.clear(s, deliverable);
    for (auto m = deliverable.rbegin(); m != deliverable.rend(); ++m) oldest_[receiver_of(s, *m)] = *m;
    sort_by(s, deliverable, [this](actor_slot a) { return oldest_[a]; });
  }

private:
  tally oldest_;
};

/// Stack: the actor with the newest deliverable message first.
class stack final : public ordering {
public:
  void arrange(const system& s, std::vector<message_slot>& deliverable) override {
    newest_.clear(s, deliverable);
    for (const auto m : deliverable) newest_[receiver_of(s, m)] = m;
    sort_by(s, deliverable, [this](actor_slot a) { return -newest_[a]; });
  }

private:
  tally newest_;
};

/// Lowest, or highest, number of deliverable messages first.
class by_number final : public ordering {
public:
  explicit by_number(bool highest_first) : sign_(highest_first ? -1 : 1) {}
  void arrange(const system& s, std::vector<message_slot>& deliverable) override {
    number_.clear(s, deliverable);
    for (const auto m : deliverable) ++number_[receiver_of(s, m)];
    sort_by(s, deliverable, [this](actor_slot a) { return sign_ * number_[a]; });
  }

private:
  int sign_;
  tally number_;
};

/// Highest average of messages sent a delivery first.
class by_sending final : public ordering {
public:
  void arrange(const system& s, std::vector<message_slot>& deliverable) override {
    sort_by(s, deliverable, [this](actor_slot a) { return -rate_.of(a); });
  }
  [[nodiscard]] bool learns() const override { return true; }
  void learn(const system& s) override { rate_.learn(s); }
  void save(archive_writer& to) const override { rate_.save(to); }
  void load(archive_reader& from) override { rate_.load(from); }

private:
  sending_rate rate_;
};

/// Send graph reachability: who can reach the other, and not the other way
/// round, goes first.
class by_reachability final : public ordering {
public:
  explicit by_reachability(const system& s) {
    for (std::size_t i = 0; i < s.setup_steps(); ++i) graph_.learn(s, i);
  }
  void arrange(const system& s, std::vector<message_slot>& deliverable) override {
    sort_like_java(deliverable, scratch_, [&](message_slot x, message_slot y) {
      return graph_.goes_after(receiver_of(s, x), receiver_of(s, y));
    });
  }
  [[nodiscard]] bool learns() const override { return true; }
  void learn(const system& s) override { graph_.learn(s, s.step_count() - 1); }
  void save(archive_writer& to) const override { graph_.save(to); }
  void load(archive_reader& from) override { graph_.load(from); }

private:
  send_graph graph_;
  std::vector<message_slot> scratch_;
};

/// One that people can ask for by its name.
struct named_ordering {
  std::string_view name;
  std::unique_ptr<ordering> (*make)(const system&);
  bool learns = false;
};
template <class T, auto... arguments>
std::unique_ptr<ordering> one(const system&) {
  return std::make_unique<T>(arguments...);
}
template <class T>
std::unique_ptr<ordering> one_for(const system& s) {
  return std::make_unique<T>(s);
}

constexpr std::array orderings = {
    named_ordering{"fifo", one<queue>},
    named_ordering{"eca", one<by_creation, false>},
    named_ordering{"lca", one<by_creation, true>},
    named_ordering{"lifo", one<stack>},
    named_ordering{"ldm", one<by_number, false>},
    named_ordering{"hdm", one<by_number, true>},
    named_ordering{"hms", one<by_sending>, true},
    named_ordering{"sgr", one_for<by_reachability>, true},
    named_ordering{"stability", one_for<by_stability>, true},
};

const named_ordering* find(std::string_view name) {
  const auto found = std::find_if(orderings.begin(), orderings.end(), [&](const auto& o) { return o.name == name; });
  return found == orderings.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> ordering_names() {
  std::vector<std::string> names;
  names.reserve(std::size(orderings));
  for (const auto& o : orderings) names.emplace_back(o.name);
  return names;
}

bool ordering_learns(std::string_view name) {
  const auto* const found = find(name);
  return found != nullptr && found->learns;
}

std::unique_ptr<ordering> make_ordering(std::string_view name, const system& system) {
  if (const auto* const found = find(name)) return found->make(system);
  throw error("unknown ordering '" + std::string(name) + "'");
}

}  // namespace harrier
