#pragma once

// Two processes whose modules were generated from two definitions of a session: whether roles of the one can play with
// roles of the other. docs/transport.md, "An older and a newer definition", says when.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/protocol/runtime_local.hpp>
#include <harrier/transport/wire.hpp>

namespace harrier::runtime {

/// The machines of a module in mode liberal-checked, in its own numbers.
struct role_machines {
  struct step {
    kind what = kind::send;
    std::uint32_t peer = 0;
    std::uint32_t type = 0;  ///< `anything` of a close
    std::uint32_t mark = 0;
    std::uint32_t next = 0;
    std::uint32_t line = 0;
  };
  std::string definition;  ///< the file
  std::vector<std::string> roles;
  std::vector<std::string> types;
  std::vector<step> steps;           ///< by state
  std::vector<std::uint32_t> first;  ///< by state, where its steps begin; and one more
  std::vector<std::uint32_t> start;  ///< by machine, the first of its states
  /// By phase, the first of the machines that are beside each other in it; by role, the first of its phases, which
  /// follow each other; both with one more at the end.
  std::vector<std::uint32_t> machines;
  std::vector<std::uint32_t> phases;
  /// By sender and receiver, of whom the one sends the other something: how many messages there is room for, 0: any
  /// number.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> rooms;

  template <class Spec>
  static role_machines of() {
    role_machines result;
    result.definition = Spec::definition;
    result.roles.assign(std::begin(Spec::roles), std::end(Spec::roles));
    result.types.assign(std::begin(Spec::types), std::end(Spec::types));
    result.first.assign(std::begin(Spec::first), std::end(Spec::first));
    result.start.assign(std::begin(Spec::start), std::end(Spec::start));
    if constexpr (local_automaton<Spec>::has_several) {
      result.machines.assign(std::begin(Spec::machines), std::end(Spec::machines));
      result.phases.assign(std::begin(Spec::phases), std::end(Spec::phases));
    } else {
      result.one_for_each_role();
    }
    for (std::uint32_t i = 0; i < result.first.back(); ++i) {
      const auto& s = Spec::steps[i];
      result.steps.push_back({s.what, s.peer, s.type, s.mark, s.next, Spec::lines[i]});
    }
    result.for_each_send([&](std::uint32_t from, std::size_t step) {
      const auto& s = Spec::steps[step];
      result.rooms[{from, s.peer}] = static_cast<std::uint32_t>(local_automaton<Spec>::room_in(s.queue, 0));
    });
    return result;
  }

  [[nodiscard]] std::string written() const {
    std::string text;
    wire::writer out(text);
    std::vector<std::uint32_t> numbers;
    for (const auto& s : steps) {
      for (const auto n : {static_cast<std::uint32_t>(s.what), s.peer, s.type, s.mark, s.next, s.line})
        numbers.push_back(n);
    }
    out(definition, roles, types, numbers, first, start);
    std::vector<std::uint32_t> bounds;
    for (const auto& [ends, room] : rooms) {
      if (room != 0) bounds.insert(bounds.end(), {ends.first, ends.second, room});
    }
    const bool has_several = start.size() != roles.size();
    if (!bounds.empty() || has_several) out(bounds);
    if (has_several) out(machines, phases);
    return text;
  }
  /// @throws wire::malformed  these are no machines
  static role_machines read(std::string_view bytes) {
    role_machines result;
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> bounds;
    try {
      wire::reader in(bytes);
      in(result.definition, result.roles, result.types, numbers, result.first, result.start);
      if (!in.rest().empty()) in(bounds);
      if (!in.rest().empty()) in(result.machines, result.phases);
    } catch (const wire::malformed&) {
      throw;
    } catch (const std::exception& e) {
      refuse(e.what());
    }
    constexpr std::size_t in_a_step = 6;
    if (numbers.size() % in_a_step != 0) refuse("a step that is cut off");
    for (std::size_t i = 0; i + in_a_step <= numbers.size(); i += in_a_step) {
      const auto* n = numbers.data() + i;
      if (n[0] > static_cast<std::uint32_t>(kind::close)) refuse("a step that roles do not take by themselves");
      result.steps.push_back({static_cast<kind>(n[0]), n[1], n[2], n[3], n[4], n[5]});
    }
    if (result.machines.empty()) result.one_for_each_role();
    result.refuse_what_is_out_of_range();
    result.for_each_send(
        [&](std::uint32_t from, std::size_t s) { result.rooms.emplace(std::pair(from, result.steps[s].peer), 0); });
    constexpr std::size_t in_a_bound = 3;
    if (bounds.size() % in_a_bound != 0) refuse("a room that is cut off");
    for (std::size_t i = 0; i + in_a_bound <= bounds.size(); i += in_a_bound) {
      const auto place = result.rooms.find({bounds[i], bounds[i + 1]});
      if (place == result.rooms.end()) refuse("a room for what is never sent");
      place->second = bounds[i + 2];
    }
    return result;
  }

  /// The number of a name, or `anything`.
  [[nodiscard]] static std::uint32_t find(const std::vector<std::string>& names, const std::string& name) {
    const auto place = std::find(names.begin(), names.end(), name);
    return place == names.end() ? anything : static_cast<std::uint32_t>(place - names.begin());
  }
  [[nodiscard]] const step* begin(std::uint32_t state) const { return steps.data() + first[state]; }
  [[nodiscard]] const step* end(std::uint32_t state) const { return steps.data() + first[state + 1]; }
  /// One more than the last of a machine's states.
  [[nodiscard]] std::uint32_t end_of(std::uint32_t machine) const {
    return machine + 1 == start.size() ? static_cast<std::uint32_t>(first.size() - 1) : start[machine + 1];
  }

private:
  void one_for_each_role() {
    for (std::uint32_t r = 0; r <= roles.size(); ++r) {
      machines.push_back(r);
      phases.push_back(r);
    }
  }
  template <class Look>
  void for_each_send(const Look& look) const {
    for (std::uint32_t r = 0; r < roles.size(); ++r) {
      for (auto m = machines[phases[r]]; m != machines[phases[r + std::size_t{1}]]; ++m) {
        for (auto i = first[start[m]]; i < first[end_of(m)]; ++i) {
          if (steps[i].what == kind::send) look(r, i);
        }
      }
    }
  }

  [[noreturn]] static void refuse(const char* why) {
    words text;
    throw wire::malformed(text << "its machines are none: " << why);
  }
  // Whether these are where so many things begin that have one or more of so many others each, one after the other.
  static bool numbers_all(const std::vector<std::uint32_t>& where, std::size_t things, std::size_t others) {
    const auto is_empty = [](std::uint32_t from, std::uint32_t to) { return from >= to; };
    return where.size() == things + 1 && where[0] == 0 && where.back() == others &&
           std::adjacent_find(where.begin(), where.end(), is_empty) == where.end();
  }
  void refuse_what_is_out_of_range() const {
    const bool is_sorted = std::is_sorted(first.begin(), first.end()) && std::is_sorted(start.begin(), start.end());
    if (first.size() < 2 || first[0] != 0 || first.back() != steps.size() || !is_sorted) refuse("states without steps");
    constexpr std::size_t most_roles = 10'000;
    if (roles.size() > most_roles) refuse("so many roles are in no session");
    if (start.empty() || start[0] != 0 || start.back() >= first.size() - 1) refuse("machines without states");
    if (!numbers_all(phases, roles.size(), machines.size() - 1) ||
        !numbers_all(machines, machines.size() - 1, start.size()))
      refuse("roles without machines");
    for (const auto& s : steps) {
      if (s.peer >= roles.size() || s.next >= first.size() - 1 || (s.type >= types.size() && s.type != anything)) {
        refuse("a step with numbers that nothing has");
      }
    }
  }
};

/// Machines, and where they are, in words: "here", "there".
struct placed_machines {
  const role_machines& all;
  const char* where;
};

/// Whether a role that follows its machine of `one` will do among roles that follow those of `other`: whatever it does,
/// it may do there; it takes all that may come to it there; and it acts where it has to.
class stand_in {
public:
  stand_in(placed_machines one, placed_machines other, std::string role)
      : one_(one), other_(other), role_(std::move(role)) {}

  /// @return why not, in words; empty: it will
  std::string why_not() {
    const auto in_one = role_machines::find(one_.all.roles, role_);
    const auto in_other = role_machines::find(other_.all.roles, role_);
    if (in_one == anything) return role_ + " is a role " + other_.where + ", and not " + one_.where;
    if (in_other == anything) return role_ + " is a role " + one_.where + ", and not " + other_.where;
    compare_rooms(in_one);
    if (!why_.empty()) return why_;
    const auto twins = machine_by_machine(in_one, in_other);
    for (const auto& [o, r] : twins) {
      compare_all({{o}, {one_.all.start[o]}}, {{r}, {other_.all.start[r]}});
      if (!why_.empty()) return why_;
    }
    if (twins.empty()) compare_all(start_of(one_, in_one), start_of(other_, in_other));
    return why_;
  }

private:
  using step = role_machines::step;

  // Where the role is in some of its machines that are beside each other, and what comes behind them.
  struct position {
    std::vector<std::uint32_t> machines;
    std::vector<std::uint32_t> states;
    std::uint32_t next_phase = 0;
    std::uint32_t end_of_phases = 0;  // the same: nothing comes behind
    auto operator<=>(const position&) const = default;
  };
  struct way {
    std::size_t machine;  // by place in the position
    const step* taken;
  };

  static position start_of(placed_machines in, std::uint32_t role) {
    position result{{}, {}, in.all.phases[role], in.all.phases[role + std::size_t{1}]};
    go_on_if_finished(in, result);
    return result;
  }
  static void go_on_if_finished(placed_machines in, position& at) {
    while (at.next_phase != at.end_of_phases && is_finished(in, at)) {
      at.machines.clear();
      at.states.clear();
      const auto end = in.all.machines[at.next_phase + std::size_t{1}];
      for (auto m = in.all.machines[at.next_phase]; m != end; ++m) {
        at.machines.push_back(m);
        at.states.push_back(in.all.start[m]);
      }
      ++at.next_phase;
    }
  }
  static bool is_finished(placed_machines in, const position& at) {
    return std::all_of(at.states.begin(), at.states.end(), [&](auto s) { return in.all.begin(s) == in.all.end(s); });
  }
  static position after(placed_machines in, position at, const way& w) {
    at.states[w.machine] = w.taken->next;
    go_on_if_finished(in, at);
    return at;
  }

  // If both have as many machines, beside each other and one after the other, and what the role does with somebody it
  // does in corresponding ones, it is enough that one of each stands in for the other: those beside it neither help it
  // nor are in its way, and both come to their ends together. Empty: it is not so.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> machine_by_machine(std::uint32_t in_one,
                                                                          std::uint32_t in_other) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
    const auto phase = one_.all.phases[in_one];
    const auto phases = one_.all.phases[in_one + std::size_t{1}] - phase;
    const auto phase_there = other_.all.phases[in_other];
    if (other_.all.phases[in_other + std::size_t{1}] - phase_there != phases) return {};
    for (std::uint32_t p = 0; p < phases; ++p) {
      const auto here = by_partners(one_, phase + p);
      const auto there = by_partners(other_, phase_there + p);
      if (!here || !there || here->size() != there->size()) return {};
      for (const auto& [with, machine] : *here) {
        const auto twin = there->find(with);
        if (twin == there->end()) return {};
        result.emplace_back(machine, twin->second);
      }
    }
    return result;
  }
  // Whom a machine receives from (true), and does something else with.
  using partners = std::set<std::pair<bool, std::string>>;
  // The machines of a phase; one alone as without partners, for whatever is done is done in it. Nothing: two have some
  // in common.
  static std::optional<std::map<partners, std::uint32_t>> by_partners(placed_machines in, std::uint32_t phase) {
    std::map<partners, std::uint32_t> result;
    const auto first = in.all.machines[phase];
    const auto end = in.all.machines[phase + std::size_t{1}];
    if (end - first == 1) return std::map<partners, std::uint32_t>{{{}, first}};
    partners known;
    for (auto m = first; m != end; ++m) {
      partners of_machine;
      for (auto i = in.all.first[in.all.start[m]]; i != in.all.first[in.all.end_of(m)]; ++i) {
        const auto& s = in.all.steps[i];
        of_machine.emplace(s.what == kind::receive, in.all.roles[s.peer]);
      }
      for (const auto& p : of_machine) {
        if (!known.insert(p).second) return std::nullopt;
      }
      result.emplace(std::move(of_machine), m);
    }
    if (result.size() != end - first) return std::nullopt;
    return result;
  }

  void compare_all(const position& one, const position& other) {
    constexpr std::size_t most = 1'000'000;  // pairs of positions
    known_.clear();
    open_.clear();
    add(one, other);
    while (!open_.empty() && why_.empty()) {
      const auto at = open_.back();
      open_.pop_back();
      compare(at->first, at->second);
      if (known_.size() > most) why_ = "the machines of " + role_ + " are too large to be compared";
    }
  }
  void add(position one, position other) {
    const auto [place, is_new] = known_.emplace(std::move(one), std::move(other));
    if (is_new) open_.push_back(place);
  }

  // Of what the role sends, and is sent: a send waits for room, and who sends more than there is room for is thought to
  // break the rules.
  void compare_rooms(std::uint32_t self) {
    for (const auto& [ends, room] : one_.all.rooms) {
      const auto [from, to] = ends;
      if (from != self && to != self) continue;
      const auto same = other_.all.rooms.find({role_machines::find(other_.all.roles, one_.all.roles[from]),
                                               role_machines::find(other_.all.roles, one_.all.roles[to])});
      if (same == other_.all.rooms.end() || same->second == room) continue;
      const auto words = [](std::uint32_t n) { return n == 0 ? "any number of messages" : std::to_string(n); };
      why_ = "from " + one_.all.roles[from] + " to " + one_.all.roles[to] + " there is room for " + words(room) + " " +
             one_.where + ", and for " + words(same->second) + " " + other_.where;
      return;
    }
  }

  void compare(const position& one, const position& other) {
    bool acts = false;
    const step* acts_there = nullptr;
    for (const auto& w : ways_from(one_, one)) {
      const auto same = find(one_, *w.taken, other_, other);
      if (same.taken != nullptr) add(after(one_, one, w), after(other_, other, same));
      if (w.taken->what == kind::receive) continue;  // of what never comes
      acts = true;
      if (same.taken == nullptr) {
        return say(one_, *w.taken, " is allowed " + std::string(one_.where), "it is not " + std::string(other_.where));
      }
    }
    for (const auto& w : ways_from(other_, other)) {
      if (w.taken->what != kind::receive) {
        acts_there = w.taken;
      } else if (find(other_, *w.taken, one_, one).taken == nullptr) {
        return say(other_, *w.taken, " is expected " + std::string(other_.where),
                   "it is not " + std::string(one_.where));
      }
    }
    if (acts_there != nullptr && !acts) {
      return say(other_, *acts_there, " is allowed " + std::string(other_.where),
                 "nothing is " + std::string(one_.where));
    }
    if (is_finished(other_, other) && !is_finished(one_, one)) {
      say(one_, *ways_from(one_, one)[0].taken, " is expected " + std::string(one_.where),
          role_ + " has finished " + std::string(other_.where));
    }
  }

  static std::vector<way> ways_from(placed_machines in, const position& at) {
    std::vector<way> result;
    for (std::size_t m = 0; m < at.states.size(); ++m) {
      for (const auto* s = in.all.begin(at.states[m]); s != in.all.end(at.states[m]); ++s) result.push_back({m, s});
    }
    return result;
  }
  // The step from there that is the same, by names; or none.
  static way find(placed_machines from, const step& what, placed_machines in, const position& at) {
    for (const auto& w : ways_from(in, at)) {
      const auto& s = *w.taken;
      if (s.what != what.what || s.mark != what.mark || in.all.roles[s.peer] != from.all.roles[what.peer]) continue;
      if (type_of(from, what) == type_of(in, s)) return w;
    }
    return {0, nullptr};
  }
  static std::string_view type_of(placed_machines in, const step& what) {
    return what.type == anything ? std::string_view() : std::string_view(in.all.types[what.type]);
  }

  // "`a SEND New TO b` (shop.dcj:7) is allowed there, and it is not here"
  void say(placed_machines in, const step& what, const std::string& but, const std::string& yet) {
    const bool receives = what.what == kind::receive;
    why_ = "`" + role_ + (receives ? " RECV " : what.what == kind::close ? " CLOSE " : " SEND ");
    why_ += what.what == kind::close ? std::string() : std::string(type_of(in, what)) + (receives ? " FROM " : " TO ");
    why_ += in.all.roles[what.peer] + "` (" + in.all.definition + ":" + std::to_string(what.line) + ")" + but +
            ", and " + yet;
  }

  placed_machines one_;
  placed_machines other_;
  std::string role_;
  std::set<std::pair<position, position>> known_;  // in which it can be
  std::vector<std::set<std::pair<position, position>>::const_iterator> open_;
  std::string why_;
};

/// What one side of a connection knows of the other one, whose module is of another definition.
struct other_version {
  role_machines there;
  bool rules = false;                ///< it is by the other side's definition that this side's roles are to play
  std::vector<std::uint32_t> roles;  ///< by its numbers: ours, or `anything`
  std::vector<std::uint32_t> types;
};

}  // namespace harrier::runtime
