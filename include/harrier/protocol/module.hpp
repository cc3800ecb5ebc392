#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/protocol/generate.hpp>
#include <harrier/protocol/graph.hpp>
#include <harrier/protocol/probe.hpp>

namespace harrier::protocol {

/// There is no C++ compiler, or it does not compile a generated module.
class compiler_error : public harrier::error {
public:
  using harrier::error::error;
};

/// A generated module that was compiled and loaded into this process.
class loaded_module {
public:
  [[nodiscard]] const harrier_probe& probe() const noexcept { return *probe_; }
  /// Whether it was compiled before, by this or another process.
  [[nodiscard]] bool cached() const noexcept { return cached_; }

private:
  friend loaded_module load(const generated_module& module);
  std::shared_ptr<void> library_;
  const harrier_probe* probe_ = nullptr;
  bool cached_ = false;
};

/// Compiles `module` with the system's C++ compiler and loads it.
///
/// The compiler is `$CXX`, or else the first of c++, g++, clang++ that there
/// is. What was compiled is kept in `$XDG_CACHE_HOME/harrier/protocol`
/// (`~/.cache/harrier/protocol`), named after the module's text, the runtime's
/// and the compiler; two processes may do so at once.
///
/// @throws compiler_error
[[nodiscard]] loaded_module load(const generated_module& module);

/// All that a module allows, found out by trying: in each state, every send of
/// every type between any two roles, every receive and every close, through
/// try_send, try_recv and try_close. The states are what the module saves.
class module_space final : public transition_system {
public:
  /// @param probe     must outlive this object.
  /// @param capacity  given to the module: see the modes.
  explicit module_space(const harrier_probe& probe, std::size_t capacity = 0);
  ~module_space() override;

  [[nodiscard]] std::span<const transition> steps(state_id state) override;
  [[nodiscard]] const alphabet& names() const override;
  /// Whether a run may be left in `state`: what the module says.
  [[nodiscard]] bool may_end(state_id state) const;
  /// How many calls threw so far: in liberal mode, messages that would be lost.
  [[nodiscard]] std::size_t thrown() const noexcept;

  /// Frees the states: from now on `steps` and `may_end` must not be called.
  void forget_states();

  /// Runs a fresh module along `actions`. @return how many of them it did.
  [[nodiscard]] std::size_t replay(const std::vector<action>& actions) const;

private:
  class driver;
  std::unique_ptr<driver> driver_;
};

}  // namespace harrier::protocol
