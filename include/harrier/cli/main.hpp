#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <harrier/native/compiler.hpp>

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>
#include <harrier/native/program.hpp>

namespace harrier {

/// A parameter of a program in a catalogue: `workers=5` on the command line.
struct parameter {
  std::string name = {};
  /// The value when none is given; its type is the parameter's.
  std::variant<std::int64_t, std::string> value = {};
  std::string about = {};
  /// Of a number: the least and greatest value allowed.
  std::int64_t least = 0;
  std::int64_t greatest = 1'000'000;
  /// Of a word: the words allowed; empty for any.
  std::vector<std::string> words = {};
};

/// The values of a program's parameters, checked against their declarations.
class arguments {
public:
  /// The declared defaults.
  explicit arguments(const std::vector<parameter>& declared) : values_(declared) {}

  /// @throws error if the program has no such parameter, or the text is no
  ///         value of it; says what is allowed. Nothing is changed then.
  void set(const std::string& name, const std::string& text);

  [[nodiscard]] std::int64_t number(const std::string& name) const;
  [[nodiscard]] const std::string& word(const std::string& name) const;
  [[nodiscard]] const std::vector<parameter>& all() const { return values_; }

private:
  std::vector<parameter> values_;
};

/// A program that the command line can explore by name.
struct catalogue_entry {
  /// A program without parameters, started by `driver` (see make_program).
  template <class Driver>
    requires(!std::same_as<Driver, program>)
  catalogue_entry(std::string program_name, Driver driver, options explored_how = {})
      : name(std::move(program_name)),
        make([driver = std::move(driver)](const arguments&) { return make_program(driver); }),
        how(std::move(explored_how)) {}

  /// A program with parameters; `make_it` gives it for their values. It throws
  /// error for a combination of values that makes no program.
  catalogue_entry(std::string program_name, std::string what_it_is, std::vector<parameter> its_parameters,
                  std::function<program(const arguments&)> make_it, options explored_how = {})
      : name(std::move(program_name)),
        about(std::move(what_it_is)),
        parameters(std::move(its_parameters)),
        make(std::move(make_it)),
        how(std::move(explored_how)) {}

  std::string name;
  /// One line.
  std::string about;
  std::vector<parameter> parameters;
  std::function<program(const arguments&)> make;
  /// What `explore` does with this program unless the command line says
  /// otherwise, `how.search.delivery = delivery::fifo` say. Who judges and who watches
  /// is for the command line alone: `judge`, `on_progress`, `on_finding`,
  /// `on_checkpoint` and `wiring` must be left as they are.
  options how;
  /// `zoo`: a published bug of a real system, which `harrier list --zoo` shows; `list` shows those programs below the
  /// others, with a line each.
  std::string group = {};
};

/// The command line `harrier list|explore|replay|...` over the programs of
/// `catalogue`. A user's own binary is
///
///     int main(int argc, char** argv) { return harrier::main(argc, argv, {{"bank", bank}}); }
///
/// @return the exit status: 0 explored completely, no finding; 1 a finding;
///         2 wrong usage or input; 3 a limit stopped the search, no finding so
///         far; 4 the program cannot be tested; 5 an output could not be
///         written, instead of 0 and 3.
int main(int argc, char** argv, const std::vector<catalogue_entry>& catalogue);

}  // namespace harrier
