#pragma once

// Two processes whose modules were generated from two definitions of a session: whether roles of the one can play with
// roles of the other. docs/transport.md, "An older and a newer definition", says when.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
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
  std::vector<std::uint32_t> start;  ///< by role, the first of its states
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
    if (!bounds.empty()) out(bounds);
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
  /// One more than the last of a role's states.
  [[nodiscard]] std::uint32_t end_of(std::uint32_t role) const {
    return role + 1 == start.size() ? static_cast<std::uint32_t>(first.size() - 1) : start[role + 1];
  }

private:
  template <class Look>
  void for_each_send(const Look& look) const {
    for (std::uint32_t r = 0; r < start.size(); ++r) {
      for (auto i = first[start[r]]; i < first[end_of(r)]; ++i) {
        if (steps[i].what == kind::send) look(r, i);
      }
    }
  }

  [[noreturn]] static void refuse(const char* why) {
    words text;
    throw wire::malformed(text << "its machines are none: " << why);
  }
  void refuse_what_is_out_of_range() const {
    const bool is_sorted = std::is_sorted(first.begin(), first.end()) && std::is_sorted(start.begin(), start.end());
    if (first.size() < 2 || first[0] != 0 || first.back() != steps.size() || !is_sorted) refuse("states without steps");
    constexpr std::size_t most_roles = 10'000;
    if (roles.size() > most_roles) refuse("so many roles are in no session");
    if (start.empty() || start.size() != roles.size() || start[0] != 0 || start.back() >= first.size() - 1) {
      refuse("roles without states");
    }
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
    constexpr std::size_t most = 1'000'000;  // pairs of states
    add(one_.all.start[in_one], other_.all.start[in_other]);
    while (!open_.empty() && why_.empty()) {
      const auto [o, r] = open_.back();
      open_.pop_back();
      compare(o, r);
      if (known_.size() > most) why_ = "the machines of " + role_ + " are too large to be compared";
    }
    return why_;
  }

private:
  using step = role_machines::step;

  void add(std::uint32_t one, std::uint32_t other) {
    if (known_.emplace(one, other).second) open_.emplace_back(one, other);
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

  void compare(std::uint32_t one, std::uint32_t other) {
    bool acts = false;
    const step* acts_there = nullptr;
    for (const auto* s = one_.all.begin(one); s != one_.all.end(one); ++s) {
      const auto* same = find(one_, *s, other_, other);
      if (same != nullptr) add(s->next, same->next);
      if (s->what == kind::receive) continue;  // of what never comes
      acts = true;
      if (same == nullptr) {
        return say(one_, *s, " is allowed " + std::string(one_.where), "it is not " + std::string(other_.where));
      }
    }
    for (const auto* s = other_.all.begin(other); s != other_.all.end(other); ++s) {
      if (s->what != kind::receive) acts_there = s;
      if (s->what == kind::receive && find(other_, *s, one_, one) == nullptr) {
        return say(other_, *s, " is expected " + std::string(other_.where), "it is not " + std::string(one_.where));
      }
    }
    if (acts_there != nullptr && !acts) {
      return say(other_, *acts_there, " is allowed " + std::string(other_.where),
                 "nothing is " + std::string(one_.where));
    }
    if (other_.all.begin(other) == other_.all.end(other) && one_.all.begin(one) != one_.all.end(one)) {
      say(one_, *one_.all.begin(one), " is expected " + std::string(one_.where),
          role_ + " has finished " + std::string(other_.where));
    }
  }

  // The step of that state that is the same, by names.
  static const step* find(placed_machines from, const step& what, placed_machines in, std::uint32_t state) {
    for (const auto* s = in.all.begin(state); s != in.all.end(state); ++s) {
      if (s->what != what.what || s->mark != what.mark || in.all.roles[s->peer] != from.all.roles[what.peer]) continue;
      if (type_of(from, what) == type_of(in, *s)) return s;
    }
    return nullptr;
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
  std::set<std::pair<std::uint32_t, std::uint32_t>> known_;  // pairs of states in which it can be
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_;
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
