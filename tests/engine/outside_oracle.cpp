#include "outside_oracle.hpp"

#include <algorithm>

#include <harrier/core/error.hpp>
#include <harrier/engine/exhaustive.hpp>

namespace harrier::differential::outside {
namespace {

class listener final : public observer {
public:
  listener(everything& into, limits most) : seen_(into), most_(most) {}

  void step_flagged(system&) override {}
  void poll(system&) override {}
  void execution_blocked(system&) override {}
  void execution_ended(system& s) override {
    ++seen_.executions;
    if (s.truncated() || seen_.executions > most_.executions || s.watch().deliveries() > most_.transitions) {
      seen_.is_too_large = true;
      stopping_ = true;
    }
    seen_.traces.insert(text_of(told_by(s), s.model()));
  }

private:
  everything& seen_;
  limits most_;
};

/// The first text that is in `some` and not in `others`.
std::string first_not_in(const std::set<std::string>& some, const std::set<std::string>& others) {
  const auto found = std::find_if(some.begin(), some.end(), [&](const auto& t) { return !others.contains(t); });
  return found == some.end() ? std::string() : *found;
}

std::string difference_of(const everything& expected, const everything& found, bool in_executions) {
  const auto count = [](const everything& e) {
    return std::to_string(e.traces.size()) + " traces in " + std::to_string(e.executions) + " executions";
  };
  const auto both = " (" + count(expected) + " by definition, " + count(found) + " by exhaustive)";
  if (expected.is_untestable != found.is_untestable)
    return std::string(found.is_untestable ? "refused" : "not refused") + both;
  if (const auto invented = first_not_in(found.traces, expected.traces); !invented.empty())
    return "has a trace that cannot be" + both + ":\n" + invented;
  if (found.is_too_large) return "explored more than there is" + both;
  if (const auto lost = first_not_in(expected.traces, found.traces); !lost.empty())
    return "lost a trace" + both + ":\n" + lost;
  return in_executions && found.executions != expected.executions ? "runs other executions of the same traces" + both
                                                                  : std::string();
}

}  // namespace

everything by_exhaustive(const litmus::random_program& tables, delivery model, limits most, std::uint64_t may_be_lost) {
  everything result;
  listener watcher(result, most);
  try {
    const auto s = with_faults(litmus::interpret(tables), {.lose = may_be_lost}).start(model);
    s->limit_depth(1000);
    s->watch().observe(&watcher);
    s->go_on_after_abort(true);
    search_context context{*s, watcher};
    explore_alone(context, share_exhaustive(made_by::one));
  } catch (const untestable_program&) {
    result.is_untestable = true;
  }
  return result;
}

comparison compare_with_outside(const litmus::random_program& tables, delivery model, limits most,
                                std::uint64_t may_be_lost) {
  comparison result;
  result.expected = by_definition(tables, model, most, may_be_lost);
  const auto& e = result.expected;
  result.fits = !e.is_too_large;
  if (!result.fits) return result;
  const auto found = by_exhaustive(tables, model, {e.executions, 2 * most.transitions}, may_be_lost);
  const auto difference = difference_of(e, found, may_be_lost == 0);
  if (!difference.empty())
    result.difference = std::string(to_string(model)) + ", seed " + std::to_string(tables.seed) + ": " + difference +
                        "\nof\n" + litmus::to_text(tables);
  return result;
}

}  // namespace harrier::differential::outside
