#pragma once

#include <cstdint>
#include <vector>

#include <harrier/core/stages.hpp>
#include <harrier/native/world.hpp>

namespace harrier::detail {

/// Time that passes when nothing more can be delivered: then the timer that is due first fires. Of several that are due
/// at one moment each may be first.
///
/// What follows comes after everything before it, whoever did that, so it is a stage (stages.hpp) that ends at rest:
/// any engine searches it as it does the body of a test that lets everything be handled.
class virtual_clock final : public stages {
public:
  explicit virtual_clock(world& of) : world_(of) {}

  [[nodiscard]] end current() const override;
  void search_apart(bool on) override { is_apart_ = on; }
  void begin_next(std::uint64_t code) override;
  void take_back_next() override;
  [[nodiscard]] bool is_closed() const override { return false; }
  void open() override {}
  void close() override {}

  /// The last step is complete: where nothing can follow it but a timer, time can pass.
  void step_ended();
  /// In the running step.
  void time_passes(step& s);
  void time_is_taken_back(const step& s);

private:
  /// The timers that are due first.
  [[nodiscard]] std::vector<message_slot> due() const;

  world& world_;
  bool is_apart_ = false;
};

}  // namespace harrier::detail
