#include "state_store.hpp"

#include <string>
#include <unordered_map>

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

/// Whole states, their equal pieces stored once.
///
/// @par Source  G. Holzmann: State compression in SPIN, 1997 (collapse).
class collapsed_states final : public state_store {
public:
  collapsed_states(const stateful_options& how, const system& s) : pieces_(s, how) {}

  entry insert(fingerprint) override {
    pieces_.take();
    key_.clear();
    for (const auto& piece : pieces_.actors()) append(number_of(piece));
    append(separator);
    for (const auto& piece : pieces_.messages()) append(number_of(piece));
    const auto [at, is_new] = states_.try_emplace(key_, 0);
    if (is_new) bytes_ += key_.size() + overhead;
    return {is_new, &at->second};
  }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] double expected_misses() const override { return 0; }

private:
  static constexpr std::uint32_t separator = 0xffffffff;
  static constexpr std::uint64_t overhead = sizeof(std::string) + 4 * sizeof(void*);  // of a node, about

  void append(std::uint32_t number) { key_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  std::uint32_t number_of(const std::string& piece) {
    const auto [at, is_new] = numbers_.try_emplace(piece, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) bytes_ += piece.size() + overhead;
    return at->second;
  }

  state_pieces pieces_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::unordered_map<std::string, std::uint32_t> states_;
  std::string key_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<state_store> make_state_store(const stateful_options& how, const system& followed) {
  if (how.comparison == state_comparison::none) return std::make_unique<every_state_new>();
  if (how.visited == visited_states::exact) return std::make_unique<collapsed_states>(how, followed);
  if (how.comparison == state_comparison::canonical) return std::make_unique<compacted_forms>(how, followed);
  return std::make_unique<compacted_states>();
}

}  // namespace harrier
