#include "analysis.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <harrier/protocol/evaluate.hpp>
#include <harrier/protocol/parse.hpp>

namespace harrier::protocol {
namespace internal {

scope scope::with(const std::vector<std::string>& more) const {
  scope result = *this;
  result.variables.insert(result.variables.end(), more.begin(), more.end());
  return result;
}

scope scope::followed() const {
  scope result = *this;
  for (auto& l : result.loops) l.tail = false;
  return result;
}

void analysis::report(severity level, source_position at, std::string construct, std::string message,
                      std::string expected) {
  diagnostics_.push_back({level, spec_.file, at, std::move(construct), std::move(message), std::move(expected)});
}

const node* analysis::fail(const form& f, std::string construct, std::string message, std::string expected) {
  report(severity::error, f.at, std::move(construct), std::move(message), std::move(expected));
  return make({node_kind::literal, f.at, {}, {}, {}, {}});
}

bool analysis::has_parts(const form& f, std::size_t least, std::size_t most, const std::string& expected) {
  const auto parts = f.children.size() - 1;
  if (parts >= least && parts <= most) return true;
  report(severity::error, f.at, to_string(f.children[0]), fmt::format("has {} part{}", parts, parts == 1 ? "" : "s"),
         expected);
  return false;
}

std::string analysis::keyword_name(const form& f) {
  const auto* found = f.kind == form_kind::literal ? f.literal.get_if<keyword>() : nullptr;
  if (found == nullptr) return {};
  const auto start = found->text.find_first_not_of(':');
  if (start == std::string::npos) return {};
  auto name = found->text.substr(start);
  if (const auto slash = name.rfind('/'); slash != std::string::npos) name.erase(0, slash + 1);
  return name;
}

namespace {

std::string_view bare(const form& f) {
  if (f.kind != form_kind::list || f.children.empty() || f.children[0].kind != form_kind::symbol) return {};
  std::string_view name = f.children[0].symbol;
  if (name.starts_with("s/")) name.remove_prefix(2);
  return name;
}

bool are_names(const form& vector) {
  return vector.kind == form_kind::vector && std::all_of(vector.children.begin(), vector.children.end(),
                                                         [](const form& f) { return f.kind == form_kind::symbol; });
}

constexpr auto top_level =
    "(s/defrole ::name), (s/defsession ::name [parameters] body...) or (defn name [parameters] body)";

}  // namespace

void analysis::file(const std::vector<form>& forms) {
  for (const auto& f : forms) declare(f);
  for (const auto& f : forms) {
    if (bare(f) == "defsession" || bare(f) == "defn") define(f);
  }
  check_calls();
}

// First roles and the heads of functions, so that bodies may use what is defined further down.
void analysis::declare(const form& f) {
  const auto name = bare(f);
  if (name == "defrole") return define_role(f);
  if (name == "defsession") return;
  if (name == "ns" || name == "require" || name == "use" || name == "import") return;  // Clojure's own business
  if (name != "defn") {
    fail(f, to_string(f), "is not a definition", top_level);
    return;
  }
  if (f.children.size() < 4 || f.children[1].kind != form_kind::symbol || !are_names(f.children[2])) {
    fail(f, "defn", "is not complete", "(defn name [parameters] body)");
    return;
  }
  parameterised function{{}, nullptr, f.at};
  for (const auto& p : f.children[2].children) function.parameters.push_back(p.symbol);
  spec_.functions[{f.children[1].symbol, function.parameters.size()}] = std::move(function);
}

void analysis::define_role(const form& f) {
  if (!has_parts(f, 1, 2, "(s/defrole ::name) or (s/defrole ::name \"printed name\")")) return;
  const auto name = keyword_name(f.children[1]);
  if (name.empty()) {
    fail(f.children[1], "defrole", fmt::format("`{}` is not a name of a role", to_string(f.children[1])), "::name");
    return;
  }
  auto printed = name;
  if (f.children.size() > 2) {
    const auto* text = f.children[2].literal.get_if<std::string>();
    if (f.children[2].kind != form_kind::literal || text == nullptr || text->empty()) {
      fail(f.children[2], "defrole", "the printed name is not a string", "\"name\"");
      return;
    }
    printed = *text;
  }
  spec_.roles[name] = printed;
}

void analysis::define(const form& f) {
  const bool is_session = bare(f) == "defsession";
  if (is_session && (f.children.size() < 3 || keyword_name(f.children[1]).empty() || !are_names(f.children[2]))) {
    fail(f, "defsession", "is not complete", "(s/defsession ::name [parameters] body...)");
    return;
  }
  if (f.children.size() < 3 || !are_names(f.children[2])) return;  // of a function: reported above
  scope names;
  for (const auto& p : f.children[2].children) {
    if (std::find(names.variables.begin(), names.variables.end(), p.symbol) != names.variables.end()) {
      report(severity::error, p.at, f.children[0].symbol, fmt::format("two parameters are called `{}`", p.symbol));
    }
    names.variables.push_back(p.symbol);
  }
  if (!is_session) {
    if (f.children[1].kind != form_kind::symbol || f.children.size() < 4) return;
    if (f.children.size() > 4) {
      fail(f.children[4], "defn", "a function has one body", "`)`");
      return;
    }
    spec_.functions[{f.children[1].symbol, names.variables.size()}] = {names.variables,
                                                                       expression(f.children[3], names), f.at};
    return;
  }
  const specification::key key{keyword_name(f.children[1]), names.variables.size()};
  if (const auto before = spec_.sessions.find(key); before != spec_.sessions.end()) {
    report(severity::warning, f.at, "defsession",
           fmt::format("::{} with {} parameters is defined again; the one of line {} does not count", key.first,
                       key.second, before->second.at.line));
  }
  spec_.sessions[key] = {names.variables, sequence(f, 3, names), f.at};
}

void analysis::check_calls() {
  for (const auto& c : session_calls_) {
    if (spec_.session(c.name, c.arguments) != nullptr) continue;
    std::string others;
    for (const auto& [key, session] : spec_.sessions) {
      if (key.first == c.name)
        others += fmt::format("{}::{} with {}", others.empty() ? "" : " or ", key.first, key.second);
    }
    report(
        severity::error, c.at, "(::" + c.name + ")",
        fmt::format("there is no session ::{} with {} parameter{}", c.name, c.arguments, c.arguments == 1 ? "" : "s"),
        others);
  }
}

}  // namespace internal

namespace {

void sort_by_place(std::vector<diagnostic>& diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const diagnostic& a, const diagnostic& b) { return a.at < b.at; });
}

}  // namespace

parsed_specification parse(std::string_view text, std::string_view file) {
  parsed_specification result;
  auto spec = std::make_shared<specification>();
  spec->file = file;
  const auto forms = internal::read_forms(text, file, result.diagnostics);
  internal::analysis(*spec, result.diagnostics).file(forms);
  sort_by_place(result.diagnostics);
  if (!has_errors(result.diagnostics)) result.value = std::move(spec);
  return result;
}

const node* parse_expression(std::string_view text, specification& into, std::vector<diagnostic>& diagnostics) {
  std::vector<diagnostic> found;
  const auto forms = internal::read_forms(text, "argument", found);
  const node* result = nullptr;
  if (forms.size() == 1) {
    const auto file = std::exchange(into.file, "argument");
    result = internal::analysis(into, found).expression(forms[0], {});
    into.file = file;
  } else if (found.empty()) {
    found.push_back(
        {severity::error, "argument", {1, 1}, std::string(text), "is not one expression", "as 4 or #{0 1}"});
  }
  const bool failed = has_errors(found);
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  return failed ? nullptr : result;
}

}  // namespace harrier::protocol
