#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/monitor.hpp>
#include <harrier/core/specification.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/native/self.hpp>

#include <src/explore/search_plan.hpp>

namespace harrier::combinations {

/// Judges nothing.
class indifferent : public monitor {
public:
  std::optional<record> stepped(const system&) override { return {}; }
  [[nodiscard]] std::unique_ptr<monitor> another() const override { return std::make_unique<indifferent>(); }
  [[nodiscard]] std::string criterion() const override { return "nothing"; }
};
/// Says that it needs every order.
class demanding final : public indifferent {
public:
  static constexpr auto why = "it looks at orders";
  [[nodiscard]] std::string order_dependence(const system&) const override { return why; }
  [[nodiscard]] std::unique_ptr<monitor> another() const override { return std::make_unique<demanding>(); }
};

/// A search that is asked for, piece by piece.
struct asked_search {
  options how;
  searched_by who = searched_by::this_process;
  indifferent judge;
  demanding judge_of_orders;
  std::string folder;  ///< for what it writes
  /// Lines about three_messages().
  std::vector<specification> script;
};

/// Remembers in which order numbers came.
struct listing {
  int seen = 0;
  void take(self& me, int n);
  void look() const;
};
/// How many handlers of listings were called.
std::uint64_t handled();
/// Sends 1 and 2 to one listing, and 3 and a look to another.
void three_messages(self& me);

/// What can be asked for beside an engine and a delivery model.
struct ask {
  std::string_view option;
  /// Whether an engine that searches all has as many executions with it as without.
  bool keeps_count;
  void (*add)(asked_search&);
};
std::span<const ask> asks();

/// What a program may be like.
struct kind_of_program {
  std::string_view name;
  program_facts facts;
};
std::span<const kind_of_program> kinds();

/// docs/combinations.md, in Markdown: what resolve() says to each question.
std::string page();

}  // namespace harrier::combinations
