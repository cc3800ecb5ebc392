#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <harrier/core/arena.hpp>

/// What cannot be undercut: the same handlers behind the same kind of virtual
/// call with the same payloads, their sends collected in a plain queue. Nothing
/// is chosen, recorded, or taken back.
namespace harrier::bench {

template <class Actor>
struct bare_ref {
  Actor* state = nullptr;
};

class bare_self;

template <class F>
struct bare_handler;
template <class R, class A, class... P>
struct bare_handler<R (A::*)(P...)> {
  using payload = std::tuple<std::remove_cvref_t<P>...>;
  static constexpr bool takes_self = false;
};
template <class R, class A, class... P>
struct bare_handler<R (A::*)(bare_self&, P...)> {
  using payload = std::tuple<std::remove_cvref_t<P>...>;
  static constexpr bool takes_self = true;
};

class bare_type {
public:
  virtual void deliver(bare_self& self, void* state, const void* payload) const = 0;

protected:
  constexpr ~bare_type() = default;
};

template <class Actor, auto Handler>
class bare_type_of final : public bare_type {
  using h = bare_handler<std::remove_const_t<decltype(Handler)>>;

public:
  void deliver(bare_self& self, void* state, const void* payload) const override {
    std::apply(
        [&](const auto&... x) {
          if constexpr (h::takes_self)
            (static_cast<Actor*>(state)->*Handler)(self, x...);
          else
            (static_cast<Actor*>(state)->*Handler)(x...);
        },
        *static_cast<const typename h::payload*>(payload));
  }
};
template <class Actor, auto Handler>
inline constexpr bare_type_of<Actor, Handler> bare_type_for{};

class bare_self {
public:
  template <auto Handler, class Actor, class... Arguments>
  void send(bare_ref<Actor> to, Arguments&&... arguments) {
    using payload = typename bare_handler<std::remove_const_t<decltype(Handler)>>::payload;
    static_assert(std::is_trivially_destructible_v<payload>);
    void* memory = nullptr;
    if constexpr (sizeof...(Arguments) != 0)
      memory =
          ::new (payloads_.allocate(sizeof(payload), alignof(payload))) payload(std::forward<Arguments>(arguments)...);
    queue_.push_back({&bare_type_for<Actor, Handler>, to.state, memory});
  }

  template <class Actor, class... Fields>
  bare_ref<Actor> create(Fields&&... fields) {
    auto actor = std::make_shared<Actor>(Actor{std::forward<Fields>(fields)...});
    actors_.push_back(actor);
    return {actor.get()};
  }

  template <class Actor>
  bare_ref<Actor> me() const {
    return {static_cast<Actor*>(running_)};
  }

  void destroy() { running_ = nullptr; }
  std::uint64_t choose(std::uint64_t) { return 0; }
  void check(bool condition, std::string_view) { failures_ += condition ? 0 : 1; }

  /// Delivers the next `how_many` messages in the order sent, or all that are
  /// and come into the queue. @return how many that were.
  std::size_t run(std::size_t how_many = std::numeric_limits<std::size_t>::max()) {
    const auto first = next_;
    for (; next_ < queue_.size() && next_ - first < how_many; ++next_) {
      const auto m = queue_[next_];
      running_ = m.state;
      m.type->deliver(*this, m.state, m.payload);
    }
    return next_ - first;
  }

  /// Forgets everything, but keeps the queue's and the payloads' memory.
  void clear() {
    queue_.clear();
    next_ = 0;
    actors_.clear();
    payloads_.rewind(start_);
  }

private:
  struct envelope {
    const bare_type* type;
    void* state;
    const void* payload;
  };
  std::vector<envelope> queue_;
  std::size_t next_ = 0;
  std::vector<std::shared_ptr<void>> actors_;
  arena payloads_;
  arena::mark start_ = payloads_.here();
  void* running_ = nullptr;
  std::size_t failures_ = 0;
};

}  // namespace harrier::bench
