#pragma once

#include <harrier/native/compiler.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <harrier/core/specification.hpp>

namespace harrier {

/// An actor of class `Actor` that is alive, as it is now: what a predicate of a specification looks at. Valid while the
/// predicate is asked.
template <class Actor>
class view {
public:
  view(const states& of, actor_slot who) : state_(of.at<Actor>(who)), of_(&of), who_(who) {}

  const Actor& operator*() const { return *state_; }
  const Actor* operator->() const { return state_; }
  /// `server_0`.
  [[nodiscard]] std::string name() const { return of_->system().actor_name(who_); }
  [[nodiscard]] bool operator==(const view& other) const { return who_ == other.who_; }

private:
  const Actor* state_;
  const states* of_;
  actor_slot who_;
};

/// All actors of class `Actor` that are alive, in causal order (see states).
template <class Actor>
class views {
public:
  explicit views(const states& of) {
    for (const auto who : of.slots<Actor>()) all_.emplace_back(of, who);
  }

  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] const view<Actor>& operator[](std::size_t i) const { return all_[i]; }

private:
  std::vector<view<Actor>> all_;
};

namespace detail {

template <class T>
struct view_traits {
  static constexpr bool is_view = false;
  static constexpr bool is_views = false;
};
template <class Actor>
struct view_traits<view<Actor>> {
  using actor = Actor;
  static constexpr bool is_view = true;
  static constexpr bool is_views = false;
};
template <class Actor>
struct view_traits<views<Actor>> {
  using actor = Actor;
  static constexpr bool is_view = false;
  static constexpr bool is_views = true;
};

template <class T>
struct parameters_of_predicate {};
template <class T>
  requires requires { &T::operator(); }
struct parameters_of_predicate<T> : parameters_of_predicate<decltype(&T::operator())> {};
template <class Result, class... Parameters>
struct parameters_of_predicate<Result (*)(Parameters...)> {
  using type = std::tuple<std::remove_cvref_t<Parameters>...>;
  static constexpr bool gives_bool = std::is_same_v<Result, bool>;
};
template <class T, class Result, class... Parameters>
struct parameters_of_predicate<Result (T::*)(Parameters...) const>
    : parameters_of_predicate<Result (*)(Parameters...)> {};

template <class T>
concept has_parameters = requires {
  typename parameters_of_predicate<T>::type;
};

/// Asks a predicate of each choice of different actors for its views.
template <class Predicate, class Parameters>
class asked_of_all;
template <class Predicate, class... Parameters>
class asked_of_all<Predicate, std::tuple<Parameters...>> {
public:
  /// Whether what it looks at is one actor at a time.
  static constexpr bool is_of_one_actor = sizeof...(Parameters) == 1 && (view_traits<Parameters>::is_view && ...);

  static std::vector<const std::type_info*> looks_at() { return {&typeid(typename view_traits<Parameters>::actor)...}; }

  /// The choices of which it says what is wanted.
  static specification::tuples where(const Predicate& holds, bool wanted, const states& now) {
    specification::tuples found;
    std::vector<actor_slot> chosen;
    choose<Parameters...>(holds, wanted, now, chosen, found, std::tuple<>());
    return found;
  }

private:
  template <class... Left, class Given>
  static void choose(const Predicate& holds, bool wanted, const states& now, std::vector<actor_slot>& chosen,
                     specification::tuples& found, const Given& given) {
    if constexpr (sizeof...(Left) == 0) {
      if (std::apply(holds, given) == wanted) found.push_back(chosen);
    } else {
      choose_next<Left...>(holds, wanted, now, chosen, found, given);
    }
  }
  template <class Next, class... Left, class Given>
  static void choose_next(const Predicate& holds, bool wanted, const states& now, std::vector<actor_slot>& chosen,
                          specification::tuples& found, const Given& given) {
    using actor = typename view_traits<Next>::actor;
    const auto go_on = [&](auto next) {
      choose<Left...>(holds, wanted, now, chosen, found, std::tuple_cat(given, std::tuple(std::move(next))));
    };
    if constexpr (view_traits<Next>::is_views) {
      go_on(Next(now));
    } else {
      for (const auto who : now.slots<actor>()) {
        if (std::find(chosen.begin(), chosen.end(), who) != chosen.end()) continue;
        chosen.push_back(who);
        go_on(Next(now, who));
        chosen.pop_back();
      }
    }
  }
};

template <class Predicate>
consteval bool check_specification() {
  if constexpr (!has_parameters<Predicate>) {
    static_assert(
        has_parameters<Predicate>,
        "harrier: a specification takes a function, or a lambda without `auto` and `mutable`, whose parameters "
        "are views of actors: [](harrier::view<server> a, harrier::view<server> b) { ... }");
    return false;
  } else {
    using of = parameters_of_predicate<Predicate>;
    constexpr bool are_views = []<class... P>(std::tuple<P...>*) {
      return sizeof...(P) > 0 && ((view_traits<P>::is_view || view_traits<P>::is_views) && ...);
    }(static_cast<typename of::type*>(nullptr));
    static_assert(are_views,
                  "harrier: what a specification looks at is said by the parameters of its function: "
                  "harrier::view<server> is each server, harrier::views<server> all of them at once");
    static_assert(of::gives_bool, "harrier: the function of a specification returns bool");
    return are_views && of::gives_bool;
  }
}

template <class Predicate>
using asked = asked_of_all<Predicate, typename parameters_of_predicate<Predicate>::type>;

template <class Predicate>
specification made_of(specification::kind says, std::string name, Predicate holds, bool wanted) {
  specification made;
  made.says = says;
  made.name = std::move(name);
  if constexpr (check_specification<Predicate>()) {
    made.looks_at = asked<Predicate>::looks_at();
    made.is_of_one_actor = asked<Predicate>::is_of_one_actor;
    made.found = [holds, wanted](const states& now) { return asked<Predicate>::where(holds, wanted, now); };
  }
  return made;
}

}  // namespace detail

/// Holds in every configuration, of every choice of different actors that are alive for the parameters of `holds`:
/// those of type view<A> are each actor of class A in turn, those of type views<A> all of them at once. See
/// specified().
///
///     always("one leader in a term", [](view<node> a, view<node> b) {
///       return !(a->leads && b->leads && a->term == b->term);
///     })
///
/// With one view, and nothing else, it costs a question a step. With more, the steps of all actors of these classes are
/// dependent, but for those of const handlers, and all their orders are explored.
template <class Predicate>
specification always(std::string name, Predicate holds) {
  return detail::made_of(specification::kind::always, std::move(name), std::move(holds), false);
}

/// Holds in some configuration of some execution, of some such choice of actors. Whether it did is in the result
/// (exploration::points).
template <class Predicate>
specification sometimes(std::string name, Predicate holds) {
  return detail::made_of(specification::kind::sometimes, std::move(name), std::move(holds), true);
}

/// Holds at the end of every execution, of every such choice of actors.
template <class Predicate>
specification eventually(std::string name, Predicate holds) {
  return detail::made_of(specification::kind::eventually, std::move(name), std::move(holds), false);
}

/// Once `begun` holds of a choice of actors, `kept` holds of the same ones then, or later in that execution, if they
/// are alive at its end. Both have the same parameters. Costs what always() with several views costs.
template <class Predicate, class Promised>
specification leads_to(std::string name, Predicate begun, Promised kept) {
  auto made = detail::made_of(specification::kind::leads_to, std::move(name), std::move(begun), true);
  made.is_of_one_actor = false;
  if constexpr (detail::check_specification<Predicate>() && detail::check_specification<Promised>()) {
    static_assert(std::is_same_v<typename detail::parameters_of_predicate<Predicate>::type,
                                 typename detail::parameters_of_predicate<Promised>::type>,
                  "harrier: leads_to takes two functions with the same parameters: they are asked of the same actors");
    made.then = [kept](const states& now) { return detail::asked<Promised>::where(kept, true, now); };
  }
  return made;
}

}  // namespace harrier
