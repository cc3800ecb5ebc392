#pragma once

#include <optional>
#include <vector>

#include <harrier/core/finding.hpp>

namespace harrier {

/// All kinds of findings there are. The compiler refuses this for a kind that is left out.
inline std::vector<finding_kind> all_kinds() {
  const auto following = [](finding_kind kind) -> std::optional<finding_kind> {
    switch (kind) {
      case finding_kind::assertion: return finding_kind::deadlock;
      case finding_kind::deadlock: return finding_kind::undelivered;
      case finding_kind::undelivered: return finding_kind::exception;
      case finding_kind::exception: return finding_kind::crash;
      case finding_kind::crash: return finding_kind::nontermination;
      case finding_kind::nontermination: return finding_kind::invariant;
      case finding_kind::invariant: return finding_kind::ltl;
      case finding_kind::ltl: return finding_kind::conformance;
      case finding_kind::conformance: return finding_kind::nondeterminism;
      case finding_kind::nondeterminism: return finding_kind::unexpected;
      case finding_kind::unexpected: return finding_kind::declaration;
      case finding_kind::declaration: break;
    }
    return std::nullopt;
  };
  std::vector<finding_kind> all;
  for (std::optional<finding_kind> kind{}; (kind = all.empty() ? finding_kind::assertion : following(all.back()));)
    all.push_back(*kind);
  return all;
}

}  // namespace harrier
