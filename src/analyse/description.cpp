#include "description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "cursors.hpp"
#include "names.hpp"

namespace harrier::clang {
namespace {

std::string name_in_class(CXCursor handler) {
  return is_overloaded(handler) ? fmt::format("{}({})", name_of(handler), parameters_of(handler)) : name_of(handler);
}

/// Of a class template with its arguments.
std::string name_of_class(CXCursor of) {
  const auto with_arguments = name_of(getCursorType(of));
  return with_arguments.find('<') != std::string::npos ? with_arguments : qualified_name(of);
}

std::string declaration_of(const std::string& handler, const std::vector<std::string>& parts) {
  constexpr auto start = "  using type = harrier::declaration<";
  constexpr std::size_t widest = 120;
  auto line = fmt::format("{}{}>;", start, fmt::join(parts, ", "));
  if (line.size() > widest)
    line = fmt::format("{}{}>;", start, fmt::join(parts, ",\n" + std::string(std::string(start).size(), ' ')));
  return fmt::format("template <>\nstruct harrier::declared<{}> {{\n{}\n}};\n", handler, line);
}

class description {
public:
  description(CXCursor handler, const handler_summary& all)
      : handler_(handler), of_(getCursorSemanticParent(handler)), all_(all) {}

  analysed_handler write(const source_place* declared_at) {
    h_.of_class = name_of_class(of_);
    h_.name = name_in_class(handler_);
    h_.where = place_of(handler_);
    h_.any_field = all_.any_field;
    h_.any_send = all_.any_send;
    add_fields();
    add_sends();
    for (const auto& s : all_.shared)
      if (std::none_of(h_.shared.begin(), h_.shared.end(), [&](const auto& other) { return other.name == s.name; }))
        h_.shared.push_back(s);
    const auto own = name_of_handler(handler_);
    if (declared_at != nullptr)
      h_.left_out.push_back({*declared_at, "it has a declaration"});
    else if (own.expression.empty())
      h_.left_out.push_back({h_.where, own.why_not});
    else
      declare(own.expression);
    return std::move(h_);
  }

private:
  /// Each once, in the order of the class, with the place where it is written first, or else read first.
  void add_fields() {
    std::vector<CXCursor> fields;
    std::map<std::string, function_facts::touched> first;
    for (const auto& f : all_.fields) {
      const auto [at, is_new] = first.emplace(key_of(f.field), f);
      if (is_new)
        fields.push_back(f.field);
      else if (f.written && !at->second.written)
        at->second = f;
    }
    std::stable_sort(fields.begin(), fields.end(),
                     [](CXCursor a, CXCursor b) { return place_of(a).line < place_of(b).line; });
    for (const auto field : fields) {
      const auto& f = first.at(key_of(field));
      (f.written ? h_.writes : h_.reads).push_back({name_of(field), f.where});
      const auto name = name_of_field(field, of_);
      if (name.expression.empty()) unnamable_fields_.push_back({place_of(field), name.why_not});
      (f.written ? writes_ : reads_).push_back(name.expression);
    }
  }

  void add_sends() {
    std::set<std::pair<std::string, std::string>> told;
    std::set<std::string> listed;
    for (const auto& s : all_.sends) {
      const auto key = key_of(s.handler);
      if (told.emplace(key, s.to).second)
        h_.sends.push_back(
            {name_of_class(getCursorSemanticParent(s.handler)) + "::" + name_in_class(s.handler), s.to, s.where});
      if (!listed.insert(key).second) continue;
      const auto name = name_of_handler(s.handler);
      if (name.expression.empty())
        unnamable_sends_.push_back({s.where, "it sends what cannot be named: " + name.why_not});
      sends_.push_back(name.expression);
    }
  }

  void declare(const std::string& handler) {
    const auto& why_no_fields = h_.any_field.empty() ? unnamable_fields_ : h_.any_field;
    const auto& why_no_sends = h_.any_send.empty() ? unnamable_sends_ : h_.any_send;
    add_new(h_.left_out, why_no_fields);
    add_new(h_.left_out, why_no_sends);
    std::vector<std::string> parts;
    if (why_no_fields.empty() && (!reads_.empty() || writes_.empty()))
      parts.push_back(fmt::format("harrier::reads<{}>", fmt::join(reads_, ", ")));
    if (why_no_fields.empty() && !writes_.empty())
      parts.push_back(fmt::format("harrier::writes<{}>", fmt::join(writes_, ", ")));
    if (why_no_sends.empty()) parts.push_back(fmt::format("harrier::sends<{}>", fmt::join(sends_, ", ")));
    if (!parts.empty()) h_.declaration = declaration_of(handler, parts);
  }

  CXCursor handler_;
  CXCursor of_;
  const handler_summary& all_;
  analysed_handler h_;
  std::vector<std::string> reads_;
  std::vector<std::string> writes_;
  std::vector<std::string> sends_;
  std::vector<source_remark> unnamable_fields_;
  std::vector<source_remark> unnamable_sends_;
};

}  // namespace

analysed_handler describe(CXCursor handler, const handler_summary& all, const source_place* declared_at) {
  return description(handler, all).write(declared_at);
}

}  // namespace harrier::clang
