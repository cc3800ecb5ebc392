#pragma once

#include <string>
#include <string_view>

#include <harrier/core/program.hpp>

namespace harrier {

/// Who searches: one of engine_names(). A word that names none is refused where it is written, not by the search.
class engine_choice {
public:
  /// `auto`, which tries optimal for a moment, and that is enough for a small program; else it samples random
  /// executions for bugs, tries stateful, and picks one of the two.
  constexpr engine_choice() = default;
  /// @throws error  naming all of them, if none has that name.
  // NOLINTNEXTLINE(google-explicit-constructor): `how.search.engine = "optimal"`
  engine_choice(std::string_view name);
  // NOLINTNEXTLINE(google-explicit-constructor): the same, which one conversion has to do
  engine_choice(const std::string& name) : engine_choice(std::string_view(name)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  engine_choice(const char* name) : engine_choice(std::string_view(name)) {}

  [[nodiscard]] constexpr std::string_view name() const { return name_; }
  /// Trials are to say who.
  [[nodiscard]] constexpr bool is_automatic() const { return name_ == engine_choice().name_; }
  friend constexpr bool operator==(engine_choice, engine_choice) = default;

private:
  std::string_view name_ = "auto";  // as the table of engines has it
};

/// Which actor goes first, for engines that have a choice: one of ordering_names(), fifo unless one is said.
class ordering_choice {
public:
  constexpr ordering_choice() = default;
  /// @throws error  naming all of them, if none has that name.
  // NOLINTNEXTLINE(google-explicit-constructor): `how.search.ordering = "lifo"`
  ordering_choice(std::string_view name);
  // NOLINTNEXTLINE(google-explicit-constructor): the same, which one conversion has to do
  ordering_choice(const std::string& name) : ordering_choice(std::string_view(name)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  ordering_choice(const char* name) : ordering_choice(std::string_view(name)) {}

  [[nodiscard]] constexpr std::string_view name() const { return name_; }
  friend constexpr bool operator==(ordering_choice, ordering_choice) = default;

private:
  std::string_view name_ = "fifo";  // as the table of orderings has it
};

/// A delivery model; unless one is said, that of the program: causal for one
/// whose library delivers so, unordered for others (program::usual_delivery).
class delivery_choice {
public:
  constexpr delivery_choice() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): `how.search.delivery = delivery::fifo`
  constexpr delivery_choice(harrier::delivery said) : model_(said), is_said_(true) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr operator harrier::delivery() const { return model_; }
  [[nodiscard]] constexpr bool is_said() const { return is_said_; }

private:
  harrier::delivery model_ = harrier::delivery::unordered;
  bool is_said_ = false;
};

}  // namespace harrier
