#include "explored_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <caf/test/block.hpp>
#include <caf/test/context.hpp>
#include <caf/test/factory.hpp>
#include <caf/test/nesting_error.hpp>
#include <caf/test/registry.hpp>
#include <caf/test/requirement_failed.hpp>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <typeinfo>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "../caf/run.hpp"
#include "reporter.hpp"

namespace harrier::caf_adapter {
namespace {

/// What is protected in CAF's classes.
struct opened_test : caf::test::runnable {
  static const caf::test::context_ptr& context(const runnable& t) { return t.*(&opened_test::ctx_); }
  static std::string_view description(const runnable& t) { return t.*(&opened_test::description_); }
};
struct opened_block : caf::test::block {
  static bool& is_executed(block& b) { return b.*(&opened_block::executed_); }
};

/// The blocks of a test, of which CAF notes which were run, to run another branch the next time: here all executions
/// run the same.
class branch {
public:
  explicit branch(caf::test::context& of) : of_(of) {
    for (const auto& [id, block] : of_.steps)
      if (block != nullptr && opened_block::is_executed(*block)) done_before_.insert(block.get());
  }
  void begins_again() {
    for (const auto& [id, block] : of_.steps) {
      if (block == nullptr) continue;
      auto& is_executed = opened_block::is_executed(*block);
      if (is_executed) done_.insert(block.get());
      is_executed = done_before_.contains(block.get());
    }
    of_.clear_stacks();
  }
  void ends() {
    begins_again();
    for (auto* const block : done_) opened_block::is_executed(*block) = true;
  }

private:
  caf::test::context& of_;
  std::set<caf::test::block*> done_before_;
  std::set<caf::test::block*> done_;
};

/// What makes tests like that one; null if CAF's registry has none.
caf::test::factory* factory_of(const caf::test::runnable& test) {
  for (const auto& [suite, tests] : caf::test::registry::suites()) {
    const auto same = tests.find(opened_test::description(test));
    if (same == tests.end()) continue;
    const auto made = same->second->make(opened_test::context(test));
    const auto& like = *made;
    if (typeid(like) == typeid(test)) return same->second;
  }
  return nullptr;
}

std::string text_of(const finding& f, const exploration& all) {
  std::string text = fmt::format("{}: {}", to_string(f.kind), f.message);
  if (!f.actor.empty()) text += " (" + f.actor + ")";
  for (const auto& step : f.trace) {
    if (step.machinery) continue;
    text += fmt::format("\n    {}.{}", step.receiver, step.message);
    for (const auto choice : step.choices) text += fmt::format(" [{}]", choice);
  }
  return text + fmt::format("\n    found in execution {}", all.executions + 1);
}

exploration explore_branch(caf::test::factory& makes, const caf::test::context_ptr& context, const options& how,
                           std::size_t& checked) {
  branch again(*context);
  reporter_of_run hears;
  const std::function<void()> body = [&] {
    again.begins_again();
    hears.begins_again();
    run::current()->begin_test();
    const auto made = makes.make(context);
    try {
      run_once(*made);
      checked = std::max(checked, hears.test_stats().passed);
    } catch (const caf::test::requirement_failed&) {
      return;  // it was told of before
    } catch (const caf::test::nesting_error& e) {
      hears.unhandled_exception(e.message(), e.location());
    } catch (const std::exception& e) {
      hears.unhandled_exception(e.what());
    }
  };
  auto found = explore(caf_program(body), how);
  again.ends();
  return found;
}

}  // namespace

void explore_test(caf::test::runnable& test, const options& how) {
  auto& reporter = caf::test::reporter::instance();
  const auto where = caf::detail::source_location::current("the whole test", "", 0);
  auto* const makes = factory_of(test);
  if (makes == nullptr) return reporter.fail("harrier::caf_fixture explores tests that CAF's registry has", where);
  try {
    std::size_t checked = 0;
    const auto found = explore_branch(*makes, opened_test::context(test), how, checked);
    for (const auto& f : found.findings)
      reporter.fail(
          text_of(f, found),
          f.line > 0 ? caf::detail::source_location::current(f.file.c_str(), "", static_cast<int>(f.line)) : where);
    if (!found.findings.empty()) return;
    if (!found.exhausted) return reporter.fail("not all orders were run: " + found.stopped_by, where);
    const auto before = reporter.test_stats();
    reporter.test_stats({before.passed + checked, before.failed});
  } catch (const error& e) {
    reporter.fail(e.what(), where);
  }
}

}  // namespace harrier::caf_adapter
