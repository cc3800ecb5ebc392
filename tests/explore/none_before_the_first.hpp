#pragma once

#include <optional>
#include <string>
#include <utility>

#include <harrier/core/monitor.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Is broken where letter 2 comes before letter 0; follows the deliveries forth and back.
class none_before_the_first final : public monitor {
public:
  explicit none_before_the_first(std::string dependence = {}) : dependence_(std::move(dependence)) {}
  [[nodiscard]] std::string order_dependence(const system&) const override { return dependence_; }
  std::optional<record> stepped(const system& s) override {
    seen_ += text(s);
    if (!seen_.ends_with("put(2)") || seen_.find("put(0)") != std::string::npos) return {};
    return record{.message = "2 came before 0"};
  }
  void undone(const system& s) override { seen_.resize(seen_.size() - text(s).size()); }
  [[nodiscard]] bool is_back() const { return seen_.empty(); }

private:
  static std::string text(const system& s) { return s.message_text(s.step_at(s.step_count() - 1).message); }
  std::string dependence_;
  std::string seen_;
};

}  // namespace harrier
