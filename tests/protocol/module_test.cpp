#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>
#include <utility>

#include <harrier/protocol/check.hpp>
#include <harrier/protocol/liberal.hpp>
#include <harrier/protocol/module.hpp>
#include <harrier/protocol/parts.hpp>
#include <harrier/protocol/strict.hpp>

#include "cg_checked.hpp"
#include "cg_liberal.hpp"
#include "cg_strict.hpp"
#include "large_ring_checked.hpp"
#include "large_ring_strict.hpp"
#include "ring_checked.hpp"
#include "ring_liberal.hpp"
#include "ring_strict.hpp"
#include "support.hpp"

namespace harrier::protocol {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

generated_module generated(const explored_session& s, module_mode mode, const std::string& name = "p") {
  generate_options options;
  options.mode = mode;
  options.title = name;
  return generate(s, name, options);
}

TEST(Generation, WritesTheLineOfTheDefinitionBesideEachStep) {
  const auto s = session("(s/defrole ::a)\n(s/defrole ::b)\n(s/defsession ::p []\n (-->> T ::a ::b))", "p");

  EXPECT_THAT(generated(s, module_mode::strict).code, HasSubstr("// test.dcj:4: a SEND T TO b"));
  EXPECT_THAT(generated(s, module_mode::liberal).code, HasSubstr("// test.dcj:4: a SEND T TO b"));
  EXPECT_THAT(generated(s, module_mode::liberal_checked).code, HasSubstr("// test.dcj:4: a SEND T TO b"));
}

TEST(Generation, KeepsAllBranchesOfNondeterminism) {
  const auto s = session(
      session_p("(s/alt (s/cat (-->> T ::a ::b) (-->> T ::b ::c)) (s/cat (-->> T ::a ::b) (-->> U ::b ::c)))"), "p");
  for (const auto mode : {module_mode::strict, module_mode::liberal_checked}) {
    const auto loaded = load(generated(s, mode));
    const std::string formulas[] = {"!F \"b SEND T\"", "!F \"b SEND U\""};
    property_options options;
    options.ends = run_ends::finite;
    const auto report = check_probe(loaded.probe(), formulas, options);

    EXPECT_EQ(report.properties[0].holds, false) << "b may send T";
    EXPECT_EQ(report.properties[1].holds, false) << "b may send U";
  }
}

// On the stack, where a queue for each two roles would not fit.
template <class Module>
long value_that_went_round() {
  using role = typename Module::role;
  Module ring;
  constexpr unsigned roles = sizeof(Module::spec::roles) / sizeof(Module::spec::roles[0]);
  long token = 7;
  for (unsigned i = 0; i < roles; ++i) {
    const auto next = role((i + 1) % roles);
    typename Module::message got;
    if (!ring.try_send(role(i), next, token) || !ring.try_recv(next, role(i), got)) return -1;
    token = got.template get<long>() + 1;
  }
  return token;
}

TEST(Module, OfManyRolesFitsOnAStack) {
  EXPECT_EQ(value_that_went_round<large_ring_strict::token_ring>(), 607);
  EXPECT_EQ(value_that_went_round<large_ring_checked::token_ring>(), 607);
}

TEST(Generation, GivesAQueueToThosePairsAloneThatSpeak) {
  const auto ring = session(contents(own("token-ring")), "token-ring", {600, 0});

  EXPECT_THAT(generated(ring, module_mode::strict).code, HasSubstr("queues = 600;"));
  EXPECT_THAT(generated(ring, module_mode::liberal_checked).code, HasSubstr("queues = 600;"));
  EXPECT_THAT(generated(ring, module_mode::liberal).code, HasSubstr("queues = 600;")) << "one a role";
}

// By name, whatever the numbers of states: which actions are possible after each run.
std::set<std::vector<std::string>> runs_of(transition_system& space, std::size_t length) {
  std::vector<std::vector<state_id>> members;
  const auto graph = determinise(explore(space), members);
  std::set<std::vector<std::string>> result;
  std::vector<std::pair<state_id, std::vector<std::string>>> stack{{0, {}}};
  while (!stack.empty()) {
    const auto [state, run] = stack.back();
    stack.pop_back();
    result.insert(run);
    if (run.size() == length) continue;
    for (const auto& t : graph.steps[state]) {
      auto next = run;
      next.push_back(space.names().describe(space.names().actions()[t.action]));
      stack.emplace_back(t.target, std::move(next));
    }
  }
  return result;
}

class Ambiguous : public ::testing::TestWithParam<std::pair<const char*, explored_session (*)()>> {};

TEST_P(Ambiguous, LiberalModuleDoesWhatItsDefinitionDoes) {
  const auto s = GetParam().second();
  const auto loaded = load(generated(s, module_mode::liberal));
  module_space module(loaded.probe());
  liberal_space definition(s.graph, s.terms->names());

  EXPECT_EQ(runs_of(module, 9), runs_of(definition, 9));
}

INSTANTIATE_TEST_SUITE_P(
    , Ambiguous,
    ::testing::Values(std::pair{"choice",
                                +[] {
                                  return session(session_p("(s/alt (s/cat (-->> T ::a ::b) (-->> T ::b ::c))"
                                                           "       (s/cat (-->> T ::a ::b) (-->> U ::b ::c)))"),
                                                 "p");
                                }},
                      std::pair{"confluent_par",
                                +[] { return session(session_p("(s/par (-->> T ::a ::b) (-->> T ::a ::b))"), "p"); }},
                      std::pair{"go_fish", +[] { return session(contents(own("go-fish")), "go-fish", {3}); }},
                      std::pair{
                          "rock_paper_scissors",
                          +[] { return session(contents(own("rock-paper-scissors")), "rock-paper-scissors", {3}); }}),
    [](const auto& instance) { return instance.param.first; });

TEST(Generation, RefusesHandshakesOfSeveralMachinesAndUnsoundProjections) {
  for (const auto mode : {module_mode::liberal, module_mode::liberal_checked}) {
    EXPECT_THAT(to_string(generated(session(session_p("(--> T ::a ::b)"), "p"), mode).diagnostics),
                HasSubstr("handshake"));
  }
  EXPECT_THAT(to_string(generated(session(session_p("(s/alt (-->> T ::a ::b) (-->> T ::b ::a))"), "p"),
                                  module_mode::liberal_checked)
                            .diagnostics),
              HasSubstr("cannot know"));
}

TEST(Generation, RefusesNamesThatWouldBeOneInCpp) {
  const auto s = session("(s/defrole ::a-b) (s/defrole ::a_b) (s/defsession ::p [] (-->> T ::a-b ::a_b))", "p");

  EXPECT_THAT(to_string(generated(s, module_mode::strict).diagnostics), HasSubstr("are both `a_b` in C++"));
}

TEST(Generation, AvoidsKeywordsAndItsOwnNames) {
  const auto s = session(
      "(s/defrole ::new) (s/defrole ::role) (s/defsession ::2p [] (-->> class ::new ::role) (-->> p_2p ::role ::new))",
      "2p");
  for (const auto mode : {module_mode::strict, module_mode::liberal, module_mode::liberal_checked}) {
    EXPECT_NO_THROW(static_cast<void>(load(generated(s, mode, "2p"))));
  }
}

// As users would name them: what the module itself, its machine or its tables call so is in nobody's way.
TEST(Generation, AllowsMessagesToBeCalledLikeItsOwnFunctions) {
  std::string body;
  for (const auto* name : {"at", "recv", "std", "harrier", "kind", "received", "place", "find", "p_tables", "lines"}) {
    body += std::string("(-->> ") + name + " ::send ::std)";
  }
  const auto s = session("(s/defrole ::send) (s/defrole ::std) (s/defsession ::p [] " + body + ")", "p");
  for (const auto mode : {module_mode::strict, module_mode::liberal, module_mode::liberal_checked}) {
    auto module = generated(s, mode);
    module.code += "inline void use(protocols::p& module) {\n  using role = protocols::p::role;\n";
    for (const auto* name :
         {"at_", "recv_", "std_", "harrier_", "kind_", "received_", "place", "find", "p_tables_message", "lines_"}) {
      module.code += std::string("  module.send(role::send, role::std_, protocols::p::") + name + "{});\n";
      module.code += std::string("  module.recv<protocols::p::") + name + ">(role::std_, role::send);\n";
    }
    module.code += "}\n";
    EXPECT_NO_THROW(static_cast<void>(load(module))) << to_string(mode);
  }
}

TEST(Generation, AllowsTheSessionToBeCalledLikeAFunction) {
  for (const std::string name : {"recv", "std"}) {
    const auto s = session("(s/defrole ::a) (s/defrole ::b) (s/defsession ::" + name + " [] (-->> T ::a ::b))", name);
    auto module = generated(s, module_mode::strict, name);
    module.code +=
        "inline void use(protocols::" + name + "_& module) { module.send({}, {}, protocols::" + name + "_::T{}); }\n";
    EXPECT_NO_THROW(static_cast<void>(load(module)));
  }
}

TEST(Generation, KeepsMessagesOfOneCppTypeApart) {
  const auto s = session(session_p("(s/cat (-->> Price ::a ::b) (-->> Amount ::a ::b) (-->> Text ::a ::b))"), "p");
  generate_options options;
  options.types.types = {{"Price", "int"}, {"Amount", "int"}, {"Text", "long"}};
  auto module = generate(s, "p", options);
  module.code +=
      "inline int use(protocols::p& module) {\n"
      "  using module_type = protocols::p;\n  using role = module_type::role;\n"
      "  module.send(role::a, role::b, module_type::Price{5});\n"
      "  const int price = module.recv<module_type::Price>(role::b, role::a).value;\n"
      "  module.send(role::a, role::b, module_type::Amount{2});\n"
      "  module.send(role::a, role::b, 7L);\n  return price;\n}\n";

  EXPECT_EQ(to_string(module.diagnostics), "");
  EXPECT_NO_THROW(static_cast<void>(load(module)));
}

generated_module shop(const std::string& messages) {
  generate_options options;
  options.types.types = {{"Price", "int"}, {"Amount", "int"}, {"Text", "std::string"}};
  options.types.includes = {"<string>"};
  return generate(session(session_p("(s/cat (-->> Price ::a ::b) (-->> Text ::a ::b) " + messages + ")"), "p"), "p",
                  options);
}

// Whatever other messages there are, of the same C++ type or of the same name but for what is before a dot.
TEST(Generation, GivesEachMessageATypeThatOthersDoNotChange) {
  const auto* use =
      "#include <type_traits>\n"
      "inline int use(protocols::p& module) {\n"
      "  using module_type = protocols::p;\n  using role = module_type::role;\n"
      "  static_assert(!std::is_same_v<module_type::Price, int>);\n"
      "  module.send(role::a, role::b, module_type::Price{5});\n"
      "  module.send(role::a, role::b, std::string(\"text\"));\n"
      "  auto text = module.recv(role::b, role::a);\n"
      "  if (text.is<module_type::Text>()) text.get<module_type::Text>().value += text.get<std::string>();\n"
      "  return module.recv<module_type::Price>(role::b, role::a).value;\n}\n";
  for (const std::string more : {"", "(-->> Amount ::a ::b)", "(-->> Integer ::a ::b) (-->> shop.Price ::a ::b)"}) {
    auto module = shop(more);
    module.code += use;

    EXPECT_EQ(to_string(module.diagnostics), "");
    EXPECT_NO_THROW(static_cast<void>(load(module))) << more;
  }
}

TEST(Generation, NamesMessagesInFullAndInShortWhereThatIsTheirsAlone) {
  const auto names = [](const std::string& messages) {
    auto code = generated(session(session_p(messages), "p"), module_mode::strict).code;
    return code.substr(0, code.find("static constexpr"));
  };
  const auto one = names("(-->> game.Move ::a ::b)");
  const auto two = names("(s/cat (-->> game.Move ::a ::b) (-->> chess.Move ::a ::b))");

  EXPECT_THAT(one, AllOf(HasSubstr("struct game_Move {"), HasSubstr("using Move = game_Move;")));
  EXPECT_THAT(two, AllOf(HasSubstr("struct game_Move {"), Not(HasSubstr("using Move = "))));
}

TEST(Generation, TakesAValueForAMessageOnlyIfNoOtherHasItsType) {
  auto module = shop("(-->> Amount ::a ::b)");
  module.code +=
      "inline void use(protocols::p& module) { module.send(protocols::p::role::a, protocols::p::role::b, 5); }\n";
  std::string message;
  try {
    static_cast<void>(load(module));
  } catch (const compiler_error& e) {
    message = e.what();
  }

  EXPECT_THAT(message, HasSubstr("say which, by its name in"));
}

TEST(Generation, ReadsTypesFromAMapping) {
  std::vector<diagnostic> diagnostics;
  const auto mapping =
      parse_mapping("// types\n#include <string>\nMove = std::string\nnonsense\n", "types.txt", diagnostics);

  EXPECT_EQ(mapping.types.at("Move"), "std::string");
  EXPECT_EQ(mapping.includes.at(0), "<string>");
  EXPECT_THAT(to_string(diagnostics), HasSubstr("types.txt:4:1: error: nonsense"));
}

TEST(Loader, FindsWhatWasCompiledBefore) {
  const auto module = generated(session(session_p("(-->> T ::a ::b)"), "p"), module_mode::strict);
  static_cast<void>(load(module));

  EXPECT_TRUE(load(module).cached());
}

TEST(Loader, NamesTheWayOutWhereThereIsNoCompiler) {
  const char* before = std::getenv("CXX");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("CXX", "/nowhere/c++", 1);
  std::string message;
  try {
    static_cast<void>(load(generated(session(session_p("(-->> T ::a ::b)"), "p"), module_mode::strict)));
  } catch (const compiler_error& e) {
    message = e.what();
  }
  before == nullptr ? ::unsetenv("CXX") : ::setenv("CXX", kept.c_str(), 1);

  EXPECT_THAT(message, HasSubstr("the definition can be checked without compiling"));
}

TEST(ModuleSpace, OfAStrictModuleIsThatOfTheDefinition) {
  const auto s = session(contents(own("cg")), "cg", {2});
  const auto loaded = load(generated(s, module_mode::strict, "cg"));
  module_space space(loaded.probe());
  strict_space definition(*s.terms);

  EXPECT_EQ(count(explore(space)), count(explore(definition)));
}

// What roles have several machines for, beside each other and one after the other.
class SeveralMachines : public ::testing::TestWithParam<const char*> {};

TEST_P(SeveralMachines, DoWhatOneForEachRoleDoes) {
  const auto parts = explore_parts(parsed(session_p(GetParam())), "p", {}, 0);
  generate_options options;
  options.mode = module_mode::liberal_checked;
  options.watch.largest_product = 1'000'000;
  const auto one = generate(parts, "p", options);
  options.watch.largest_product = 1;
  const auto several = generate(parts, "p", options);
  const auto with_one = load(one);
  const auto with_several = load(several);
  module_space space_of_one(with_one.probe(), 2);
  module_space space_of_several(with_several.probe(), 2);
  const auto expected = explore(space_of_one);
  const auto found = explore(space_of_several);

  ASSERT_THAT(one.code, Not(HasSubstr(" machines[]")));
  ASSERT_THAT(several.code, HasSubstr(" machines[]"));
  ASSERT_EQ(count(found), count(expected));
  EXPECT_GT(found.states(), 10U);
  for (state_id s = 0; s < found.states(); ++s) {
    const auto out = [s](const state_graph& graph, const module_space& space) {
      std::vector<std::string> words;
      for (const auto& t : graph.steps[s]) {
        words.push_back(space.names().describe(space.names().actions()[t.action]) + " " + std::to_string(t.target));
      }
      return words;
    };
    EXPECT_EQ(out(found, space_of_several), out(expected, space_of_one));
    EXPECT_EQ(space_of_several.may_end(s), space_of_one.may_end(s));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Module, SeveralMachines,
    ::testing::Values(
        "(s/par-every [i (range 3)] (s/* [(-->> T ::a (::w i)) (-->> U (::w i) ::a)] (-->> V ::a (::w i))))",
        "(s/cat (-->> T ::a ::b) (s/par [(-->> T ::a ::b) (-->> U ::b ::a)] [(-->> T ::a ::c) (-->> U ::c"
        " ::a)]) (s/par (-->> V ::a ::b) (-->> W ::c ::a) (-->> W ::b ::d)))",
        "(s/par (s/channel ::a ::b 2 (s/* (-->> T ::a ::b))) (s/channel ::b ::a 1 (s/* (-->> U ::b ::a)))"
        " (s/cat (s/par (-->> V ::d ::a) (-->> V ::d ::w)) (-->> W ::w ::d)))"));

template <class Module>
class GeneratedRing : public ::testing::Test {};
using rings = ::testing::Types<ring_strict::token_ring, ring_liberal::token_ring, ring_checked::token_ring>;
TYPED_TEST_SUITE(GeneratedRing, rings);

TYPED_TEST(GeneratedRing, PassesATokenAmongThreads) {
  using role = typename TypeParam::role;
  TypeParam ring;
  std::vector<std::thread> nodes;
  std::atomic<long> sum = 0;
  for (unsigned i = 0; i < 3; ++i) {
    nodes.emplace_back([&, i] {
      auto self = ring.at(role(i));
      for (int round = 0; round < 200; ++round) {
        long token = round;
        if (i != 0) token = self.template recv<long>(role(i - 1));
        self.send(role((i + 1) % 3), token + 1);
        if (i == 0) sum += self.template recv<long>(role(2));
      }
    });
  }
  for (auto& n : nodes) n.join();

  EXPECT_EQ(sum, 200 * 199 / 2 + 3 * 200);
}

TYPED_TEST(GeneratedRing, RefusesWhatIsNotPossibleNowAndThrowsForWhatNeverWillBe) {
  using role = typename TypeParam::role;
  TypeParam ring;
  typename TypeParam::message into;

  EXPECT_FALSE(ring.try_send(role(1), role(2), 1L)) << "node 1 has no token yet";
  EXPECT_FALSE(ring.try_recv(role(1), role(0), into)) << "nothing is under way";
  EXPECT_THROW(ring.send(role(0), role(2), 1L), runtime::not_allowed);
  EXPECT_THROW(static_cast<void>(ring.recv(role(0), role(2))), runtime::not_allowed) << "node 0 must send first";
  EXPECT_TRUE(ring.try_send(role(0), role(1), 7L));
  EXPECT_TRUE(ring.try_recv(role(1), role(0), into));
  EXPECT_EQ(into.template get<long>(), 7);
}

TYPED_TEST(GeneratedRing, HoldsItsPropertiesAndShowsTheRunThatViolatesOthers) {
  const TypeParam ring;

  EXPECT_TRUE(check(ring, "G(\"node_0_ SEND\" -> F \"node_1_ RECV\")"));
  const auto verdict = check(ring, "G !\"node_2_ RECV\"");
  const ::testing::AssertionResult shown = verdict;
  EXPECT_FALSE(shown);
  EXPECT_THAT(shown.message(), HasSubstr("node_2_ RECV Token FROM node_1_"));
}

TEST(StrictModule, ThrowsInAThreadThatWaitsForWhatBecomesImpossible) {
  using role = cg_strict::cg::role;
  cg_strict::cg kernel;
  std::thread worker([&] {
    auto self = kernel.at(role::worker_0_);
    static_cast<void>(self.recv(role::master));
    self.send(role::master, cg_strict::cg::Done{});
    EXPECT_THROW(static_cast<void>(self.recv(role::master)), runtime::not_allowed);
  });
  auto master = kernel.at(role::master);
  master.send(role::worker_0_, cg_strict::cg::Exit{});
  static_cast<void>(master.recv(role::worker_0_));
  worker.join();
}

TEST(CheckedModule, LeavesAMessageThatIsForLaterWhereItIs) {
  using role = cg_checked::cg::role;
  cg_checked::cg kernel;
  cg_checked::cg::message into;
  auto master = kernel.at(role::master);
  master.send(role::worker_0_, cg_checked::cg::Compute{});
  master.send(role::worker_1_, cg_checked::cg::Compute{});
  auto second = kernel.at(role::worker_1_);
  static_cast<void>(second.recv(role::master));
  second.send(role::master, cg_checked::cg::Done{});

  EXPECT_FALSE(master.try_recv_any(into)) << "worker 1 was quicker, but worker 0 is next";
  auto first = kernel.at(role::worker_0_);
  static_cast<void>(first.recv(role::master));
  first.send(role::master, cg_checked::cg::Done{});
  EXPECT_TRUE(master.try_recv(role::worker_0_, into));
  EXPECT_TRUE(master.try_recv(role::worker_1_, into));
}

TEST(LiberalModule, TakesWhateverComesFirst) {
  using role = cg_liberal::cg::role;
  cg_liberal::cg kernel;
  cg_liberal::cg::message into;
  auto master = kernel.at(role::master);
  master.send(role::worker_0_, cg_liberal::cg::Compute{});
  master.send(role::worker_1_, cg_liberal::cg::Compute{});
  auto second = kernel.at(role::worker_1_);
  static_cast<void>(second.recv(role::master));
  second.send(role::master, cg_liberal::cg::Done{});

  EXPECT_TRUE(master.try_recv(role::worker_0_, into)) << "worker 1's answer is taken for worker 0's: not sound";
}

TEST(CheckedModule, KeepsTheTypesApart) {
  using role = cg_checked::cg::role;
  cg_checked::cg kernel;
  kernel.send(role::master, role::worker_0_, cg_checked::cg::Exit{});

  EXPECT_THROW(static_cast<void>(kernel.recv<cg_checked::cg::Compute>(role::worker_0_, role::master)),
               runtime::wrong_type);
  EXPECT_NO_THROW(static_cast<void>(kernel.recv<cg_checked::cg::Exit>(role::worker_0_, role::master)));
}

TEST(CheckedModule, WaitsForRoomInABoundedQueue) {
  const auto s = session(session_p("(s/* (-->> T ::a ::b))"), "p");
  const auto loaded = load(generated(s, module_mode::liberal_checked));
  module_space unbounded(loaded.probe());
  module_space bounded(loaded.probe(), 3);

  EXPECT_FALSE(explore(unbounded, 50).complete());
  EXPECT_EQ(explore(bounded, 50).states(), 4U);
}

}  // namespace
}  // namespace harrier::protocol
