// Which parts of a session can be looked at one by one: branches of a `par` that have at most one role in common,
// without cycles, and what follows such a `par` or is before it. docs/protocols.md says why they can be projected so.
#include <harrier/protocol/parts.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "manner.hpp"

namespace harrier::protocol {
namespace {

using form = session_shape::form;

// Terms that stay together, or what they are taken apart into.
struct piece {
  form is = form::one;
  session_piece what;
  bool is_free = false;                      // each of the parts is a channel
  std::vector<session_piece::place> beside;  // of one that was made of branches of a `par`: these, or some of them
  std::vector<piece> parts;                  // none of one
  std::optional<explored_session> explored;  // of one, once that is known
  std::optional<internal::manner> manner;    // of one, if something asked

  explicit piece(const session_shape& shape) : is(shape.is), what{shape.places, true} {
    for (const auto& part : shape.parts) parts.emplace_back(part);
  }
  piece(std::vector<session_piece::place> places, bool is_sequence) : what{std::move(places), is_sequence} {}
};

// Components that are on one cycle of components and roles they have in common; none: there is no cycle. From each
// component the others are reached by roles, each in one way unless there is a cycle.
std::vector<std::size_t> cycle_of(const std::vector<std::set<std::string>>& roles) {
  constexpr auto none = static_cast<std::size_t>(-1);
  std::map<std::string, std::vector<std::size_t>> places;  // components, by role
  for (std::size_t c = 0; c < roles.size(); ++c) {
    for (const auto& role : roles[c]) places[role].push_back(c);
  }
  std::vector<std::size_t> before(roles.size(), none);  // the component from which it was reached
  std::vector<std::string> by(roles.size());            // and the role
  std::vector<bool> known(roles.size(), false);
  const auto way_to = [&](std::size_t c) {
    std::vector<std::size_t> way;
    for (; c != none; c = before[c]) way.push_back(c);
    return way;
  };
  std::set<std::string> passed;
  for (std::size_t start = 0; start < roles.size(); ++start) {
    if (known[start]) continue;
    known[start] = true;
    std::vector<std::size_t> queue{start};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto c = queue[i];
      for (const auto& role : roles[c]) {
        if (role == by[c] || !passed.insert(role).second) continue;
        for (const auto other : places[role]) {
          if (other == c) continue;
          if (!known[other]) {
            known[other] = true;
            before[other] = c;
            by[other] = role;
            queue.push_back(other);
            continue;
          }
          auto one = way_to(c);
          auto two = way_to(other);
          auto met = none;
          while (!one.empty() && !two.empty() && one.back() == two.back()) {
            met = one.back();
            one.pop_back();
            two.pop_back();
          }
          // Where both ways leave it by one role, the cycle goes through the role and not through the component.
          if (one.empty() || two.empty() || by[one.back()] != by[two.back()]) one.push_back(met);
          one.insert(one.end(), two.begin(), two.end());
          std::sort(one.begin(), one.end());
          return one;
        }
      }
    }
  }
  return {};
}

std::set<std::string> roles_of(const explored_session& session) {
  const auto& names = session.terms->names();
  std::set<std::string> result(names.roles().begin(), names.roles().end());
  // A name for each channel from a role to itself: two components with one have two things in common.
  for (const auto& a : names.actions()) {
    if (a.from == a.to) result.insert(names.roles()[a.from] + " to itself");
  }
  return result;
}

template <class Look>
void for_each_one(piece& p, Look&& look) {
  if (p.is == form::one) look(p);
  for (auto& part : p.parts) for_each_one(part, look);
}

class taking_apart {
public:
  taking_apart(const std::shared_ptr<const specification>& definitions, std::string_view session,
               const std::vector<value>& arguments, std::size_t max_states, const std::function<bool()>& enough)
      : definitions_(definitions),
        session_(session),
        arguments_(arguments),
        max_states_(max_states),
        enough_(enough),
        whole_(definitions, session, arguments) {}

  session_parts run() {
    piece whole(whole_.shape());
    session_parts result;
    result.complete = resolve(whole);
    if (result.complete) {
      result.order = arranged(whole, result);
    } else {
      for_each_one(whole, [&](piece& p) {
        if (p.explored) result.parts.push_back(std::move(*p.explored));
      });
      result.instead.resize(result.parts.size());
      result.order = beside_each_other(result.parts.size());
    }
    return result;
  }

private:
  // Of these functions false says that a limit was reached.

  bool resolve(piece& p) {
    if (p.is == form::sequence) return resolve_sequence(p);
    return p.is == form::parallel ? resolve_parallel(p) : explore(p);
  }

  bool explore(piece& p) {
    if (p.explored) return p.explored->graph.complete();
    if (max_states_ != 0 && states_ >= max_states_) return false;
    const auto left = max_states_ == 0 ? 0 : max_states_ - states_;
    p.explored = explore_session(std::make_unique<lts>(definitions_, session_, arguments_, p.what), left, enough_);
    states_ += p.explored->graph.states();
    if (!p.explored->graph.complete()) return false;
    p.explored->terms->forget_states();
    return true;
  }

  bool make_one(piece& p, session_piece what) {
    forget(p);
    p.is = form::one;
    p.parts.clear();
    p.what = std::move(what);
    return explore(p);
  }

  void forget(piece& p) {
    for_each_one(p, [&](piece& one) {
      if (one.explored) states_ -= one.explored->graph.states();
      one.explored.reset();
      one.manner.reset();
    });
  }

  // --- what follows each other

  bool resolve_sequence(piece& p) {
    for (auto& part : p.parts) {
      if (!resolve(part)) return false;
    }
    if (is_of_ones(p)) return make_one(p, p.what);
    std::set<internal::manner::message> sent;  // by what follows
    add_sent(p.parts.back(), sent);
    for (auto i = p.parts.size() - 1; i-- > 0;) {
      const auto apart = may_be_followed(p.parts[i], sent);
      if (!apart) return false;
      add_sent(p.parts[i], sent);
      if (!*apart && !join_from(p, i)) return false;
    }
    return !is_of_ones(p) || make_one(p, p.what);
  }

  // Nothing is beside each other in it.
  static bool is_of_ones(const piece& p) {
    return std::all_of(p.parts.begin(), p.parts.end(), [](const piece& part) { return part.is == form::one; });
  }

  // The part of this number and all that follow become one.
  bool join_from(piece& p, std::size_t first) {
    piece joined({}, true);
    for (auto i = first; i < p.parts.size(); ++i) {
      const auto& places = p.parts[i].what.places;
      joined.what.places.insert(joined.what.places.end(), places.begin(), places.end());
      forget(p.parts[i]);
    }
    p.parts.erase(p.parts.begin() + static_cast<std::ptrdiff_t>(first), p.parts.end());
    p.parts.push_back(std::move(joined));
    return is_of_ones(p) || explore(p.parts.back());
  }

  static void add_sent(piece& p, std::set<internal::manner::message>& sent) {
    for_each_one(p, [&](piece& one) { sent.merge(internal::messages_of(*one.explored)); });
  }

  // Nothing: it was said that it is enough.
  std::optional<bool> may_be_followed(piece& p, const std::set<internal::manner::message>& sent) {
    bool result = true;
    bool stopped = false;
    for_each_one(p, [&](piece& one) {
      if (!result || stopped) return;
      if (!one.manner) one.manner = internal::manner_of(*one.explored, enough_);
      stopped = !one.manner;
      result = !stopped && one.manner->may_be_followed(sent);
    });
    if (stopped) return std::nullopt;
    return result;
  }

  // --- what is beside each other

  bool resolve_parallel(piece& p) {
    if (p.is_free) {
      return std::all_of(p.parts.begin(), p.parts.end(), [this](piece& channel) { return explore(channel); });
    }
    put_channels_together(p);
    join_by(p, [this](piece& part) {
      std::set<std::string> roles;
      for (const auto& place : part.what.places) {
        for (const auto role : whole_.first_roles(place)) roles.insert(whole_.names().roles()[role]);
      }
      return roles;
    });
    do {
      if (p.parts.size() == 1 && p.parts[0].is_free) {
        p.is_free = true;
        p.parts = std::vector<piece>(std::move(p.parts[0].parts));
        return resolve_parallel(p);
      }
      if (p.parts.size() == 1) {
        p.beside = std::move(p.parts[0].beside);
        return make_one(p, p.what);
      }
      for (auto& part : p.parts) {
        if (!resolve(part)) return false;
      }
    } while (join_by(p, [](piece& part) {
      std::set<std::string> roles;
      for_each_one(part, [&](piece& one) { roles.merge(roles_of(*one.explored)); });
      return roles;
    }));
    return true;
  }

  // Channels, of which no two are between the same roles in the same direction, are one part of parts that may have
  // any roles in common.
  void put_channels_together(piece& p) {
    std::set<std::pair<role_id, role_id>> known;
    std::vector<bool> is_channel;
    for (const auto& part : p.parts) {
      const auto ends = part.is == form::one ? whole_.channel_at(part.what.places[0]) : std::nullopt;
      is_channel.push_back(ends && known.insert(*ends).second);
    }
    if (known.size() < 2) return;
    piece together({}, false);
    together.is = form::parallel;
    together.is_free = true;
    std::vector<piece> others;
    std::size_t place = 0;  // that of the first channel
    for (std::size_t i = 0; i < p.parts.size(); ++i) {
      if (is_channel[i]) {
        together.what.places.push_back(p.parts[i].what.places[0]);
        together.parts.push_back(std::move(p.parts[i]));
        continue;
      }
      place += together.parts.empty() ? 1 : 0;
      others.push_back(std::move(p.parts[i]));
    }
    p.parts = std::move(others);
    p.parts.insert(p.parts.begin() + static_cast<std::ptrdiff_t>(place), std::move(together));
  }

  // Makes parts one until no two are connected in two ways by roles they have in common, be it through other parts.
  // Whether there were some.
  template <class Naming>
  bool join_by(piece& p, const Naming& roles_in) {
    std::vector<std::set<std::string>> roles;
    for (auto& part : p.parts) roles.push_back(roles_in(part));
    const auto before = p.parts.size();
    for (auto cycle = cycle_of(roles); !cycle.empty(); cycle = cycle_of(roles)) {
      piece joined(p.parts[cycle[0]].what.places, false);
      joined.beside = branches_in(p.parts[cycle[0]]);
      forget(p.parts[cycle[0]]);
      for (std::size_t i = cycle.size(); --i > 0;) {  // the last ones first: others keep their places
        const auto place = static_cast<std::ptrdiff_t>(cycle[i]);
        const auto& more = p.parts[cycle[i]].what.places;
        joined.what.places.insert(joined.what.places.end(), more.begin(), more.end());
        const auto branches = branches_in(p.parts[cycle[i]]);
        joined.beside.insert(joined.beside.end(), branches.begin(), branches.end());
        roles[cycle[0]].merge(roles[cycle[i]]);
        forget(p.parts[cycle[i]]);
        p.parts.erase(p.parts.begin() + place);
        roles.erase(roles.begin() + place);
      }
      std::sort(joined.what.places.begin(), joined.what.places.end());
      p.parts[cycle[0]] = std::move(joined);
    }
    return p.parts.size() < before;
  }

  static const std::vector<session_piece::place>& branches_in(const piece& part) {
    return part.beside.empty() ? part.what.places : part.beside;
  }

  // --- what could be channels

  // Between whom messages go in this one branch, if they go one after the other and in one direction.
  std::optional<std::pair<std::string, std::string>> stream_in(const session_piece::place& place) const {
    constexpr std::size_t few = 1'000;  // states
    const auto branch = explore_session(
        std::make_unique<lts>(definitions_, session_, arguments_, session_piece{{place}}), few, enough_);
    const auto& names = branch.terms->names();
    const auto& actions = names.actions();
    if (!branch.graph.complete() || actions.empty()) return std::nullopt;
    const auto goes_with_the_first = [&](const action& a) {
      return (a.kind == action_kind::send || a.kind == action_kind::receive) && a.from == actions[0].from &&
             a.to == actions[0].to;
    };
    if (!std::all_of(actions.begin(), actions.end(), goes_with_the_first)) return std::nullopt;
    for (state_id s = 0; s < branch.graph.states(); ++s) {
      const auto steps = branch.graph.steps[s];
      const auto receives = [&](const transition& t) { return actions[t.action].kind == action_kind::receive; };
      if (steps.size() > 1 && std::any_of(steps.begin(), steps.end(), receives)) return std::nullopt;
    }
    return std::pair(names.roles()[actions[0].from], names.roles()[actions[0].to]);
  }

  // All branches of a part that was made of some, as channels, if they could be.
  std::string as_channels(const piece& p) {
    constexpr std::size_t most_branches = 16;
    constexpr std::size_t capacity = 4;
    if (p.beside.size() < 2 || p.beside.size() > most_branches) return {};
    auto places = p.beside;
    std::sort(places.begin(), places.end());
    std::set<std::pair<std::string, std::string>> known;
    std::string text;
    for (const auto& place : places) {
      if (whole_.channel_at(place)) return {};
      const auto ends = stream_in(place);
      const auto channel = ends ? whole_.as_channel(place, capacity) : std::string();
      if (channel.empty() || !known.insert(*ends).second) return {};
      text += " " + channel;
    }
    return "(s/par" + text + ")";
  }

  // --- the result

  arrangement arranged(piece& p, session_parts& whole) {
    arrangement result;
    if (p.is == form::one) {
      result.part = whole.parts.size();
      whole.parts.push_back(std::move(*p.explored));
      whole.instead.push_back(as_channels(p));
      return result;
    }
    result.is = p.is == form::sequence ? arrangement::form::sequence : arrangement::form::parallel;
    for (auto& part : p.parts) result.of.push_back(arranged(part, whole));
    return result;
  }

  static arrangement beside_each_other(std::size_t parts) {
    arrangement result;
    if (parts < 2) return result;
    result.is = arrangement::form::parallel;
    for (std::size_t i = 0; i < parts; ++i) result.of.push_back({arrangement::form::one, i, {}});
    return result;
  }

  const std::shared_ptr<const specification>& definitions_;
  std::string_view session_;
  const std::vector<value>& arguments_;
  std::size_t max_states_;
  const std::function<bool()>& enough_;
  lts whole_;
  std::size_t states_ = 0;  // of all that is explored
};

}  // namespace

session_parts explore_parts(const std::shared_ptr<const specification>& definitions, std::string_view session,
                            const std::vector<value>& arguments, std::size_t max_states,
                            const std::function<bool()>& enough) {
  auto result = taking_apart(definitions, session, arguments, max_states, enough).run();
  result.names = internal::names_of(result);
  return result;
}

}  // namespace harrier::protocol
