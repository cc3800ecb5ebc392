#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/graph.hpp>
#include <harrier/protocol/strict.hpp>

#include "../lts/word_table.hpp"

namespace harrier::protocol::internal {

/// An action as its role sees it, by number: with the class of its message in place of the label.
using view = std::uint32_t;

/// A session with its channels, where messages are labels: types, or finer. Labels that a sender cannot tell apart are
/// one class; receivers see classes.
class global_graph {
public:
  /// @param type_of  by label: the type in the definition.
  /// @pre a receive takes the first message of its channel, and is possible wherever there is one.
  global_graph(state_graph graph, const strict_space& space, std::vector<type_id> type_of);

  [[nodiscard]] std::size_t states() const { return graph_.states(); }
  [[nodiscard]] std::size_t roles() const { return names().roles().size(); }
  [[nodiscard]] std::span<const transition> steps(state_id s) const { return graph_.steps[s]; }
  [[nodiscard]] role_id subject(const transition& t) const { return names().actions()[t.action].subject(); }
  [[nodiscard]] view seen(const transition& t) const { return view_of_[t.action]; }
  /// With the class for a type.
  [[nodiscard]] const action& what(view v) const { return views_[v]; }
  [[nodiscard]] type_id type_of(std::uint32_t label) const { return type_of_[label]; }
  /// Whether the role has a step in `s` that it sees as `v`.
  [[nodiscard]] bool offers(state_id s, view v) const;
  /// The classes of the messages under way in `s`, oldest first.
  [[nodiscard]] std::vector<std::uint32_t> under_way(state_id s, role_id from, role_id to) const;

  /// Whether each run ends: nothing is done again and again.
  [[nodiscard]] bool always_ends() const;

  /// Makes two labels one class. @return whether they were two.
  bool merge(std::uint32_t one, std::uint32_t other);
  /// Makes `view`s agree with the classes again.
  void renew_views();

  /// For people: with the type in place of the class.
  [[nodiscard]] std::string describe(view v) const;
  [[nodiscard]] const std::string& name(role_id r) const { return names().roles()[r]; }

private:
  [[nodiscard]] const alphabet& names() const { return space_.names(); }
  std::uint32_t class_of(std::uint32_t label);

  state_graph graph_;
  const strict_space& space_;
  std::vector<type_id> type_of_;
  std::vector<std::uint32_t> leader_;  // by label: one of its class; when views agree with classes, the first of it
  std::vector<action> views_;
  std::vector<view> view_of_;  // by action
};

/// What a role knows: the deterministic automaton whose states are the sets of global states that agree with what the
/// role has done so far, and are closed under what others do.
class knowledge {
public:
  struct move {
    view what;
    std::uint32_t next;
  };

  [[nodiscard]] role_id role() const { return role_; }
  [[nodiscard]] std::uint32_t states() const { return static_cast<std::uint32_t>(moves_.size()); }
  [[nodiscard]] std::span<const state_id> members(std::uint32_t local) const { return (*members_)[local]; }
  [[nodiscard]] const std::vector<move>& moves(std::uint32_t local) const { return moves_[local]; }
  /// Where `what` leads to. @pre it is one of the moves.
  [[nodiscard]] std::uint32_t after(std::uint32_t local, view what) const;

private:
  friend class subset_construction;
  role_id role_ = 0;
  std::unique_ptr<word_table> members_;
  std::vector<std::vector<move>> moves_;
};

/// @param enough  asked before each local state: whether to stop. Nothing: it said so.
/// @throws error  more than `max_projected_members` members.
[[nodiscard]] std::optional<knowledge> knowledge_of(const global_graph& global, role_id role,
                                                    const std::function<bool()>& enough);

/// A run of the machines in which a role makes a move that may be wrong.
struct wrong_run {
  role_id role;
  std::uint32_t local;  ///< where the role is
  view what;
  state_id where;            ///< a member of `local`
  std::vector<view> others;  ///< what others do between `where` and the move
};

/// The moves of each role that are not certain to come wherever the role may be; by role. None: the machines together
/// do what the session does. Nothing: `enough` said to stop.
[[nodiscard]] std::optional<std::vector<wrong_run>> moves_not_certain(const global_graph& global,
                                                                      std::span<const knowledge> all,
                                                                      const std::function<bool()>& enough);

/// Whether the session is one around a role, which others deal with one by one, each perhaps with others behind it, and
/// therefore the machines together do what the session does; it may be so for another reason if not.
/// @par Complexity  For each role that may be in the middle: messages, times the steps of the session where none is
/// under
///      way.
/// @param enough  asked now and then: whether to stop, and not to know.
[[nodiscard]] bool is_proved_around_one_role(const global_graph& global, std::span<const knowledge> all,
                                             const std::function<bool()>& enough);

/// What a search for a proof may still take. Nothing is counted down while nobody searches.
class proof_budget {
public:
  /// @param enough  asked now and then: whether to stop everything.
  proof_budget(const proof_limits& limits, std::function<bool()> enough)
      : limits_(limits), enough_(std::move(enough)) {}

  /// Begins a search, which takes no more than `configurations` of work.
  void begin(std::size_t configurations);
  /// Of the search that was begun.
  [[nodiscard]] std::size_t left() const { return left_; }
  void end();
  /// Of the search that was begun: whether its time is over.
  [[nodiscard]] bool is_over();
  /// Of the search that was begun. @param bytes  what it holds now @return whether it may go on
  bool spend(std::size_t configurations, std::size_t bytes);
  /// @return whether the watch said to stop everything.
  [[nodiscard]] bool is_called_off() const { return called_off_; }
  /// Which limit ended a search, in words: `256 MiB`. Empty: none.
  [[nodiscard]] const std::string& limit() const { return limit_; }

private:
  bool is_late();

  proof_limits limits_;
  std::function<bool()> enough_;
  double seconds_ = 0;  // of all searches together
  std::chrono::steady_clock::time_point at_;
  std::size_t left_ = 0;
  std::size_t until_clock_ = 0;
  bool called_off_ = false;
  std::string limit_;
};

/// A move of a role in a state of its machine, of which nobody knows whether it may be wrong.
struct open_move {
  role_id role;
  std::uint32_t local;
  view what;
  std::optional<wrong_run> suspect;  ///< seems to be wrong, and refutes nothing: more work would not tell
};

/// Slower than `moves_not_certain`, and accepts more: whether there is another run of the session for each move. Moves
/// are looked at in turns, each time with more work allowed, so that one that takes long does not hide another one that
/// is soon seen to be wrong.
class second_look {
public:
  /// @param is_refuting  whether a run of the machines is explained by none of the session.
  second_look(const global_graph& global, std::span<const knowledge> all, proof_budget& budget,
              std::function<bool(const wrong_run&)> is_refuting);
  second_look(const second_look&) = delete;
  second_look& operator=(const second_look&) = delete;
  ~second_look();

  /// Looks once more at the moves that are still open, at each with so much work, until that of all comes to another
  /// bound. @return a run that refutes the session.
  [[nodiscard]] std::optional<wrong_run> look(std::size_t of_a_move, std::size_t in_all);
  /// Those that are neither proved nor refuted. None: the session is sound.
  [[nodiscard]] std::vector<open_move> open() const;
  /// Whether this way cannot prove some move, however much work is allowed.
  [[nodiscard]] bool is_hopeless() const;

private:
  class search;
  std::unique_ptr<search> search_;
};

/// How much `short_witness` looks at.
struct witness_effort {
  std::size_t runs;    ///< of the machines
  std::size_t places;  ///< of the session, to explain them
};

/// What `short_witness` found out.
struct witness_result {
  std::optional<std::vector<view>> run;  ///< of the machines, that no run of the session explains
  bool is_all = false;                   ///< there is none, and no other run: each that there is was looked at
};

/// A run of the machines that no run of the session explains, looked for among the short ones: first among those in
/// which roles that differ by an index only join in the order of their indices, then among all.
[[nodiscard]] witness_result short_witness(const global_graph& global, std::span<const knowledge> all,
                                           witness_effort effort, const std::function<bool()>& enough);

/// Whether the machines can do that, in this order. @return where each role is then; nothing: they cannot.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> replayed(const global_graph& global,
                                                                 std::span<const knowledge> all,
                                                                 std::span<const view> run);

struct explanation {
  std::optional<bool> is_there;  ///< nothing: it takes too long to find out
  std::vector<view> run;         ///< of the session, if there is one
  std::size_t places = 0;        ///< looked at
};

/// Whether the session has a run in which each role begins with what it does in `run`.
[[nodiscard]] explanation explain(const global_graph& global, std::span<const view> run,
                                  std::size_t max_places = 200'000);

/// With one state for all that behave alike; numbered in the order of the first of each.
[[nodiscard]] local_machine reduced(const local_machine& machine);

/// `project_checked` with what is left of a budget.
[[nodiscard]] checked_projection project_within(const explored_session& session, const projection_watch& watch,
                                                proof_budget& budget);

}  // namespace harrier::protocol::internal
