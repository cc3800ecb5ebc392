#include "state_store.hpp"

#include "collapsed_set.hpp"
#include "recent_states.hpp"
#include "state_pieces.hpp"
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

/// Hash compaction of the fingerprint that the search keeps up to date.
class compacted_states : public state_store {
public:
  entry insert(fingerprint value) override {
    if (recent_.has(value)) return {false, &zero_};
    const auto found = visited_.insert(value);
    if (!found.is_new && *found.word == 0) recent_.add(value);
    return {found.is_new, found.word};
  }
  void settle(fingerprint value) override { recent_.add(value); }
  void expect(fingerprint value) const override {
    if (!recent_.has(value)) visited_.expect(value);
  }
  [[nodiscard]] std::uint64_t bytes() const override { return visited_.bytes(); }
  [[nodiscard]] double expected_misses() const override { return visited_.expected_misses(); }

private:
  visited_set visited_;
  recent_states recent_;
  std::uint32_t zero_ = 0;
};

/// The same, of the state's canonical form.
class compacted_forms final : public compacted_states {
public:
  compacted_forms(const stateful_options& how, const system& s) : pieces_(s, how) {}
  entry insert(fingerprint) override {
    pieces_.take();
    return compacted_states::insert(pieces_.hash());
  }
  void settle(fingerprint) override {}  // by another name than it was inserted
  void expect(fingerprint) const override {}

private:
  state_pieces pieces_;
};

/// Whole states. Nothing sleeps in them.
class collapsed_states final : public state_store {
public:
  collapsed_states(const stateful_options& how, const system& s) : pieces_(s, how) {}

  entry insert(fingerprint) override {
    pieces_.take();
    return {states_.insert(pieces_), &zero_};
  }
  [[nodiscard]] std::uint64_t bytes() const override { return states_.bytes(); }
  [[nodiscard]] double expected_misses() const override { return 0; }

private:
  state_pieces pieces_;
  collapsed_set states_;
  std::uint32_t zero_ = 0;
};

}  // namespace

std::unique_ptr<state_store> make_state_store(const stateful_options& how, const system& followed) {
  if (how.comparison == state_comparison::none) return std::make_unique<every_state_new>();
  if (how.visited == visited_states::exact) return std::make_unique<collapsed_states>(how, followed);
  if (how.comparison == state_comparison::canonical) return std::make_unique<compacted_forms>(how, followed);
  return std::make_unique<compacted_states>();
}

}  // namespace harrier
