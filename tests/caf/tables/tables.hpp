#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// Random programs of actors that use what CAF has besides sending: requests, delegation, priorities, skipped messages,
/// monitors, ends. They are run by actors of CAF (in harrier, or by CAF itself), and by a model of CAF that knows
/// nothing of either.
namespace caf_tables {

/// CAF 1 has other mailboxes than CAF 0.17, and ends actors in another order.
enum class version : std::uint8_t { caf_0_17, caf_1 };

constexpr int kinds = 3;
constexpr int states = 2;

enum class verb : std::uint8_t {
  tell,
  tell_urgently,
  ask,    ///< and go on
  await,  ///< the same, and take nothing before the answer
  become,
  watch,
  quit  ///< the last thing that is done
};

struct action {
  verb what;
  int to = 0;    ///< an actor; to become: a state
  int kind = 0;  ///< of the message
  int tag = 0;   ///< by which it is told from others in what was heard
};

/// What an actor does with a message of some kind in some state.
struct rule {
  bool skips = false;
  std::vector<action> does;
  int answer = 0;         ///< to who asks
  int delegates_to = -1;  ///< an actor that is to answer in its place
};

struct role {
  std::array<std::array<rule, states>, kinds> rules;
  std::vector<action> on_answer;
  std::vector<action> on_down;
};

struct tables {
  std::vector<role> actors;
  std::vector<action> kick_off;  ///< what main tells
  int fuel = 2;                  ///< of those; of what is sent then, one less: who has none sends nothing
};

tables make_random(std::uint64_t seed, version of_caf);
std::string to_text(const tables& of);

/// What each actor has heard when nothing more happens, for all that can happen; nothing: that is too much.
///
/// Each actor has a mailbox, into which others put messages one at a time, whenever they come to that in their
/// handlers. It fetches what came there, and takes the first of that which it does not skip, what is urgent first. As
/// CAF 0.17 has it, it may fetch whenever it takes something (it does at times: what it takes then has to do with how
/// many it took since, which nobody can rely on). As CAF 1 has it, it fetches when it has nothing left to try, and what
/// it has skipped it tries again before the rest when it has taken another.
std::optional<std::set<std::string>> outcomes_by_model(const tables& of, version of_caf, std::size_t most_states);

/// `0: a1 r2; 1: b3`
std::string to_text(const std::vector<std::string>& heard);

/// @name As they are heard
/// @{
std::string message_as_heard(int kind, int tag);
std::string answer_as_heard(int answer);
std::string failure_as_heard();
std::string down_as_heard(int who);
/// @}

}  // namespace caf_tables
