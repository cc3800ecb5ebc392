#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <harrier/core/monitor.hpp>
#include <harrier/report/json.hpp>

#include "../cli11.hpp"

namespace harrier {

struct extensions;
struct specification;

/// What `--until FORMULA` says.
using formula_reader = harrier::specification(std::string_view formula);

/// Where `--help` shows the options of all kinds of judges.
inline constexpr auto judging_group = "Judging executions";

/// What was asked of one kind of judges of executions: on a command line, or in
/// a trace file that one wrote. Files that it names are read when it is asked.
class asked_judges {
public:
  virtual ~asked_judges() = default;

  /// Binds the options that ask for them; this must outlive the parse.
  virtual void bind(CLI::App& line) = 0;
  /// Adds its fields to the `judgement` of a trace file, and reads them there.
  /// @throws error  a field is missing or of the wrong type.
  virtual void write(json_value& judgement) const = 0;
  virtual void read(const json_value& judgement) = 0;
  /// Those that were asked for. @throws error  something is wrong with what was
  /// asked: one line that says what.
  [[nodiscard]] virtual std::vector<std::unique_ptr<monitor>> make() const = 0;
};

/// By what executions are judged, beside the checks of the program itself: what
/// was asked of each kind of judges that there is.
class judgement {
public:
  explicit judgement(const extensions& more);

  void bind(CLI::App& line);
  [[nodiscard]] json_value to_json() const;
  /// Reads what to_json gave. @throws error  also if there are no judges here.
  void read(const json_value& json);
  [[nodiscard]] std::vector<std::unique_ptr<monitor>> make() const;

private:
  std::vector<std::unique_ptr<asked_judges>> kinds_;
};

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
