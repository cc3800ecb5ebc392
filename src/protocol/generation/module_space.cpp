#include <harrier/protocol/module.hpp>

#include <algorithm>

#include "../lts/state_table.hpp"

namespace harrier::protocol {

class module_space::driver {
public:
  driver(const harrier_probe& probe, std::size_t capacity) : probe_(probe), capacity_(capacity), module_(fresh()) {
    for (std::uint32_t r = 0; r < probe.roles; ++r) static_cast<void>(names_.role(probe.role_names[r]));
    for (std::uint32_t t = 0; t < probe.types; ++t) static_cast<void>(names_.type(probe.type_names[t]));
    static_cast<void>(saved());
  }

  const std::vector<transition>& steps(state_id state) {
    current_.clear();
    states_.get(state, at_);
    probe_.load(module_.get(), at_.data());
    for (std::uint32_t one = 0; one < probe_.roles; ++one) {
      for (std::uint32_t other = 0; other < probe_.roles; ++other) {
        for (std::uint32_t type = 0; type < probe_.types; ++type) {
          attempt({action_kind::send, one, other, type});
          attempt({action_kind::handshake, one, other, type});
        }
        // Without a choice of the sender, one attempt says it all.
        if (probe_.chooses_sender || one == 0) attempt({action_kind::receive, one, other, no_type});
        attempt({action_kind::close, one, other, no_type});
      }
    }
    return current_;
  }

  bool may_end(state_id state) {
    states_.get(state, at_);
    probe_.load(module_.get(), at_.data());
    return probe_.may_end(module_.get());
  }

  std::size_t replay(const std::vector<action>& actions) const {
    const auto module = fresh();
    std::size_t done = 0;
    while (done < actions.size()) {
      auto type = actions[done].type;
      if (call(module.get(), actions[done], type) != 1 || type != actions[done].type) break;
      ++done;
    }
    return done;
  }

  void forget_states() { states_ = {}; }

  alphabet names_;
  std::size_t thrown_ = 0;

private:
  using owned = std::unique_ptr<void, void (*)(void*)>;
  owned fresh() const { return {probe_.create(capacity_), probe_.destroy}; }

  int call(void* module, const action& a, std::uint32_t& type) const {
    const auto kind = a.kind == action_kind::send      ? 0U
                      : a.kind == action_kind::receive ? 1U
                      : a.kind == action_kind::close   ? 2U
                                                       : 3U;
    return probe_.attempt(module, kind, a.from, a.to, &type);
  }

  void attempt(action a) {
    const auto result = call(module_.get(), a, a.type);
    if (result == 2) ++thrown_;
    if (result == 1) {
      const auto target = saved();
      if (a.kind == action_kind::receive && !probe_.chooses_sender) a.from = sender_of_first(a.to);
      if (a.kind == action_kind::close) a.type = no_type;
      const transition t{names_.number(a), target};
      if (std::find(current_.begin(), current_.end(), t) == current_.end()) current_.push_back(t);
    }
    if (result != 0) probe_.load(module_.get(), at_.data());
  }

  // In `at_`, of a module with one queue a role: by role its state, then by role the length of its queue and three
  // numbers a message, the sender first.
  role_id sender_of_first(role_id role) const {
    std::size_t at = probe_.roles;
    for (role_id r = 0; r < role; ++r) at += 1 + 3 * std::size_t{at_[at]};
    return at_[at + 1];
  }

  state_id saved() {
    word_.clear();
    probe_.save(
        module_.get(),
        [](void* context, std::uint32_t number) {
          static_cast<std::vector<std::uint32_t>*>(context)->push_back(number);
        },
        &word_);
    return states_.number(word_);
  }

  const harrier_probe& probe_;
  std::size_t capacity_;
  owned module_;
  internal::state_table states_;
  std::vector<std::uint32_t> at_;
  std::vector<std::uint32_t> word_;
  std::vector<transition> current_;
};

module_space::module_space(const harrier_probe& probe, std::size_t capacity)
    : driver_(std::make_unique<driver>(probe, capacity)) {}
module_space::~module_space() = default;

std::span<const transition> module_space::steps(state_id state) { return driver_->steps(state); }
const alphabet& module_space::names() const { return driver_->names_; }
bool module_space::may_end(state_id state) const { return driver_->may_end(state); }
void module_space::forget_states() { driver_->forget_states(); }
std::size_t module_space::thrown() const noexcept { return driver_->thrown_; }
std::size_t module_space::replay(const std::vector<action>& actions) const { return driver_->replay(actions); }

}  // namespace harrier::protocol
