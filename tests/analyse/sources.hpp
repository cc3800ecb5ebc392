#pragma once

#include <string>
#include <vector>

#include <harrier/analyse/analyse.hpp>

namespace harrier::test {

/// The source `name` of the folder cases.
[[nodiscard]] std::string case_named(const std::string& name);
[[nodiscard]] analysed_source analysed(const std::string& file, const std::string& but_for = {});

/// A source of this text, in a folder of its own that is removed with this.
class written_source {
public:
  explicit written_source(const std::string& text, const std::string& name = "program.cpp");
  written_source(const written_source&) = delete;
  written_source& operator=(const written_source&) = delete;
  ~written_source();

  [[nodiscard]] const std::string& file() const { return file_; }
  /// Another file beside it.
  [[nodiscard]] std::string beside(const std::string& name) const;

private:
  std::string folder_;
  std::string file_;
};

void write_text(const std::string& file, const std::string& text);

/// What the comments `// MARK ...` of a source expect: `line 12: ...` each.
[[nodiscard]] std::vector<std::string> expected(const std::string& file, const std::string& mark);
/// The same of the handlers in those lines: what each does with fields (`reads a; writes b`, `any: why`), and what
/// it sends (`cell::put to field next`, `any: why`).
[[nodiscard]] std::vector<std::string> fields_of(const analysed_source& source, const std::vector<std::string>& as);
[[nodiscard]] std::vector<std::string> sends_of(const analysed_source& source, const std::vector<std::string>& as);

}  // namespace harrier::test
