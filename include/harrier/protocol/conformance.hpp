#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <harrier/core/monitor.hpp>
#include <harrier/property/actor_action.hpp>
#include <harrier/protocol/lts.hpp>

namespace harrier::protocol {

/// Who plays which role of a session, and what its types are called there.
struct cast {
  /// An actor, named as traces do or by its class if it is the only one of it,
  /// and its role. Several actors may play one role.
  std::map<std::string, std::string> roles;
  /// A message and its type; `-`: the message is no part of the protocol. One
  /// that is not named here stands for the type of the same name.
  std::map<std::string, std::string> messages;
};

/// Judges each execution of an actor program by a protocol: what actors with
/// roles send each other and take from each other, in the order in which that
/// happens, must be a run of the session's definition, up to its end.
///
/// Messages from or to an actor without a role, or between actors of one role,
/// do not count. A receive is compared by its two roles only, as definitions
/// do. A `close` is no action of an actor program: it is passed over.
///
/// The first action that leaves the protocol is the finding; an execution that
/// ends where the session does not is one as well. Names are compared without
/// regard to case.
///
/// The order of the actions of several actors matters, so reductions are
/// refused.
class conformance_monitor final : public monitor {
public:
  /// @throws definition_error, error  the session cannot be explored, has a
  ///         handshake, or a role that nobody plays; `played` names a role or a
  ///         type that it does not have.
  conformance_monitor(std::shared_ptr<const specification> definitions, std::string_view session,
                      std::vector<value> arguments, cast played);

  std::optional<record> stepped(const system& system) override;
  void undone(const system& system) override;
  std::vector<record> ended(const system& system) override;
  [[nodiscard]] std::string order_dependence(const system& initial) const override;
  [[nodiscard]] std::unique_ptr<monitor> another() const override;
  void join(const monitor& other) override;
  [[nodiscard]] std::string criterion() const override;
  void save(archive_writer& to) const override;
  void load(archive_reader& from) override;
  [[nodiscard]] std::vector<std::string> conclusions(const exploration& result) const override;

private:
  /// The states in which the session may be; a number of `sets_`. 0: none.
  using state_set = std::uint32_t;
  /// An action as both sides have it: the type is in lower case and empty for a receive.
  struct event {
    action_kind kind;
    role_id from, to;
    std::string type;
    friend auto operator<=>(const event&, const event&) = default;
  };

  void check_cast();
  state_set number(std::vector<state_id> states);
  state_set after(state_set from, const event& what);
  state_set begin(const system& system);
  /// Goes on from `from` over the actions of a step. @return where it leads; `broken` gets what is wrong.
  state_set follow(const system& system, std::size_t step, state_set from, std::string& broken);
  std::optional<event> event_of(const system& system, const actor_action& action);
  std::optional<role_id> role_of(const system& system, actor_slot actor);
  [[nodiscard]] std::string type_of(const std::string& kind, bool is_reply) const;
  [[nodiscard]] bool may_end(state_set states) const;
  [[nodiscard]] std::string allowed_in(state_set states) const;

  std::shared_ptr<const explored_session> session_;  // of all that another() made, too
  std::string name_;
  cast played_;  // all in lower case
  std::vector<std::vector<state_id>> sets_;
  std::map<std::vector<state_id>, state_set> numbers_;
  std::map<std::pair<state_set, event>, state_set> moves_;
  std::map<std::pair<actor_slot, const actor_type*>, std::optional<role_id>> roles_;
  std::map<std::pair<const message_type*, bool>, std::string> types_;  // `-`: no part of the protocol
  std::vector<actor_action> actions_;                                  // of one step

  state_set at_start_ = 0;            // after the set-up
  std::string broken_at_start_;       // what was wrong in it
  std::vector<state_set> path_;       // after each explored step
  std::set<std::string> actors_met_;  // of the names in the cast
  std::set<std::string> messages_met_;
  std::uint64_t violated_ = 0;
  std::uint64_t cut_ = 0;
};

}  // namespace harrier::protocol
