#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/step.hpp>

namespace harrier {

enum class finding_kind : std::uint8_t {
  assertion,       ///< a failed check or requirement
  deadlock,        ///< nothing can be delivered, and an actor waits
  undelivered,     ///< a message to a destroyed actor was left over
  exception,       ///< a handler threw
  crash,           ///< a handler ended the process
  nontermination,  ///< a handler did not end
  invariant,       ///< a property of the configuration is broken
  ltl,             ///< a temporal property is broken
  conformance,     ///< the actors left their protocol
  nondeterminism,  ///< a handler behaved differently when repeated
  unexpected,      ///< a message for which its receiver has no handler, where a library allows that
  declaration,     ///< a handler did what it is declared not to do
};

/// The kind's name in JSON and on the command line: `assertion`.
std::string_view to_string(finding_kind kind);
/// The kind of that name. @throws error if there is none.
finding_kind finding_kind_of(std::string_view name);

/// Whether a finding of that kind says that the program cannot be searched as it was, not that it is wrong.
constexpr bool is_of_the_search(finding_kind kind) {
  return kind == finding_kind::nondeterminism || kind == finding_kind::declaration;
}

/// What a step recorded when it failed: enough to say what and where.
struct record {
  step_index at = no_step;
  finding_kind kind = finding_kind::invariant;
  /// What failed, in the program's words.
  std::string message = {};
  /// Where, as the compiler names the file; empty and 0 if not known.
  std::string file = {};
  std::uint32_t line = 0;
  /// More lines that explain it.
  std::vector<std::string> details = {};
};

/// A message or actor as the trace shows it.
struct trace_send {
  std::string message;
  std::string receiver;
  bool operator==(const trace_send&) const = default;
};

/// One delivery as a person reads it.
struct trace_step {
  /// "k.i": the i-th message sent by the k-th delivery of this schedule (from 1);
  /// k = 0 for what the driver sent, negative for what the set-up sent.
  std::string id;
  std::string message;
  std::string receiver;
  /// The event's portable name (identities::name_of), 32 hexadecimal digits: the
  /// same wherever and whenever this happens. Empty if it is not known.
  std::string event = {};
  /// The receiver's local state after the step.
  std::string state;
  /// What the handler drew by `choose`, empty if nothing.
  std::vector<std::uint64_t> choices;
  std::vector<trace_send> sends;
  /// What befell messages that it sent (faults.hpp): `set(5) to server_0 is lost`.
  std::vector<std::string> faults;
  std::vector<std::string> creates;
  /// The receiver destroyed itself in this step.
  bool destroys = false;
  /// It moves a message and is nothing of the program's (step_kind::machinery):
  /// a schedule needs it, people do not.
  bool machinery = false;
  /// What was found in this step: `kind: message (file:line)`.
  std::vector<std::string> findings;
  /// Where the code that took the message is: a file that is loaded, `+0x` and the place in it. Empty if that is not
  /// known. Of one build on one machine, so it is in no file, and two steps are equal without it.
  std::string handler = {};

  bool operator==(const trace_step& other) const;
};

/// A finding with the schedule that leads to it.
struct finding {
  finding_kind kind = finding_kind::assertion;
  /// What was found, in one line.
  std::string message;
  /// The actor in which it was found; empty for one about the whole execution.
  std::string actor;
  std::string file;
  std::uint32_t line = 0;
  /// More lines that explain it: who waits for whom, the first difference.
  std::vector<std::string> details;
  /// In how many executions it was seen; 0 if only replayed.
  std::uint64_t occurrences = 1;
  harrier::schedule schedule;
  /// No shorter schedule leads to it. If not, there may be one: it was not looked
  /// for, or not long enough.
  bool is_shortest = false;
  /// The same schedule, readable; as long as `schedule` unless a step of it
  /// cannot be repeated (a crash is shown without its outcome).
  std::vector<trace_step> trace;
};

}  // namespace harrier
