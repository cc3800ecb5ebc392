#pragma once

#include <harrier/native/compiler.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include <harrier/core/specification.hpp>
#include <harrier/native/handler.hpp>
#include <harrier/native/placing.hpp>
#include <harrier/native/value_printer.hpp>

/// Operations that clients record, and whether a sequential object could have done them one after the other. A program
/// of which that is to hold is made by specified(), as with other specifications.
namespace harrier {

namespace detail {

template <class Result>
using kept_result = std::conditional_t<std::is_void_v<Result>, std::monostate, Result>;

/// One operation of a history, and what it returned, if it has.
template <auto Operation>
struct recorded_call {
  using kept = kept_result<typename traits<Operation>::result>;
  typename traits<Operation>::parameters::values arguments;
  std::optional<kept> result;
};

template <auto First, auto...>
struct object_of {
  using type = typename traits<First>::actor;
};

template <auto Operation>
concept is_operation =
    traits<Operation>::is_handler && !traits<Operation>::takes_self && !traits<Operation>::suspends &&
    std::equality_comparable<kept_result<typename traits<Operation>::result>>;

/// Operation of an object that has different parts for different first arguments.
template <class Object>
constexpr bool has_parts = requires {
  requires static_cast<bool>(Object::parts_by_first_argument);
};

}  // namespace detail

/// What one client did with an object: a field of an actor, in which it records each operation when it begins it, and
/// when it knows what it returned. The object is a plain copyable struct, and its operations are member functions of
/// it, which do one at a time what the system under test is to do at once:
///
///     struct cell {
///       int value = 0;
///       void write(int v) { value = v; }
///       int read() const { return value; }
///     };
///
///     struct client {
///       harrier::ref<server> store;
///       harrier::history<&cell::write, &cell::read> did;
///       harrier::task start(harrier::self& self) {
///         did.invoke<&cell::read>();
///         did.returned(co_await self.call<&server::get>(store));
///       }
///     };
///
/// An actor has one operation at a time in it. It is a value like others: copied, hashed, compared and shown, and lost
/// in a crash unless the field is persistent.
///
/// The fields are public since it is an aggregate; only look at them.
template <auto... Operations>
struct history {
  static_assert(sizeof...(Operations) > 0 && (detail::is_operation<Operations> && ...),
                "harrier: the operations of a history are member functions of its sequential object, without "
                "harrier::self&, and what they return can be compared: history<&cell::write, &cell::read>");

  using object = typename detail::object_of<Operations...>::type;
  static_assert((std::is_same_v<typename detail::traits<Operations>::actor, object> && ...),
                "harrier: the operations of a history are those of one class");

  /// Oldest first.
  std::vector<std::variant<detail::recorded_call<Operations>...>> operations = {};
  /// The last one has not returned.
  bool is_pending = false;

  /// The actor begins that operation: what it does for it follows. @throws error if another one is pending
  template <auto Operation, class... Arguments>
  void invoke(Arguments&&... arguments) {
    using call = detail::recorded_call<Operation>;
    static_assert((std::is_same_v<call, detail::recorded_call<Operations>> || ...),
                  "harrier: this is none of the operations of the history");
    if (is_pending) detail::misrecorded("an operation is invoked while another one of the same history is pending");
    operations.emplace_back(
        std::in_place_type<call>,
        call{typename detail::traits<Operation>::parameters::values(std::forward<Arguments>(arguments)...),
             std::nullopt});
    is_pending = true;
  }
  /// The pending operation, one that returns nothing, has returned. @throws error if there is none such
  void returned() { returned(std::monostate()); }
  /// The pending operation has returned that. @throws error if there is none, or if it returns something else
  template <class Result>
  void returned(Result&& what) {
    static_assert((std::is_convertible_v<Result, typename detail::recorded_call<Operations>::kept> || ...),
                  "harrier: no operation of the history returns a value of this type");
    if (!is_pending) detail::misrecorded("an operation returns, and none is pending");
    std::visit(
        [&](auto& call) {
          if constexpr (std::is_convertible_v<Result, typename std::remove_reference_t<decltype(call)>::kept>)
            call.result.emplace(std::forward<Result>(what));
          else
            detail::misrecorded("an operation returns a value of another type than that of the pending one");
        },
        operations.back());
    is_pending = false;
  }
  /// The actor will never know whether the pending operation was done, and goes on with others: it may have been, or
  /// will be, at any time. @throws error if there is none
  void give_up() {
    if (!is_pending) detail::misrecorded("an operation is given up, and none is pending");
    is_pending = false;
  }
};

namespace detail {

template <class T>
constexpr bool is_history = false;
template <auto... Operations>
constexpr bool is_history<history<Operations...>> = true;

template <class Field>
const auto& history_in(const Field& field) {
  if constexpr (is_tracked<Field>)
    return field.untold();
  else
    return field;
}
template <class Field>
using history_type = std::remove_cvref_t<decltype(history_in(std::declval<const Field&>()))>;

template <class History>
recorded_events events_of(const History& recorded) {
  recorded_events all{recorded.operations.size(), 0};
  for (const auto& o : recorded.operations)
    all.returned += std::visit([](const auto& call) { return call.result.has_value(); }, o) ? 1 : 0;
  return all;
}

/// All operations that several actors recorded, and what is to hold of them.
template <class History>
class judged_history {
public:
  using object = typename History::object;

  /// @param in_time  whether one that returned before another one was invoked comes before it
  judged_history(const object& initial, bool in_time, std::size_t tries)
      : initial_(initial), in_time_(in_time), tries_(tries) {}

  /// Adds those that `by` recorded; the recordings are those of all actors, oldest first.
  void add(actor_slot by, const History& recorded, const std::vector<recording>& all) {
    std::size_t returned = 0;
    recorded_events known;
    for (const auto& r : all)
      if (r.by == by) known = r.in_all;
    for (std::size_t i = 0; i < known.invoked; ++i) {
      const auto& call = recorded.operations[i];
      one added{&call, by, i, when(all, by, &recorded_events::invoked, i), std::nullopt};
      const bool has_result = std::visit([](const auto& c) { return c.result.has_value(); }, call);
      if (has_result && returned < known.returned)
        added.returned = when(all, by, &recorded_events::returned, returned++);
      ops_.push_back(added);
    }
  }

  /// By parts of the object, where these are said to be independent and it is in time: sequential consistency is not
  /// that of the parts.
  history_verdict judge(const states& now, const std::string& name) {
    for (const auto& ops : parts()) {
      const auto found = can_be_placed(ops, std::vector<bool>(ops.size()), ops.size());
      if (found == placed::undecided)
        return {.undecided = "histories of '" + name + "' that take more than " + std::to_string(tries_) +
                             " tries to put in order"};
      if (found == placed::no) return {.broken = told(ops, now, name)};
    }
    return {};
  }

private:
  struct one {
    const typename decltype(History::operations)::value_type* call;
    actor_slot by;
    std::size_t number;  // of by
    std::size_t invoked;
    std::optional<std::size_t> returned;
  };
  using part = std::vector<one>;

  static std::size_t when(const std::vector<recording>& all, actor_slot by, std::size_t recorded_events::*which,
                          std::size_t number) {
    for (const auto& r : all)
      if (r.by == by && r.in_all.*which > number) return r.after;
    return 0;
  }

  [[nodiscard]] std::vector<part> parts() const {
    if constexpr (has_parts<object>)
      if (in_time_) {
        std::map<std::string, part> by_key;
        for (const auto& o : ops_) by_key[first_argument(o)].push_back(o);
        std::vector<part> all;
        for (auto& [key, ops] : by_key) all.push_back(std::move(ops));
        return all;
      }
    return {ops_};
  }
  static std::string first_argument(const one& o) {
    value_bytes bytes;
    std::visit(
        [&](const auto& call) {
          static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(call.arguments)>> > 0,
                        "harrier: an object with parts_by_first_argument has operations with arguments, the first of "
                        "which is of one type");
          write_value(std::get<0>(call.arguments), bytes);
        },
        *o.call);
    return bytes.take();
  }

  [[nodiscard]] bool comes_before(const one& a, const one& b) const {
    if (!a.returned) return false;
    return a.by == b.by ? a.number < b.number : in_time_ && *a.returned < b.invoked;
  }
  /// @param of_any_result  which one may return anything but that; as many as there are: none
  placed can_be_placed(const part& ops, const std::vector<bool>& free, std::size_t of_any_result,
                       std::vector<std::string>* but = nullptr, std::string* instead = nullptr) const {
    std::vector<to_place> all(ops.size());
    for (std::size_t i = 0; i < ops.size(); ++i) {
      all[i].must = ops[i].returned && !free[i];
      if (free[i]) continue;
      for (std::size_t j = 0; j < ops.size(); ++j)
        if (!free[j] && comes_before(ops[j], ops[i])) all[i].after.push_back(j);
    }
    const auto one_step = [&](object& o, std::size_t i) {
      if (i == of_any_result) {
        const auto answer = answer_of(o, ops[i]);
        if (but == nullptr || std::find(but->begin(), but->end(), answer) != but->end()) return but == nullptr;
        if (instead != nullptr) *instead = answer;
        return true;
      }
      return does(o, ops[i], all[i].must);
    };
    auto tries = tries_;
    return placing(all, initial_, one_step).look(tries);
  }
  /// Whether `o` returns what was recorded, or that does not matter.
  static bool does(object& o, const one& op, bool must) {
    return std::visit(
        [&]<auto Operation>(const recorded_call<Operation>& call) {
          return std::apply(
              [&](const auto&... arguments) {
                if constexpr (std::is_void_v<typename traits<Operation>::result>) {
                  (o.*Operation)(arguments...);
                  return true;
                } else {
                  const auto answer = (o.*Operation)(arguments...);
                  return !must || answer == *call.result;
                }
              },
              call.arguments);
        },
        *op.call);
  }
  static std::string answer_of(object& o, const one& op) {
    value_printer print;
    std::visit(
        [&]<auto Operation>(const recorded_call<Operation>& call) {
          std::apply(
              [&](const auto&... arguments) {
                if constexpr (std::is_void_v<typename traits<Operation>::result>)
                  (o.*Operation)(arguments...);
                else
                  print.add((o.*Operation)(arguments...));
              },
              call.arguments);
        },
        *op.call);
    return print.take();
  }

  /// The one that returned last is what made it wrong, if it was looked at all the time; else one of the last that
  /// could have returned something else.
  [[nodiscard]] std::size_t culprit_of(const part& ops, const std::vector<bool>& free) const {
    std::vector<std::size_t> order;
    for (std::size_t i = ops.size(); i-- > 0;)
      if (!free[i] && ops[i].returned) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return *ops[a].returned > *ops[b].returned; });
    for (const auto i : order)
      if (can_be_placed(ops, free, i) == placed::yes) return i;
    return ops.size();
  }

  /// What only looks is left out rather than what changes something, what came early rather than what came late, and
  /// the last one that returned not at all.
  static std::vector<std::size_t> in_turn(const part& ops) {
    const auto is_const = [](const one& o) {
      return std::visit(
          []<auto Operation>(const recorded_call<Operation>&) { return traits<Operation>::is_const; }, *o.call);
    };
    const auto returned = [&](std::size_t i) { return ops[i].returned.value_or(0); };
    std::vector<std::size_t> all(ops.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return returned(a) < returned(b); });
    std::stable_partition(all.begin(), std::prev(all.end()), [&](std::size_t i) { return is_const(ops[i]); });
    return all;
  }

  record told(const part& ops, const states& now, const std::string& name) const {
    const auto free = free_of_blame(
        in_turn(ops), [&](const std::vector<bool>& some) { return can_be_placed(ops, some, ops.size()); });
    told_history all{.name = name,
                     .criterion = in_time_ ? "linearizable" : "sequentially consistent",
                     .is_in_time = in_time_,
                     .operations = {},
                     .culprit = culprit_of(ops, free)};
    for (std::size_t i = 0; i < ops.size(); ++i) all.operations.push_back(told_of(ops[i], now, free[i]));
    if (all.culprit < ops.size()) {
      // Of those that are shown alone, if they have an order by themselves.
      part shown;
      for (std::size_t i = 0; i < ops.size(); ++i)
        if (!free[i]) shown.push_back(ops[i]);
      const auto at = static_cast<std::size_t>(std::count(free.begin(), free.begin() + offset(all.culprit), false));
      add_answers(shown, std::vector<bool>(shown.size()), at, all);
      if (all.could_return.empty()) add_answers(ops, free, all.culprit, all);
    }
    return record_of(all);
  }
  static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }
  /// What operation `culprit` could return.
  void add_answers(const part& ops, const std::vector<bool>& free, std::size_t culprit, told_history& all) const {
    constexpr std::size_t most_answers = 3;
    for (;;) {
      std::string answer;
      if (can_be_placed(ops, free, culprit, &all.could_return, &answer) != placed::yes) return;
      if (all.could_return.size() == most_answers) {
        all.could_return_more = true;
        return;
      }
      all.could_return.push_back(std::move(answer));
    }
  }
  static told_operation told_of(const one& o, const states& now, bool is_free) {
    told_operation told{.by = now.system().actor_name(o.by),
                        .call = {},
                        .returned = {},
                        .invoked_after = o.invoked,
                        .returned_after = o.returned,
                        .is_free = is_free};
    std::visit(
        [&]<auto Operation>(const recorded_call<Operation>& call) {
          value_printer print(now.system());
          print.add(call.arguments);
          told.call = std::string(handler_name<Operation>()) + print.take();
          if constexpr (!std::is_void_v<typename traits<Operation>::result>)
            if (o.returned) {
              value_printer result(now.system());
              result.add(*call.result);
              told.returned = result.take();
            }
        },
        *o.call);
    return told;
  }

  const object& initial_;
  bool in_time_;
  std::size_t tries_;
  part ops_;
};

template <class History, class Visit, class... Client, class... Field>
void with_history_of(const states& now, actor_slot a, const std::tuple<Field Client::*...>& fields, Visit visit) {
  const auto look = [&]<class C, class F>(F C::*field) {
    if (const auto* const client = now.at<C>(a)) visit(history_in(client->*field));
  };
  std::apply([&](auto... field) { (look(field), ...); }, fields);
}

template <class T, class... Others>
constexpr bool is_once = (static_cast<int>(std::is_same_v<T, Others>) + ...) == 1;

template <class Object, class... Client, class... Field>
specification made_of_history(bool in_time, std::size_t tries, std::string name, Object initial,
                              Field Client::*... fields) {
  static_assert(sizeof...(Field) > 0 && (is_history<history_type<Field>> && ...),
                "harrier: where operations are recorded is said by fields of actors that are histories: &client::did");
  static_assert((is_once<Client, Client...> && ...),
                "harrier: one history of each class of clients; of two say two specifications");
  using recorded = std::tuple_element_t<0, std::tuple<history_type<Field>...>>;
  static_assert((std::is_same_v<recorded, history_type<Field>> && ...),
                "harrier: histories of one object have the same operations in the same order");
  static_assert(std::is_same_v<Object, typename recorded::object>,
                "harrier: the object is of the class whose operations are recorded");
  static_assert(is_usable_value<Object>,
                "harrier: the sequential object is a plain value, as the state of an actor is");
  specification made;
  made.says = in_time ? specification::kind::in_time : specification::kind::at_end;
  made.name = name;
  made.looks_at = {&typeid(Client)...};
  const std::tuple<Field Client::*...> all(fields...);
  made.events = [all](const states& now, actor_slot a) {
    recorded_events events;
    with_history_of<recorded>(now, a, all, [&](const recorded& h) { events = events_of(h); });
    return events;
  };
  made.judge = [all, in_time, tries, name = std::move(name), initial = std::move(initial)](
                   const states& now, const std::vector<recording>& recordings) {
    judged_history<recorded> judged(initial, in_time, tries);
    for (actor_slot a = 0; a < now.system().actor_count(); ++a)
      with_history_of<recorded>(now, a, all, [&](const recorded& h) { judged.add(a, h, recordings); });
    return judged.judge(now, name);
  };
  return made;
}

}  // namespace detail

/// How often linearizable() and sequentially_consistent() let the object do an operation, to judge one history.
inline constexpr std::size_t most_tries_of_history = 1'000'000;

/// What all actors recorded in these fields (a history of each, one class of actors a field) is linearizable, at any
/// time: `initial` could have done the operations one after the other, each at some moment between its invocation and
/// its return, and would have returned the same. An operation that has not returned may have been done or not.
///
///     harrier::specified(program, {harrier::linearizable("a cell", cell{}, &client::did)})
///
/// Steps that record something are dependent on one another: each order of them is explored (see specified()). Whenever
/// something was recorded the history is judged, which takes time that is exponential in how many operations are under
/// way at once. One that takes more than `MostTries` is not covered by the search, which then is not complete.
///
/// Where `object::parts_by_first_argument` is true, operations with different first arguments have nothing to do with
/// each other, and each part is judged by itself.
template <std::size_t MostTries = most_tries_of_history, class Object, class... Client, class... Field>
specification linearizable(std::string name, Object initial, Field Client::*... fields) {
  return detail::made_of_history(true, MostTries, std::move(name), std::move(initial), fields...);
}

/// The same at the end of each execution without regard to time: there is an order in which the object would have
/// returned the same, and in which the operations of each actor are in its own order. It costs no execution, since that
/// is the same for all executions of a class.
template <std::size_t MostTries = most_tries_of_history, class Object, class... Client, class... Field>
specification sequentially_consistent(std::string name, Object initial, Field Client::*... fields) {
  return detail::made_of_history(false, MostTries, std::move(name), std::move(initial), fields...);
}

/// @name Sequential objects
/// @{

/// A register, with its value at the beginning: `linearizable("x", register_of<int>{0}, &client::did)`.
template <class T>
struct register_of {
  T value{};
  void write(const T& v) { value = v; }
  T read() const { return value; }
};
template <class T>
using register_history = history<&register_of<T>::write, &register_of<T>::read>;

/// A queue: what was pushed first is popped first; none if it is empty.
template <class T>
struct queue_of {
  std::deque<T> content = {};
  void push(const T& v) { content.push_back(v); }
  std::optional<T> pop() {
    if (content.empty()) return std::nullopt;
    std::optional<T> first(content.front());
    content.pop_front();
    return first;
  }
};
template <class T>
using queue_history = history<&queue_of<T>::push, &queue_of<T>::pop>;

/// A map of keys to values; none if there is no such key.
template <class Key, class Value>
struct map_of {
  static constexpr bool parts_by_first_argument = true;
  std::map<Key, Value> content = {};
  void put(const Key& k, const Value& v) { content.insert_or_assign(k, v); }
  std::optional<Value> get(const Key& k) const {
    const auto found = content.find(k);
    return found == content.end() ? std::nullopt : std::optional<Value>(found->second);
  }
  void erase(const Key& k) { content.erase(k); }
};
template <class Key, class Value>
using map_history = history<&map_of<Key, Value>::put, &map_of<Key, Value>::get, &map_of<Key, Value>::erase>;

/// @}

}  // namespace harrier
