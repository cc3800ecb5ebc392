#pragma once

#include <map>
#include <string>
#include <vector>

#include <harrier/cli/main.hpp>
#include <harrier/report/json.hpp>

namespace harrier {

using catalogue = std::vector<catalogue_entry>;

/// A program of the catalogue with values for all its parameters.
struct chosen_program {
  std::string name;
  arguments values;
  program made;
  options how;  ///< unless the command line says otherwise

  /// The values as they are written on the command line.
  [[nodiscard]] std::map<std::string, std::string> parameters() const;
  /// The values as JSON: numbers are numbers.
  [[nodiscard]] json_value parameters_as_json() const;
};

/// `5` or `foundry`.
std::string text_of(const parameter& p);
/// The parameter's value as JSON.
json_value json_of(const parameter& p);

/// The program `name` of `from` with the given values, the declared defaults
/// for the rest. @throws error that says what there is instead, or what of the
/// program's options is not for it to set.
chosen_program choose_program(const catalogue& from, const std::string& name,
                              const std::map<std::string, std::string>& given);

/// The options of that program, the usual ones if there is none.
options options_of(const catalogue& from, const std::string& name);

/// `key=value` words as a map. @throws error for another word, or one twice.
std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& words);

}  // namespace harrier
