#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include <harrier/core/monitor.hpp>
#include <harrier/report/json.hpp>

namespace harrier {

/// By what executions are judged, beside the checks of the program itself: as
/// it was asked for on the command line, files already read.
struct judgement {
  std::vector<std::string> properties;  ///< formulas
  std::string ends = "finite";
  std::string definition_file;  ///< empty: no protocol
  std::string definition;       ///< what is in it
  std::vector<std::string> session;
  std::vector<std::string> roles;     ///< `server=white`
  std::vector<std::string> messages;  ///< `set=Move`

  [[nodiscard]] bool empty() const { return properties.empty() && definition_file.empty(); }
};

/// Binds `--property`, `--conforms-to` and what belongs to them; files are read
/// when the options are. `asked` must outlive the parse.
void bind_judgement_options(CLI::App& line, judgement& asked);

/// For trace files.
[[nodiscard]] json_value to_json(const judgement& asked);
/// @throws error  a field is missing or of the wrong type.
[[nodiscard]] judgement judgement_from(const json_value& json);

/// The monitors of a judgement.
class judges {
public:
  /// @throws error  something in `asked` is wrong: one line that says what.
  explicit judges(const judgement& asked);

  /// All of them as one; null if there is none.
  [[nodiscard]] monitor* all() const { return all_.get(); }

private:
  std::vector<std::unique_ptr<monitor>> each_;
  std::unique_ptr<monitor> all_;
};

}  // namespace harrier
