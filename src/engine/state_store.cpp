#include "state_store.hpp"

#include "visited_set.hpp"

namespace harrier {
namespace {

class every_state_new final : public state_store {
public:
  entry insert(fingerprint) override {
    word_ = 0;
    return {true, &word_};
  }
  [[nodiscard]] std::uint64_t bytes() const override { return 0; }
  [[nodiscard]] double expected_misses() const override { return 0; }

private:
  std::uint32_t word_ = 0;
};

class compacted_states final : public state_store {
public:
  entry insert(fingerprint value) override {
    const auto found = visited_.insert(value);
    return {found.is_new, found.word};
  }
  [[nodiscard]] std::uint64_t bytes() const override { return visited_.bytes(); }
  [[nodiscard]] double expected_misses() const override { return visited_.expected_misses(); }

private:
  visited_set visited_;
};

}  // namespace

std::unique_ptr<state_store> make_state_store(const stateful_options& how, const system&) {
  if (how.comparison == state_comparison::none) return std::make_unique<every_state_new>();
  return std::make_unique<compacted_states>();
}

}  // namespace harrier
