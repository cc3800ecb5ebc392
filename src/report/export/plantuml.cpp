// PlantUML's sequence diagrams: https://plantuml.com/sequence-diagram
#include <fmt/format.h>

#include <array>
#include <string_view>

#include <harrier/report/export.hpp>

#include "sequence.hpp"
#include "words.hpp"

namespace harrier {
namespace {

std::string by_code(char c) { return fmt::format("<U+{:04X}>", static_cast<unsigned char>(c)); }

/// Whatever is not plain is written as `<U+003C>`: markup, links, images, functions and line breaks begin with such
/// characters. Titles and lines begin with plain ones.
std::string in_plantuml(const std::string& text) {
  auto result = escaped_by(text, [](char c) {
    const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
    return is_ascii && !is_plain(c) ? by_code(c) : std::string();
  });
  replace_each(result, "__", by_code('_') + by_code('_'));
  if (!result.empty() && std::string_view("=._ ").find(result.front()) != std::string_view::npos)
    result.replace(0, 1, by_code(result.front()));
  return result;
}

class plantuml final : public sequence_language {
public:
  [[nodiscard]] std::string begin() const override { return "@startuml\n"; }
  [[nodiscard]] std::string end() const override { return "@enduml\n"; }
  [[nodiscard]] std::string lane(std::size_t number, const std::string& name) const override {
    return fmt::format("participant \"{}\" as p{}\n", in_plantuml(name), number);
  }
  [[nodiscard]] std::string arrow(kind how, std::size_t from, std::size_t to, const std::string& text) const override {
    constexpr std::array<std::string_view, 4> heads = {"->", "-->", "->x", "->>"};
    return fmt::format("p{} {} p{} : {}\n", from, heads[static_cast<std::size_t>(how)], to, in_plantuml(text));
  }
  [[nodiscard]] std::string note(std::size_t first, std::size_t last, const std::string& text) const override {
    const auto over = first == last ? fmt::format("p{}", first) : fmt::format("p{}, p{}", first, last);
    return fmt::format("note over {} : {}\n", over, in_plantuml(text));
  }
};

}  // namespace

std::string to_plantuml(const diagram& trace) { return to_sequence(trace, plantuml()); }

}  // namespace harrier
