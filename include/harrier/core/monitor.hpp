#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/finding.hpp>

namespace harrier {

class archive_reader;
class archive_writer;
class system;
struct exploration;

/// Judges an execution while it runs: sees each delivery and the end, and says
/// when a property is broken. It goes back with the search.
///
/// Under a reduction only one order of independent deliveries is seen, so a
/// monitor may rely on the local state of one actor, and on the order of the
/// deliveries to one actor. One that relies on more says so (order_dependence)
/// and is refused there.
class monitor {
public:
  virtual ~monitor() = default;

  /// The last step of `system` was taken. @return what it breaks, if anything;
  /// the search records it as a finding of that step (step_index and kind are
  /// filled in: an invariant unless another kind is given).
  virtual std::optional<record> stepped(const system& system) = 0;

  /// The last step of `system` is about to be taken back.
  virtual void undone(const system& system) { static_cast<void>(system); }

  /// `system` is at the end of an execution: nothing can be delivered, or the
  /// depth limit was reached, or a step failed. @return what it breaks; `at` is
  /// the step after which that was certain, whatever would follow, or no_step
  /// if only the end shows it.
  virtual std::vector<record> ended(const system& system) {
    static_cast<void>(system);
    return {};
  }

  /// `system` is somewhere on its way: what is broken, whatever will follow, and was not told by stepped(). Of each
  /// `at` is the step after which that was certain.
  virtual std::vector<record> broken_for_good(const system& system) {
    static_cast<void>(system);
    return {};
  }

  /// Why one order of independent deliveries is not enough to judge by, in
  /// words that go on `..., and`; empty if it is. `initial`: the program before
  /// its first delivery.
  [[nodiscard]] virtual std::string order_dependence(const system& initial) const {
    static_cast<void>(initial);
    return {};
  }

  /// Whether it could tell which of two deliveries to one actor came first if both left its state as it was
  /// and sent nothing. Then their order is tried (search_options::observers). Unless overridden it could.
  [[nodiscard]] virtual bool tells_observers_apart() const { return true; }

  /// Another one that judges by the same and has seen nothing yet, for the system
  /// of another worker. Null, unless overridden: then there can be one worker only.
  [[nodiscard]] virtual std::unique_ptr<monitor> another() const { return nullptr; }
  /// The search of `other`, which another() made, is over: takes over what it has
  /// seen, for conclusions().
  virtual void join(const monitor& other) { static_cast<void>(other); }

  /// What it judges by, in words: a checkpoint is refused to a monitor that judges
  /// by something else. Empty, unless overridden together with save() and load():
  /// then the search cannot be written to a checkpoint.
  [[nodiscard]] virtual std::string criterion() const { return {}; }
  /// Writes down what it has seen, for conclusions().
  virtual void save(archive_writer& to) const { static_cast<void>(to); }
  /// What save() wrote, of one that judges by the same, is what it has seen; it has
  /// seen nothing before.
  virtual void load(archive_reader& from) { static_cast<void>(from); }

  /// The search is over, with that result. @return what the user should know,
  /// a sentence each: what was proved, what cannot have been meant.
  [[nodiscard]] virtual std::vector<std::string> conclusions(const exploration& result) const {
    static_cast<void>(result);
    return {};
  }
};

/// Several monitors as one. They are not owned, but for those of another().
class monitors final : public monitor {
public:
  explicit monitors(std::vector<monitor*> all) : all_(std::move(all)) {}

  std::optional<record> stepped(const system& system) override;
  void undone(const system& system) override;
  std::vector<record> ended(const system& system) override;
  std::vector<record> broken_for_good(const system& system) override;
  [[nodiscard]] std::string order_dependence(const system& initial) const override;
  [[nodiscard]] bool tells_observers_apart() const override;
  [[nodiscard]] std::unique_ptr<monitor> another() const override;
  void join(const monitor& other) override;
  [[nodiscard]] std::string criterion() const override;
  void save(archive_writer& to) const override;
  void load(archive_reader& from) override;
  [[nodiscard]] std::vector<std::string> conclusions(const exploration& result) const override;

private:
  std::vector<monitor*> all_;
  std::vector<std::unique_ptr<monitor>> own_;  // those of them that another() made
  std::vector<record> held_;                   // of steps in which more than one spoke: told at the end
};

}  // namespace harrier
