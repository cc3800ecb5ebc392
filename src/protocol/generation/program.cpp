#include <harrier/protocol/program.hpp>

#include <algorithm>
#include <optional>

#include <harrier/protocol/module.hpp>

namespace harrier::protocol {
namespace {

class protocol_system;

// The actor's state: where the run is.
struct position {
  state_id at;
};

class offer_type final : public message_type {
public:
  void deliver(system& s, step& st) const override;
  void undo(system& s, step& st) const override;
  void destroy(void*) const override {}
  [[nodiscard]] std::string describe(const system& s, const void* payload) const override;
  [[nodiscard]] fingerprint hash(const void* payload) const override {
    const auto& a = *static_cast<const action*>(payload);
    const std::uint32_t words[] = {static_cast<std::uint32_t>(a.kind), a.from, a.to, a.type};
    return hash_bytes(words, sizeof words);
  }
};
constexpr offer_type offer{};

// The driver's only message: it makes the actor.
class start_type final : public message_type {
public:
  void deliver(system& s, step& st) const override;
  void undo(system&, step&) const override {}
  void destroy(void*) const override {}
  [[nodiscard]] std::string describe(const system&, const void*) const override { return "start()"; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {}; }
};
constexpr start_type start{};

class driver_type final : public actor_type {
public:
  void copy(void*, const void*) const override {}
  void destroy(void*) const override {}
  [[nodiscard]] std::string name() const override { return "driver"; }
  [[nodiscard]] std::string describe(const system&, const void*) const override { return {}; }
  [[nodiscard]] bool at_rest(const void*) const override { return true; }
  [[nodiscard]] bool tells_rest() const override { return false; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {}; }
};
constexpr driver_type driver{};

class protocol_system final : public system, private actor_type {
public:
  protocol_system(const std::string& name, run_space space) : name_(name), space_(std::move(space)) {}

  void make_run() {
    auto* state = static_cast<position*>(memory().allocate(sizeof(position), alignof(position)));
    state->at = 0;
    offer_steps(add_actor(*this, state), 0);
  }

  void perform(step& s) {
    auto* state = static_cast<position*>(actor_in(s.receiver).state);
    auto* before = static_cast<position*>(memory().allocate(sizeof(position), alignof(position)));
    *before = *state;
    s.state_before = before;
    const auto& wanted = *static_cast<const action*>(message_at(s.message).payload);
    std::vector<state_id> targets;
    for (const auto& p : steps(state->at)) {
      if (p.what == wanted) targets.push_back(p.target);
    }
    state->at = targets.size() == 1 ? targets[0] : targets[choose(targets.size())];
    offer_steps(s.receiver, state->at);
  }

  void take_back(const step& s) { *static_cast<position*>(actor_in(s.receiver).state) = position_before(s); }

  [[nodiscard]] const alphabet& alphabet_in_use() const { return space_.steps->names(); }

private:
  struct possible_step {
    action what;
    state_id target;
  };

  void begin() override {
    add_actor(driver, nullptr);
    post_from_outside(0, start, nullptr);
    deliver_in_setup(static_cast<message_slot>(message_count()));
    begin_exploration();
  }

  // Every offer is guarded, and the one actor never waits.
  [[nodiscard]] bool takes(message_slot m, step_index e) const override {
    const auto& x = message_at(m);
    const auto& possible = steps(static_cast<const position*>(state_before(x.receiver, e))->at);
    const auto& wanted = *static_cast<const action*>(x.payload);
    return std::any_of(possible.begin(), possible.end(), [&](const auto& p) { return p.what == wanted; });
  }

  static position position_before(const step& s) { return *static_cast<const position*>(s.state_before); }

  const std::vector<possible_step>& steps(state_id at) const {
    if (at >= known_.size()) known_.resize(at + 1);
    auto& known = known_[at];
    if (!known) {
      known.emplace();
      for (const auto& t : space_.steps->steps(at)) {
        known->push_back({space_.steps->names().actions()[t.action], t.target});
      }
    }
    return *known;
  }

  // One message for each action that is possible now, if none waits. Which are there depends on the run alone, so that
  // they have the same names whatever was explored before.
  void offer_steps(actor_slot to, state_id at) {
    for (const auto& p : steps(at)) {
      if (waits(p.what)) continue;
      auto* payload = static_cast<action*>(memory().allocate(sizeof(action), alignof(action)));
      *payload = p.what;
      guard(post(to, offer, payload));
    }
  }

  [[nodiscard]] bool waits(const action& wanted) const {
    for (auto m = first_pending(); m != no_message; m = next_pending(m)) {
      if (message_at(m).type == &offer && *static_cast<const action*>(message_at(m).payload) == wanted) return true;
    }
    return false;
  }

  // The one actor's type. What a state is called depends on what was explored before, so it is not shown.
  void copy(void* target, const void* state) const override {
    *static_cast<position*>(target) = *static_cast<const position*>(state);
  }
  void destroy(void*) const override {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string describe(const system&, const void*) const override { return {}; }
  [[nodiscard]] bool at_rest(const void* state) const override {
    return space_.may_end(static_cast<const position*>(state)->at);
  }
  [[nodiscard]] bool tells_rest() const override { return true; }
  [[nodiscard]] fingerprint hash(const void* state) const override {
    return hash_bytes(&static_cast<const position*>(state)->at, sizeof(state_id));
  }

  std::string name_;
  run_space space_;
  mutable std::vector<std::optional<std::vector<possible_step>>> known_;  // by state, as they are asked for
};

void offer_type::deliver(system& s, step& st) const { static_cast<protocol_system&>(s).perform(st); }
void offer_type::undo(system& s, step& st) const { static_cast<protocol_system&>(s).take_back(st); }
std::string offer_type::describe(const system& s, const void* payload) const {
  return static_cast<const protocol_system&>(s).alphabet_in_use().describe(*static_cast<const action*>(payload));
}
void start_type::deliver(system& s, step&) const { static_cast<protocol_system&>(s).make_run(); }

}  // namespace

program make_program(const std::string& name, const std::function<run_space()>& fresh) {
  return {[=](delivery model) {
    if (model != delivery::unordered)
      throw error("a protocol says itself what comes after what; its delivery model is unordered");
    return start_system<protocol_system>(name, fresh());
  }};
}

program make_program(const std::string& name, const harrier_probe& probe, std::size_t capacity) {
  return make_program(name, [&probe, capacity] {
    auto space = std::make_unique<module_space>(probe, capacity);
    auto* known = space.get();
    return run_space{std::move(space), [known](state_id s) { return known->may_end(s); }};
  });
}

program make_program(std::shared_ptr<const specification> definitions, std::string_view session,
                     const std::vector<value>& arguments) {
  return make_program(std::string(session), [=, name = std::string(session)] {
    auto space = std::make_unique<lts>(definitions, name, arguments);
    auto* known = space.get();
    return run_space{std::move(space), [known](state_id s) { return known->terminated(s); }};
  });
}

const alphabet& names_of(const system& program) {
  return static_cast<const protocol_system&>(program).alphabet_in_use();
}

const action& action_of(const system& program, message_slot m) {
  return *static_cast<const action*>(program.message_at(m).payload);
}

}  // namespace harrier::protocol
