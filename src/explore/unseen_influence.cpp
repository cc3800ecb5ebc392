// The causal past of a step is hashed along the execution: of its receiver, what it took before, in that order; of its
// message, the step that sent it. Where the driver of a program in stages goes on, that is all there was before.
//
// A variable that is written once has its last value when the search is over, and no order shows who looked at it
// before. So a child process gives the variables the values that they had, and runs the executions again: what becomes
// of it is its own affair.
#include "unseen_influence.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <harrier/core/system.hpp>
#include <harrier/explain/explain.hpp>

#include "../core/dependence/step_outcome.hpp"
#include "../engine/sampling/sampling.hpp"
#include "processor_seconds.hpp"
#include "start.hpp"

namespace harrier {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::uint64_t most_executions = 20;
/// Of the processor: on a machine that is busy with other work as much is found as on one that is not.
constexpr double least_seconds = 0.01;
constexpr double most_seconds = 0.06;
/// By the clock, for handlers that wait.
constexpr auto longest_wait = std::chrono::seconds(1);
constexpr std::uint64_t least_deliveries = 60;
constexpr std::uint64_t most_deliveries = 2000;
constexpr double part_of_search = 0.02;
constexpr auto child_is_waited_for = 2 * longest_wait;

fingerprint hash_of(std::initializer_list<fingerprint> of, std::uint64_t seed) {
  return hash_bytes(std::data(of), of.size() * sizeof(fingerprint), seed);
}

/// What stands for the causal past of each step of one execution.
class causal_pasts {
public:
  /// @param initial  in its initial configuration.
  explicit causal_pasts(const system& initial) {
    for (std::uint64_t a = 0; a < initial.actor_count(); ++a) actors_.push_back({a, 1});
    for (std::uint64_t m = 0; m <= initial.message_count(); ++m) messages_.push_back({m, 2});
  }

  /// Of the last step, itself included. @pre it was asked of all steps before
  fingerprint of_last_step(const system& s) {
    const auto i = s.last_step();
    const auto& step = s.step_at(i);
    const auto& before = step.kind == step_kind::stage ? all_ : actors_[step.receiver];
    const auto past = hash_of({before, messages_[step.message], {step.code, 0}}, 3);
    actors_[step.receiver] = past;
    all_ += past;
    messages_.resize(step.first_sent);
    while (messages_.size() < s.sent_end(i))
      messages_.push_back(hash_of({past, {messages_.size() - step.first_sent}}, 4));
    actors_.resize(step.first_created);
    while (actors_.size() < s.created_end(i))
      actors_.push_back(hash_of({past, {actors_.size() - step.first_created}}, 5));
    return past;
  }

private:
  fingerprint all_;
  std::vector<fingerprint> actors_;
  std::vector<fingerprint> messages_;
};

std::string in_words(const step_outcome& one, const step_outcome& other) {
  const auto difference = first_difference(one, other);
  return difference ? fmt::format("in one order it {}, in another it {}", difference->first, difference->second)
                    : "in one order it does more than in another";
}

class looking {
public:
  looking(system& s, const options& how, const exploration& search)
      : s_(s),
        seed_(how.search.seed),
        seconds_(std::clamp(search.seconds * part_of_search, least_seconds, most_seconds)),
        deliveries_(std::clamp(static_cast<std::uint64_t>(static_cast<double>(search.transitions) * part_of_search),
                               least_deliveries, most_deliveries)) {}

  /// From now on what is found is said in words; what was seen is forgotten.
  void use_words() {
    in_words_ = true;
    seen_.clear();
  }
  /// Not where the system found itself that something does not repeat itself.
  [[nodiscard]] bool can_go_on() const { return can_go_on_; }
  /// Runs the executions, `prepare` before each. @return the first step that did not do what it did elsewhere.
  template <class Prepare>
  std::optional<finding> run(Prepare prepare) {
    uses_until_ = processor_seconds() + seconds_;
    waits_until_ = clock::now() + longest_wait;
    left_ = deliveries_;
    std::optional<finding> found;
    for (std::uint64_t i = 0; i < most_executions && !found && !is_over(); ++i) {
      prepare();
      try {
        found = run_one(i);
      } catch (const system::nondeterminism& difference) {
        can_go_on_ = false;
        return found_in_last_step(difference.what());
      }
      while (s_.depth() > 0) s_.undo();
    }
    return found;
  }

private:
  /// What it may make, use or wait for is spent.
  [[nodiscard]] bool is_over() const {
    return left_ == 0 || processor_seconds() >= uses_until_ || clock::now() >= waits_until_;
  }
  /// The first in the order sent, the second in the other, which is the most that an order can differ.
  message_slot next(std::uint64_t execution, sampler& random) {
    deliverable_.clear();
    for (auto m = s_.first_deliverable(); m != no_message; m = s_.next_deliverable(m)) deliverable_.push_back(m);
    if (deliverable_.empty()) return no_message;
    if (execution < 2) return execution == 0 ? deliverable_.front() : deliverable_.back();
    return deliverable_[random.below(deliverable_.size())];
  }
  std::optional<finding> run_one(std::uint64_t execution) {
    sampler random(seed_, execution);
    causal_pasts pasts(s_);
    for (auto m = next(execution, random); m != no_message; m = next(execution, random)) {
      deliver_drawing(s_, m, random);
      // What a script holds back comes too early because of what others have not done yet: that is no influence of
      // theirs.
      if (s_.step_at(s_.last_step()).discarded && s_.looks_at_several()) break;
      const auto past = pasts.of_last_step(s_);
      auto did = outcome_of_last_step(s_, in_words_);
      const auto [there, is_new] = seen_.try_emplace(past, std::move(did));
      if (!is_new && there->second != did) return difference(there->second, did);
      --left_;
      if (is_over()) break;
    }
    return {};
  }
  [[nodiscard]] finding difference(const step_outcome& elsewhere, const step_outcome& here) const {
    const auto& last = s_.step_at(s_.last_step());
    return found_in_last_step(fmt::format(
        "{}.{} depends on deliveries that have nothing to do with it: {}; actors share something outside their states "
        "and messages",
        s_.actor_name(last.receiver), s_.message_text(last.message), in_words(elsewhere, here)));
  }
  [[nodiscard]] finding found_in_last_step(std::string message) const {
    finding f;
    f.kind = finding_kind::nondeterminism;
    f.message = std::move(message);
    f.actor = s_.actor_name(s_.step_at(s_.last_step()).receiver);
    f.schedule = s_.current_schedule();
    return f;
  }

  struct hash {
    std::size_t operator()(const fingerprint& of) const { return of.low; }
  };

  system& s_;
  std::uint64_t seed_;
  double seconds_;
  std::uint64_t deliveries_;
  std::uint64_t left_ = 0;
  double uses_until_ = 0;
  clock::time_point waits_until_;
  bool in_words_ = false;
  bool can_go_on_ = true;
  std::vector<message_slot> deliverable_;
  std::unordered_map<fingerprint, step_outcome, hash> seen_;
};

/// One per line: message, actor, and each delivery of the schedule.
std::string to_text(const finding& f) {
  auto text = f.message + "\n" + f.actor + "\n";
  for (const auto& next : f.schedule) text += fmt::format("{} {}\n", next.code, next.message);
  return text;
}
std::optional<finding> from_text(const std::string& text) {
  std::istringstream lines(text);
  finding f;
  f.kind = finding_kind::nondeterminism;
  if (!std::getline(lines, f.message) || !std::getline(lines, f.actor)) return {};
  for (scheduled next{}; lines >> next.code >> next.message;) f.schedule.push_back(next);
  return f;
}

/// Nobody hears of what the program says or does there.
void be_quiet() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT}) std::signal(signal, SIG_DFL);
  const rlimit no_file{0, 0};
  setrlimit(RLIMIT_CORE, &no_file);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    if (nowhere < 0 || dup2(nowhere, output) < 0) close(output);
}

[[noreturn]] void look_in_child(looking& look, system& s, const global_variables& before, int answer) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  be_quiet();
  static flight_record own;
  s.watch().note_deliveries(own, {});
  std::string text;
  try {
    if (const auto found = look.run([&] { before.restore(); })) text = to_text(*found);
  } catch (...) {  // another process than the program was made for
    text.clear();
  }
  for (std::string_view rest = text; !rest.empty();) {
    const auto written = write(answer, rest.data(), rest.size());
    if (written <= 0) break;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  _exit(0);
}

/// What comes until the other end is closed; nothing if that takes too long.
std::string read_all(int from) {
  std::string text;
  const auto end = clock::now() + child_is_waited_for;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
    pollfd ready{from, POLLIN, 0};
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) <= 0) return {};
    std::array<char, 4096> piece{};
    const auto size = read(from, piece.data(), piece.size());
    if (size <= 0) return size == 0 ? text : std::string();
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
}

/// With the variables as they were before the search, in a process of its own.
std::optional<finding> look_with(const global_variables& before, looking& look, system& s) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const auto child = fork();
  if (child == 0) look_in_child(look, s, before, ends[1]);
  close(ends[1]);
  const auto text = child > 0 ? read_all(ends[0]) : std::string();
  close(ends[0]);
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  return from_text(text);
}

std::optional<finding> look_at(system& s, const options& how, const global_variables& before,
                               const exploration& search) {
  looking look(s, how, search);
  const auto as_it_is = [] {};
  auto found = look.run(as_it_is);
  const auto written = before.changed();
  if (!found && written.empty()) return {};
  if (found && !look.can_go_on()) return found;
  look.use_words();
  if (auto in_words = look.run(as_it_is))
    found = std::move(in_words);
  else if (auto as_it_was = written.empty() ? std::nullopt : look_with(before, look, s))
    found = std::move(as_it_was);
  if (found && !written.empty())
    found->details.push_back(fmt::format("written to since the search began: {}", fmt::join(written, ", ")));
  return found;
}

}  // namespace

std::optional<finding> unseen_influence(const program& tested, const options& how, const global_variables& before,
                                        const exploration& search) {
  auto quiet = how;
  quiet.judging.check_determinism = repetition::off;
  quiet.judging.check_undo = false;
  quiet.search.memoise = memoising::off;
  std::optional<finding> found;
  try {
    const auto s = start_as_asked(tested, quiet);
    // What runs a library compares its runs itself.
    if (s->shows_changes()) found = look_at(*s, how, before, search);
  } catch (...) {  // the search saw no such thing, and what it says is true without this
    found.reset();
  }
  search_is_over(how);
  if (found) complete(*found, tested, {.delivery = how.search.delivery, .depth_limit = how.limits.max_depth});
  return found;
}

}  // namespace harrier
