#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string>

#include <harrier/core/error.hpp>
#include <harrier/property/ltl_monitor.hpp>

#include "../../core/base/suggest.hpp"
#include "protocol.hpp"
#include "protocol_judges.hpp"

namespace harrier {
namespace {

class asked_properties final : public asked_judges {
public:
  void bind(CLI::App& line) override {
    line.add_option_function<std::vector<std::string>>(
            "--property",
            [this](const std::vector<std::string>& given) {
              for (const auto& text : given) formulas_.push_back(formula_text(text));
            },
            "A temporal formula that each execution must satisfy, or a file that contains one; repeatable")
        ->type_name("FORMULA|FILE")
        ->allow_extra_args(false)
        ->group(judging_group);
    line.add_option_function<std::string>(
            "--ends",
            [this](const std::string& text) {
              if (text != "finite" && text != "stutter")
                throw error(fmt::format("--ends {}: one of finite, stutter is expected{}", text,
                                        suggestion(text, {"finite", "stutter"})));
              ends_ = text;
              is_told_ends_ = true;
            },
            "How formulas read the end of an execution (default finite)")
        ->type_name("finite|stutter")
        ->group(judging_group);
  }

  void write(json_value& judgement) const override {
    judgement["properties"] = formulas_;
    judgement["ends"] = ends_;
  }
  void read(const json_value& judgement) override {
    formulas_ = field_as<std::vector<std::string>>(judgement, "properties");
    ends_ = field_as<std::string>(judgement, "ends");
  }

  [[nodiscard]] std::vector<std::unique_ptr<monitor>> make() const override {
    const auto ends = ends_ == "stutter" ? run_ends::stutter : run_ends::finite;
    if (is_told_ends_ && formulas_.empty())
      throw error("--ends says how formulas read the end of an execution: --property FORMULA is missing");
    std::vector<std::unique_ptr<monitor>> each;
    for (const auto& text : formulas_) each.push_back(std::make_unique<ltl_monitor>(text, ends));
    return each;
  }

private:
  std::vector<std::string> formulas_;
  std::string ends_ = "finite";
  bool is_told_ends_ = false;
};

}  // namespace

std::unique_ptr<asked_judges> no_properties() { return std::make_unique<asked_properties>(); }

}  // namespace harrier
