#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

class archive_writer;
class archive_reader;

/// Which actor goes first. An ordering sorts *actors*, looking only at their
/// deliverable messages; the messages of one actor stay in the order sent (but
/// for `sgr`, whose relation is not transitive: from 7 messages on its sort may
/// take an actor's newer message first, as the published program does).
///
/// It changes how many executions a reduction explores (for `optimal`
/// only which comes first), never what is found.
///
/// @par Source  S. Lauterburg: Systematic testing for actor programs, section
///      4.2; of `stability` see src/ordering/stability.hpp.
class ordering {
public:
  virtual ~ordering() = default;

  /// Sorts the deliverable messages of `system`, given in the order sent.
  virtual void arrange(const system& system, std::vector<message_slot>& deliverable) = 0;

  /// Whether arrange() always begins with the oldest message, which is known
  /// without sorting, and nothing is learnt.
  [[nodiscard]] virtual bool begins_with_oldest() const { return false; }

  /// Whether arrange() depends on what was learnt, not on the state alone.
  [[nodiscard]] virtual bool learns() const { return false; }

  /// Learns from the last step, once, when its state is first reached; before
  /// the messages of that state are arranged. What was learnt is kept for the
  /// whole exploration and not undone.
  virtual void learn(const system& system) { static_cast<void>(system); }

  /// Appends what it has to say of the states that it arranged.
  virtual void tell(std::vector<statistic>& to) const { static_cast<void>(to); }

  /// Writes down what was learnt.
  virtual void save(archive_writer& to) const { static_cast<void>(to); }
  /// What `save` wrote, of the same ordering for the same program, is what was
  /// learnt.
  virtual void load(archive_reader& from) { static_cast<void>(from); }
};

/// `eca`, `lca`, `fifo`, `lifo`, `ldm`, `hdm`, `hms`, `sgr` or `stability`.
/// @param system  in its initial configuration: what the set-up sent is learnt.
/// @throws error if there is no ordering of that name.
std::unique_ptr<ordering> make_ordering(std::string_view name, const system& system);

/// Whether the ordering of that name learns from the whole search: what it arranges depends on all that came before.
bool ordering_learns(std::string_view name);

/// The names that make_ordering knows; the default (fifo) first.
std::vector<std::string> ordering_names();

}  // namespace harrier
