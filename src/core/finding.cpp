#include <harrier/core/finding.hpp>

#include <array>
#include <tuple>

#include <harrier/core/error.hpp>

#include "finding_origin.hpp"

namespace harrier {

bool trace_step::operator==(const trace_step& other) const {
  const auto all = [](const trace_step& s) {
    return std::tie(s.id, s.message, s.receiver, s.event, s.state, s.choices, s.sends, s.faults, s.creates, s.destroys,
                    s.machinery, s.findings);
  };
  return all(*this) == all(other);
}

namespace {

/// What there is to know of a kind, in the order of finding_kind.
struct kind_facts {
  std::string_view name;
  finding_origin origin;
  std::string_view looked_right = {};
  std::string_view ends_search_as = {};
};

using enum finding_origin;

constexpr std::array<kind_facts, 12> kinds = {{
    {"assertion", a_step},
    {"deadlock", an_end},
    {"undelivered", an_end},
    {"exception", a_step},
    {"crash", the_process},
    {"nontermination", the_process},
    {"invariant", a_monitor},
    {"ltl", a_monitor},
    {"conformance", a_monitor},
    {"nondeterminism", the_search,
     "each handler repeated itself; one that depends on something outside may do so by chance",
     "a handler that is not deterministic"},
    {"unexpected", a_step},
    {"declaration", the_search, "each handler did what it is declared to do",
     "a handler that is not what it is declared to be"},
}};

const kind_facts& facts_of(finding_kind kind) { return kinds.at(static_cast<std::size_t>(kind)); }

}  // namespace

std::string_view to_string(finding_kind kind) { return facts_of(kind).name; }
finding_origin origin_of(finding_kind kind) { return facts_of(kind).origin; }
std::string_view looked_right(finding_kind kind) { return facts_of(kind).looked_right; }
std::string_view ends_search_as(finding_kind kind) { return facts_of(kind).ends_search_as; }

finding_kind finding_kind_of(std::string_view name) {
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].name == name) return static_cast<finding_kind>(i);
  throw error("'" + std::string(name) + "' is not a kind of finding");
}

}  // namespace harrier
