// Mermaid's sequence diagrams: https://mermaid.js.org/syntax/sequenceDiagram.html
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include <harrier/report/export.hpp>

#include "sequence.hpp"
#include "words.hpp"

namespace harrier {
namespace {

/// Whatever is not plain is written as `#60;`: comments, directives, ends of statements, HTML and formulas begin with
/// such characters.
std::string in_mermaid(const std::string& text) {
  auto result = escaped_by(text, [](char c) {
    const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
    return is_ascii && !is_plain(c) ? fmt::format("#{};", static_cast<int>(c)) : std::string();
  });
  // Mermaid stands these in for & and ; while it parses, and takes the last semicolon from lines that seem to be of
  // another kind of diagram.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> traps = {{{"\u00b0", "#176;"},
                                                                                   {"\u00b6", "#182;"},
                                                                                   {"\u00df", "#223;"},
                                                                                   {"\ufb02", "#64258;"},
                                                                                   {"style", "st#121;le"},
                                                                                   {"classDef", "class#68;ef"}}};
  for (const auto& [what, by] : traps) replace_each(result, what, by);
  return result;
}

class mermaid final : public sequence_language {
public:
  [[nodiscard]] std::string begin() const override { return "sequenceDiagram\n"; }
  [[nodiscard]] std::string end() const override { return {}; }
  [[nodiscard]] std::string lane(std::size_t number, const std::string& name) const override {
    return fmt::format("  participant p{} as {}\n", number, in_mermaid(name));
  }
  [[nodiscard]] std::string arrow(kind how, std::size_t from, std::size_t to, const std::string& text) const override {
    constexpr std::array<std::string_view, 4> heads = {"->>", "-->>", "-x", "-)"};
    return fmt::format("  p{}{}p{}: {}\n", from, heads[static_cast<std::size_t>(how)], to, in_mermaid(text));
  }
  [[nodiscard]] std::string note(std::size_t first, std::size_t last, const std::string& text) const override {
    const auto over = first == last ? fmt::format("p{}", first) : fmt::format("p{},p{}", first, last);
    return fmt::format("  Note over {}: {}\n", over, in_mermaid(text));
  }
};

}  // namespace

std::string to_mermaid(const diagram& trace) { return to_sequence(trace, mermaid()); }

}  // namespace harrier
