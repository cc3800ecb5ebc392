#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include <harrier/analyse/analyse.hpp>

namespace harrier {
namespace {

/// Of a place in the file that is spoken of the line will do.
std::string text_of(const source_place& where, const source_place& beside) {
  if (where.file == beside.file) return fmt::format("line {}", where.line);
  return fmt::format("{}:{}", std::filesystem::path(where.file).filename().string(), where.line);
}

std::string list_of(const std::vector<named_access>& fields, const source_place& beside) {
  std::string text;
  for (const auto& f : fields)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", f.name, text_of(f.where, beside));
  return text;
}

std::string list_of(const std::vector<sent_message>& messages, const source_place& beside) {
  std::string text;
  for (const auto& m : messages)
    text += fmt::format("{}{} to {} ({})", text.empty() ? "" : ", ", m.handler, m.to, text_of(m.where, beside));
  return text;
}

std::string line(const char* what, const std::string& list) {
  return list.empty() ? std::string() : fmt::format("    {:<7}{}\n", what, list);
}

std::string text_of(const analysed_handler& h) {
  auto text = fmt::format("  {} ({})\n", h.name, text_of(h.where, h.where));
  if (h.any_field.empty()) {
    text += line("reads", list_of(h.reads, h.where)) + line("writes", list_of(h.writes, h.where));
    if (h.reads.empty() && h.writes.empty()) text += line("fields", "none");
  } else {
    text += line("fields", "may touch all of them:");
    for (const auto& r : h.any_field) text += line("", fmt::format("{}: {}", text_of(r.where, h.where), r.text));
  }
  text += line("sends", list_of(h.sends, h.where));
  if (!h.any_send.empty()) text += line("sends", "may send any message:");
  for (const auto& r : h.any_send) text += line("", fmt::format("{}: {}", text_of(r.where, h.where), r.text));
  if (!h.shared.empty())
    text += line("shared", list_of(h.shared, h.where) + ": no field, so the handler may do something else each time");
  if (h.declaration.empty())
    for (const auto& r : h.left_out)
      text += line("", fmt::format("no declaration: {} ({})", r.text, text_of(r.where, h.where)));
  return text;
}

}  // namespace

std::string to_text(const analysed_source& source) {
  std::string text;
  std::string of_class;
  for (const auto& h : source.handlers) {
    if (h.of_class != of_class) text += (text.empty() ? "" : "\n") + h.of_class + "\n";
    of_class = h.of_class;
    text += text_of(h);
  }
  return text.empty() ? "no handlers: no message is sent in this file\n" : text;
}

std::string to_header(const analysed_source& source, const std::string& file) {
  const auto name = std::filesystem::path(file).filename().string();
  auto text = fmt::format(
      "// What the handlers of {0} touch and send, as `harrier analyse {0}` found it. To be included in that\n"
      "// file, after its classes and before what sends their messages.\n"
      "#pragma once\n\n#include <harrier/native/declaration.hpp>\n",
      name);
  for (const auto& h : source.handlers) {
    text += "\n";
    for (const auto& r : h.left_out)
      text += fmt::format("// {}::{}: {} ({}:{})\n", h.of_class, h.name, r.text,
                          std::filesystem::path(r.where.file).filename().string(), r.where.line);
    text += h.declaration;
  }
  return text;
}

}  // namespace harrier
