// A finding of every kind is saved, and found again by its trace.
#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/states.hpp>
#include <harrier/core/system.hpp>
#include <harrier/native/declaration.hpp>
#include <harrier/native/self.hpp>
#include <src/cli/extensions.hpp>
#include <tests/replay/kinds.hpp>

#include "captured.hpp"

namespace harrier {
namespace {

using testing::HasSubstr;

/// Does what it is told, each in another way wrong.
struct villain {
  int seen = 0;
  ref<villain> whom = {};

  void fail(self& me) { me.check(seen > 0, "it is not the first"); }
  void raise() { throw std::runtime_error("it is full"); }
  void abort() { std::abort(); }
  void loop() {
    volatile bool ended = false;
    while (!ended) {}
  }
  void leave(self& me) { me.destroy(); }
  void see() { ++seen; }
  void forget() {
    static int outside = 0;
    seen = ++outside;
  }
  void lie() { seen = 1; }
  static declaration<writes<&villain::whom>> declares(handler<&villain::lie>);
  void meet(ref<villain> other) { whom = other; }
  task ask(self& me) { co_await me.call<&villain::answer>(whom); }
  int answer() const { return seen; }
};

template <auto Handler>
void one_message(self& me) {
  me.send<Handler>(me.create<villain>());
}

void leaves(self& me) {
  const auto it = me.create<villain>();
  me.send<&villain::leave>(it);
  me.send<&villain::see>(it);
}

void waits(self& me) {
  const auto one = me.create<villain>();
  const auto other = me.create<villain>();
  me.send<&villain::meet>(one, other);
  me.send<&villain::meet>(other, one);
  me.send<&villain::ask>(one);
  me.send<&villain::ask>(other);
}

/// What an adapter records of a message that nobody expects.
options with_unexpected() {
  options how;
  how.judging.finally = [](final_states& end) {
    end.fail({.kind = finding_kind::unexpected, .message = "see() has no handler"});
  };
  return how;
}

catalogue villains() {
  return {{"fails", one_message<&villain::fail>},
          {"waits", waits},
          {"leaves", leaves},
          {"raises", one_message<&villain::raise>},
          {"aborts", one_message<&villain::abort>},
          {"loops", one_message<&villain::loop>},
          {"sees", one_message<&villain::see>},
          {"forgets", one_message<&villain::forget>},
          {"lies", one_message<&villain::lie>},
          {"does-not-expect", one_message<&villain::see>, with_unexpected()}};
}

/// Objects to the first delivery, or to the end; in one of its ways it fails itself.
class objector final : public monitor {
public:
  explicit objector(std::string way) : way_(std::move(way)) {}
  std::optional<record> stepped(const system&) override {
    if (way_ == "throw") throw std::runtime_error("no opinion");
    if (way_.empty() || way_.ends_with("at-end") || way_.ends_with("-itself")) return std::nullopt;
    return objection();
  }
  std::vector<record> ended(const system&) override {
    if (way_ == "throw-itself") throw std::runtime_error("no opinion");
    if (way_ == "abort-itself") std::abort();
    return way_.ends_with("at-end") ? std::vector{objection()} : std::vector<record>{};
  }

private:
  /// Of an invariant nothing is said, which is what a monitor means unless it says something else.
  [[nodiscard]] record objection() const {
    const auto kind = way_.substr(0, way_.find('-'));
    record broken;
    broken.message = "it is not as it should be";
    if (kind != "invariant") broken.kind = finding_kind_of(kind);
    return broken;
  }
  std::string way_;
};

class asked_objector final : public asked_judges {
public:
  void bind(CLI::App& line) override { line.add_option("--object", way_, "How")->group(judging_group); }
  void write(json_value& judgement) const override { judgement["object"] = way_; }
  void read(const json_value& judgement) override { way_ = field_as<std::string>(judgement, "object"); }
  [[nodiscard]] std::vector<std::unique_ptr<monitor>> make() const override {
    std::vector<std::unique_ptr<monitor>> one;
    if (!way_.empty()) one.push_back(std::make_unique<objector>(way_));
    return one;
  }

private:
  std::string way_;
};

std::unique_ptr<asked_judges> no_objector() { return std::make_unique<asked_objector>(); }

/// What is explored to find one of that kind.
std::vector<std::string> words_for(finding_kind kind) {
  switch (kind) {
    case finding_kind::assertion: return {"fails"};
    case finding_kind::deadlock: return {"waits"};
    case finding_kind::undelivered: return {"leaves", "--undelivered", "error"};
    case finding_kind::exception: return {"raises"};
    case finding_kind::crash: return {"aborts"};
    case finding_kind::nontermination: return {"loops", "--handler-limit", "1"};
    case finding_kind::invariant: return {"sees", "--object", "invariant"};
    case finding_kind::ltl: return {"sees", "--object", "ltl-at-end"};
    case finding_kind::conformance: return {"sees", "--object", "conformance"};
    case finding_kind::nondeterminism: return {"forgets"};
    case finding_kind::unexpected: return {"does-not-expect"};
    case finding_kind::declaration: return {"lies", "--independence", "fields"};
  }
  return {};
}

/// A trace of what `words` find; it is there as long as this.
class saved_trace {
public:
  explicit saved_trace(std::vector<std::string> words) {
    words.insert(words.begin(), "explore");
    words.insert(words.end(), {"--save-trace", path_});
    explored = run(words);
  }
  saved_trace(const saved_trace&) = delete;
  saved_trace& operator=(const saved_trace&) = delete;
  ~saved_trace() { std::filesystem::remove(path_); }

  [[nodiscard]] outcome replayed(const std::vector<std::string>& how = {}) const {
    std::vector<std::string> words = {"replay", path_};
    words.insert(words.end(), how.begin(), how.end());
    return run(words);
  }

  outcome explored;

private:
  static outcome run(const std::vector<std::string>& words) {
    return captured(words, [&](int argc, char** argv) {
      return harrier::main(argc, argv, villains(), extensions{.judges = {no_objector}});
    });
  }

  std::string path_ = testing::TempDir() + "every_kind_test." + std::to_string(getpid()) + ".json";
};

class FindingOf : public testing::TestWithParam<finding_kind> {};

TEST_P(FindingOf, ThatKindIsFoundAgainByItsTrace) {
  const saved_trace saved(words_for(GetParam()));
  const bool is_slow = GetParam() == finding_kind::nontermination;
  const auto replayed =
      saved.replayed(is_slow ? std::vector<std::string>{"--handler-limit", "1"} : std::vector<std::string>{});

  EXPECT_THAT(saved.explored.out, HasSubstr("Found " + std::string(to_string(GetParam())) + ":")) << saved.explored.err;
  EXPECT_THAT(replayed.out, HasSubstr("Found again " + std::string(to_string(GetParam())) + ":")) << replayed.err;
  EXPECT_EQ(replayed.status, saved.explored.status);
}

INSTANTIATE_TEST_SUITE_P(EveryKind, FindingOf, testing::ValuesIn(all_kinds()),
                         [](const auto& of) { return std::string(to_string(of.param)); });

class FindingOfAMonitorThat : public testing::TestWithParam<const char*> {};

TEST_P(FindingOfAMonitorThat, IsFoundAgainByItsTrace) {
  const saved_trace saved({"sees", "--object", GetParam()});
  const auto replayed = saved.replayed();

  EXPECT_EQ(saved.explored.status, 1) << saved.explored.err;
  EXPECT_EQ(replayed.status, 1) << replayed.out << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("Found again "));
}

INSTANTIATE_TEST_SUITE_P(Ways, FindingOfAMonitorThat,
                         testing::Values("invariant-at-end", "ltl", "conformance-at-end", "throw", "throw-itself",
                                         "abort-itself"),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace harrier
