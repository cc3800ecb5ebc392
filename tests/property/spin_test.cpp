// Our verdicts against spin's: its never claim for a formula is read here, and searched for an accepted run over a
// word.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <harrier/property/check.hpp>

#include "oracle.hpp"

namespace harrier::test {
namespace {

using ::testing::IsEmpty;

bool spin_is_installed() { return std::system("spin -V > /dev/null 2>&1") == 0; }

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const auto count = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) text.append(buffer.data(), count);
  return text;
}

/// The formula in spin's syntax, with all its parentheses. W, R and M are written by others.
std::string for_spin(const formula& f) {
  std::vector<std::string> text;
  for (const auto& n : f.nodes()) {
    const auto a = [&] { return "(" + text[n.left] + ")"; };
    const auto b = [&] { return "(" + text[n.right] + ")"; };
    switch (n.op) {
      case ltl_operator::constant_true: text.push_back("true"); break;
      case ltl_operator::constant_false: text.push_back("false"); break;
      case ltl_operator::atom: text.push_back(f.atoms()[n.left]); break;
      case ltl_operator::negation: text.push_back("!" + a()); break;
      case ltl_operator::next: text.push_back("X" + a()); break;
      case ltl_operator::eventually: text.push_back("<>" + a()); break;
      case ltl_operator::always: text.push_back("[]" + a()); break;
      case ltl_operator::conjunction: text.push_back(a() + "&&" + b()); break;
      case ltl_operator::disjunction: text.push_back(a() + "||" + b()); break;
      case ltl_operator::implication: text.push_back(a() + "->" + b()); break;
      case ltl_operator::equivalence: text.push_back(a() + "<->" + b()); break;
      case ltl_operator::exclusive_or: text.push_back("!(" + a() + "<->" + b() + ")"); break;
      case ltl_operator::until: text.push_back(a() + "U" + b()); break;
      case ltl_operator::weak_until: text.push_back("(" + a() + "U" + b() + ")||([]" + a() + ")"); break;
      case ltl_operator::release: text.push_back(a() + "V" + b()); break;
      case ltl_operator::strong_release: text.push_back(b() + "U(" + a() + "&&" + b() + ")"); break;
    }
  }
  return text.back();
}

/// A Büchi automaton as spin writes it.
struct never_claim {
  struct edge {
    formula guard;
    std::string target;  // a label
  };
  std::vector<std::vector<edge>> edges;      // by state
  std::map<std::string, std::size_t> state;  // by label: a state may have several
  std::set<std::size_t> accepting;
};

/// Guards are names, true, false and 1, joined by ! && || and parentheses.
formula guard_of(const std::string& text) { return parse_formula(text).value.value(); }

never_claim read_claim(const std::string& text) {
  static const std::regex label(R"(^(\w+):)");
  static const std::regex edge(R"(^\s*:: (.*) -> goto (\w+))");
  static const std::regex last_edge(R"(^\s*:: atomic \{ (.*) -> assert\()");  // on to accept_all
  never_claim claim;
  bool is_alias = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    const bool is_label = std::regex_search(line, match, label);
    if (is_label) {
      if (!is_alias) claim.edges.emplace_back();
      claim.state[match[1]] = claim.edges.size() - 1;
      if (match[1].str().starts_with("accept")) claim.accepting.insert(claim.edges.size() - 1);
    } else if (std::regex_search(line, match, edge)) {
      claim.edges.back().push_back({guard_of(match[1]), match[2]});
    } else if (std::regex_search(line, match, last_edge)) {
      claim.edges.back().push_back({guard_of(match[1]), "accept_all"});
    } else if (line.find("skip") != std::string::npos) {
      claim.edges.back().push_back({formula::truth(true), "accept_all"});
    }
    is_alias = is_label;
  }
  return claim;
}

using position = std::pair<std::size_t, std::size_t>;  // a state, an index in a word

std::set<position> after(const never_claim& claim, const word& w, const std::set<position>& from) {
  std::set<position> reached;
  std::vector<position> pending(from.begin(), from.end());
  while (!pending.empty()) {
    const auto [state, i] = pending.back();
    pending.pop_back();
    const auto next = i + 1 < w.read.size() ? i + 1 : *w.loop;
    for (const auto& edge : claim.edges[state]) {
      const position there{claim.state.at(edge.target), next};
      if (satisfies({{w.read[i]}, std::nullopt}, edge.guard) && reached.insert(there).second) pending.push_back(there);
    }
  }
  return reached;
}

bool accepts(const never_claim& claim, const word& w) {
  auto reachable = after(claim, w, {{0, 0}});
  reachable.emplace(0, 0);
  for (const auto& here : reachable) {
    if (claim.accepting.contains(here.first) && after(claim, w, {here}).contains(here)) return true;
  }
  return false;
}

bool has_next(const formula& f) {
  return std::any_of(f.nodes().begin(), f.nodes().end(), [](const auto& n) { return n.op == ltl_operator::next; });
}

/// Debian's spin is built without -DNXT, and then has no X.
bool spin_has_next() { return output_of("spin -f 'X p' 2>&1").starts_with("never"); }

/// Words on which spin and `check` differ.
std::vector<std::string> disagreements(unsigned seed, int count) {
  std::mt19937 random(seed);
  const bool next_is_known = spin_has_next();
  std::vector<std::string> found;
  for (int i = 0; i < count; ++i) {
    const auto f = random_formula(random, 1 + below(random, 4));
    if (has_next(f) && !next_is_known) continue;
    const auto claim = read_claim(output_of("spin -f '" + for_spin(f) + "' 2>&1"));
    if (claim.edges.empty()) {
      found.push_back("no claim for " + for_spin(f));
      continue;
    }
    for (int j = 0; j < 5; ++j) {
      auto m = random_system(random, 1 + below(random, 4), 1, 1);
      const auto w = word_of(runs_up_to(5, m, {}).front(), m);
      if (accepts(claim, w) != check(m, {&f, 1}).front().holds) found.push_back(to_string(f));
    }
  }
  return found;
}

TEST(Spin, AgreesOnRandomFormulasAndWords) {
  if (!spin_is_installed()) GTEST_SKIP() << "spin is not installed (Debian: apt install spin)";

  EXPECT_THAT(disagreements(31, 150), IsEmpty());
}

}  // namespace
}  // namespace harrier::test
