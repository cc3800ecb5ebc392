#pragma once

#include <cstdint>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Average number of messages that an actor sends a delivery, over the whole
/// exploration; 1 for an actor that took none yet.
class sending_rate {
public:
  [[nodiscard]] double of(actor_slot a) const {
    if (a >= known_.size() || known_[a].deliveries == 0) return 1.0;
    return static_cast<double>(known_[a].sends) / static_cast<double>(known_[a].deliveries);
  }
  void learn(const system& s) {
    const auto i = s.step_count() - 1;
    const auto& step = s.step_at(i);
    if (step.receiver >= known_.size()) known_.resize(step.receiver + 1);
    known_[step.receiver].sends += s.sent_end(i) - step.first_sent;
    ++known_[step.receiver].deliveries;
  }
  void save(archive_writer& to) const {
    to.list(known_, [&](const counts& of) {
      to.number(of.sends);
      to.number(of.deliveries);
    });
  }
  void load(archive_reader& from) {
    known_.clear();
    from.list([&] {
      const auto sends = from.number();
      known_.push_back({sends, from.number()});
    });
  }

private:
  struct counts {
    std::uint64_t sends = 0;
    std::uint64_t deliveries = 0;
  };
  std::vector<counts> known_;
};

}  // namespace harrier
