#include <harrier/core/finding.hpp>

#include <array>

#include <harrier/core/error.hpp>

namespace harrier {
namespace {

constexpr std::array<std::string_view, 12> names = {
    "assertion", "deadlock", "undelivered", "exception",      "crash",      "nontermination",
    "invariant", "ltl",      "conformance", "nondeterminism", "unexpected", "declaration",
};

}  // namespace

std::string_view to_string(finding_kind kind) { return names[static_cast<std::size_t>(kind)]; }

finding_kind finding_kind_of(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<finding_kind>(i);
  throw error("'" + std::string(name) + "' is not a kind of finding");
}

}  // namespace harrier
