// Global variables are compared before and after each delivery of a sample. Each
// execution is run twice and looked at the second time, when what is initialised
// once has been.
#include "shared_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include <harrier/core/error.hpp>

#include "../core/global_variables.hpp"
#include "../engine/sampling/sampling.hpp"
#include "start.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t most_executions = 50;
constexpr std::size_t most_deliveries = 2000;
constexpr auto most_time = std::chrono::milliseconds(60);
constexpr std::size_t largest_looked_at = std::size_t{1} << 26;

class comparison {
public:
  comparison() : loaded_(executable()), variables_(loaded_) {
    for (auto& part : loaded_.writable) part.size = std::min(part.size, largest_looked_at);
  }

  void remember() {
    copies_.resize(loaded_.writable.size());
    for (std::size_t p = 0; p < copies_.size(); ++p) {
      copies_[p].resize(loaded_.writable[p].size);
      copy_unwatched(loaded_.writable[p], copies_[p].data());
    }
  }
  /// A variable of the program that is not as it was remembered. What else changed is remembered as it is now.
  std::optional<std::string> changed() {
    for (std::size_t p = 0; p < copies_.size(); ++p) {
      const auto& part = loaded_.writable[p];
      for (std::size_t i = 0; (i = difference(part, copies_[p].data(), i)) < part.size; ++i) {
        const auto symbol = variables_.symbol_at(part.begin + i);
        if (symbol && !is_no_variable_of_the_program(*symbol)) return readable(*symbol);
      }
      copy_unwatched(part, copies_[p].data());
    }
    return {};
  }

private:
  loaded loaded_;
  variables variables_;
  std::vector<std::vector<char>> copies_;
};

/// Runs execution number `i` of the sample; `delivered()` is asked after each delivery whether to go on.
template <class Delivered>
void run_one(system& s, const options& how, std::uint64_t i, Delivered delivered) {
  sampler random(how.search.seed, i);
  std::vector<message_slot> deliverable;
  for (bool goes_on = true; goes_on;) {
    deliverable.clear();
    for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) deliverable.push_back(m);
    if (deliverable.empty()) break;
    deliver_drawing(s, deliverable[random.below(deliverable.size())], random);
    goes_on = delivered();
  }
  while (s.depth() > 0) s.undo();
}

std::string shared_by(system& s, const options& how) {
  comparison globals;
  std::string found;
  std::size_t deliveries = 0;
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + most_time;
  const auto is_time_left = [&] { return deliveries < most_deliveries && clock::now() < end; };
  for (std::uint64_t i = 0; i < most_executions && found.empty() && is_time_left(); ++i) {
    std::size_t first = 0;
    const auto middle = clock::now() + (end - clock::now()) / 2;
    run_one(s, how, i, [&] { return ++first < most_deliveries && clock::now() < middle; });
    globals.remember();
    run_one(s, how, i, [&] {
      ++deliveries;
      if (const auto variable = globals.changed()) {
        const auto& last = s.step_at(s.last_step());
        found = fmt::format("{}.{} writes to {}", s.actor_name(last.receiver), s.message_text(last.message), *variable);
      }
      return found.empty() && --first > 0 && is_time_left();
    });
  }
  return found;
}

}  // namespace

std::string data_shared_by_executions(const program& tested, const options& how) {
  try {
    auto quiet = how;
    quiet.judging.check_determinism = repetition::off;
    const auto s = start_as_asked(tested, quiet);
    return shared_by(*s, how);
  } catch (const untestable_program&) {
    throw;
  } catch (...) {  // the search will tell what it is
    return {};
  }
}

}  // namespace harrier
