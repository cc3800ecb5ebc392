#pragma once

#include <utility>

#include <harrier/native/tracked.hpp>

namespace harrier {

/// A field of an actor that survives its crash (faults::crash), as it was when the last step was complete that the
/// actor did, or as of the last self::sync() of the step in which it crashed. All other fields are then as they were
/// when the actor was created; or, of one that the set-up created, when the first explored step was taken.
///
///     struct acceptor {
///       harrier::persistent<int> promised = 0;
///       int answers_sent = 0;  // forgotten
///       void prepare(harrier::self& self, int ballot, harrier::ref<proposer> from) {
///         if (ballot <= promised) return;
///         promised = ballot;
///         self.sync();  // without it, the promise may be sent and forgotten
///         self.send<&proposer::promise>(from, ballot);
///       }
///     };
///
/// It is used, hashed, compared and shown as a tracked<T> is. An actor with such a field restarts at once after a
/// crash.
template <class T>
class persistent : public tracked<T> {
public:
  using tracked<T>::tracked;
  using tracked<T>::operator=;
};

namespace detail {

template <class T>
constexpr bool is_tracked<persistent<T>> = true;
template <class T>
constexpr bool is_persistent = false;
template <class T>
constexpr bool is_persistent<persistent<T>> = true;

}  // namespace detail
}  // namespace harrier
