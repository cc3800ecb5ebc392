#pragma once

#include <caf/actor_pool.hpp>
#include <caf/actor_registry.hpp>
#include <caf/all.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

/// What the tests' programs need of CAF, and what CAF 1 calls otherwise than CAF 0.17. Whatever is the same in both,
/// they use as it is.
#ifdef CAF_VERSION_MAJOR
#define HARRIER_CAF_1 1
#else
#define HARRIER_CAF_1 0
#endif

#if HARRIER_CAF_1

#define HARRIER_TEST_ATOM(name)                                        \
  namespace both {                                                     \
  struct name {                                                        \
    static const name value;                                           \
  };                                                                   \
  inline const name name::value{};                                     \
  constexpr bool operator==(const name&, const name&) { return true; } \
  template <class Inspector>                                           \
  bool inspect(Inspector& f, name& x) {                                \
    return f.object(x).fields();                                       \
  }                                                                    \
  }

HARRIER_TEST_ATOM(stop_atom)
HARRIER_TEST_ATOM(number_atom)
HARRIER_TEST_ATOM(hold_atom)
HARRIER_TEST_ATOM(read_atom)
HARRIER_TEST_ATOM(get_atom)
HARRIER_TEST_ATOM(put_atom)
HARRIER_TEST_ATOM(add_atom)

CAF_BEGIN_TYPE_ID_BLOCK(harrier_both, caf::first_custom_type_id)
CAF_ADD_TYPE_ID(harrier_both, (both::stop_atom))
CAF_ADD_TYPE_ID(harrier_both, (both::number_atom))
CAF_ADD_TYPE_ID(harrier_both, (both::hold_atom))
CAF_ADD_TYPE_ID(harrier_both, (both::read_atom))
CAF_ADD_TYPE_ID(harrier_both, (both::get_atom))
CAF_ADD_TYPE_ID(harrier_both, (both::put_atom))
CAF_ADD_TYPE_ID(harrier_both, (both::add_atom))
CAF_END_TYPE_ID_BLOCK(harrier_both)

/// The types of messages that one file has, which CAF cannot look into, with numbers from `first` on that no other file
/// has.
#define HARRIER_TEST_TYPES(block, first) CAF_BEGIN_TYPE_ID_BLOCK(block, caf::first_custom_type_id + (first))
#define HARRIER_TEST_TYPE(block, ...)        \
  CAF_ALLOW_UNSAFE_MESSAGE_TYPE(__VA_ARGS__) \
  CAF_ADD_TYPE_ID(block, (__VA_ARGS__))
#define HARRIER_TEST_TYPES_END(block)                                                   \
  CAF_END_TYPE_ID_BLOCK(block)                                                          \
  namespace both {                                                                      \
  [[maybe_unused]] inline const bool block##_is_known =                                 \
      types_are_known && (caf::init_global_meta_objects<caf::id_block::block>(), true); \
  }

namespace both {

inline const bool types_are_known = [] {
  caf::core::init_global_meta_objects();
  caf::init_global_meta_objects<caf::id_block::harrier_both>();
  return true;
}();

using unhandled = caf::message;
using answer_to_unhandled = caf::skippable_result;
inline answer_to_unhandled skip() { return caf::skip; }
inline int number_in(const unhandled& m) { return m.get_as<int>(0); }

template <class Actor>
auto& state_of(Actor* self) {
  return self->state();
}

using adder = caf::typed_actor<caf::result<int>(add_atom, int, int)>;
using increment = caf::typed_actor<caf::result<int>(int)>;

inline std::string key(const std::string& name) { return name; }

inline caf::actor pool_of(caf::actor_system& system, std::size_t workers, const std::function<caf::actor()>& make,
                          caf::actor_pool::policy how) {
  return caf::actor_pool::make(system, workers, make, std::move(how));
}

constexpr auto scheduler = "caf.scheduler.";
constexpr auto int32_name = "int32_t";
constexpr auto int8_name = "int8_t";
inline std::string testing() { return "testing"; }

}  // namespace both

#else

#define HARRIER_TEST_TYPES(block, first)
#define HARRIER_TEST_TYPE(block, ...) CAF_ALLOW_UNSAFE_MESSAGE_TYPE(__VA_ARGS__)
#define HARRIER_TEST_TYPES_END(block)

namespace both {

using stop_atom = caf::atom_constant<caf::atom("stop")>;
using number_atom = caf::atom_constant<caf::atom("number")>;
using hold_atom = caf::atom_constant<caf::atom("hold")>;
using read_atom = caf::atom_constant<caf::atom("read")>;
using caf::add_atom;
using caf::get_atom;
using caf::put_atom;

using unhandled = caf::message_view;
using answer_to_unhandled = caf::result<caf::message>;
inline answer_to_unhandled skip() { return caf::skip(); }
inline int number_in(unhandled& m) { return m.content().get_as<int>(0); }

template <class Actor>
auto& state_of(Actor* self) {
  return self->state;
}

using adder = caf::typed_actor<caf::replies_to<add_atom, int, int>::with<int>>;
using increment = caf::typed_actor<caf::replies_to<int>::with<int>>;

inline caf::atom_value key(const std::string& name) { return caf::atom_from_string(name); }

inline caf::actor pool_of(caf::actor_system& system, std::size_t workers, const std::function<caf::actor()>& make,
                          caf::actor_pool::policy how) {
  caf::scoped_execution_unit unit{&system};
  return caf::actor_pool::make(&unit, workers, make, std::move(how));
}

constexpr auto scheduler = "scheduler.";
constexpr auto int32_name = "i32";
constexpr auto int8_name = "i8";
inline caf::atom_value testing() { return caf::atom("testing"); }

}  // namespace both

#endif
