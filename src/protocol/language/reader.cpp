// Clojure's surface syntax, as far as definitions use it, with PEGTL. The grammar accepts every text: brackets that do
// not match and characters that mean nothing become diagnostics, and reading goes on.
#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <tao/pegtl.hpp>

#include <harrier/protocol/parse.hpp>

#include "../../core/base/numbers.hpp"
#include "form.hpp"

namespace harrier::protocol::internal {
namespace {

namespace pegtl = tao::pegtl;

struct too_deep {};

// What is being read: a stack of open brackets, the forms so far in each.
struct reading {
  struct bracket {
    form content;
    char closing = 0;        // 0: the file itself
    bool discarded = false;  // `#_`: what follows is thrown away
  };

  std::string_view file;
  std::vector<diagnostic>& diagnostics;
  std::vector<bracket> open;

  void report(source_position at, std::string construct, std::string message, std::string expected = {}) {
    diagnostics.push_back(
        {severity::error, std::string(file), at, std::move(construct), std::move(message), std::move(expected)});
  }
  void add(form f) { open.back().content.children.push_back(std::move(f)); }
  void begin(form_kind kind, source_position at, char closing) {
    if (open.size() > max_form_nesting) {
      report(at, {}, fmt::format("brackets are nested more than {} deep; the rest is not read", max_form_nesting));
      throw too_deep{};
    }
    open.push_back({form{kind, at, {}, {}, {}}, closing});
  }
  void end() {
    bracket done = std::move(open.back());
    open.pop_back();
    if (!done.discarded) add(std::move(done.content));
  }
};

template <class Input>
source_position position_of(const Input& in) {
  const auto p = in.position();
  return {static_cast<std::uint32_t>(p.line), static_cast<std::uint32_t>(p.column)};
}

std::string printable(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text;
}

// Closes the innermost bracket, rightly or not. If an outer bracket is meant, the closing character is left for it.
struct closing {
  using rule_t = closing;
  using subs_t = pegtl::empty_list;
  template <pegtl::apply_mode, pegtl::rewind_mode, template <class...> class, template <class...> class, class Input>
  static bool match(Input& in, reading& state) {
    const auto& bracket = state.open.back();
    const char found = in.empty() ? '\0' : in.peek_char();
    if (found == bracket.closing) {
      in.bump(1);
    } else {
      const auto name = [](form_kind kind) {
        return kind == form_kind::list ? "(" : kind == form_kind::set ? "#{" : "[";
      };
      const std::string what = fmt::format("`{}`", name(bracket.content.kind));
      const std::string expected = fmt::format("`{}`", bracket.closing);
      if (in.empty()) {
        state.report(bracket.content.at, what, "is never closed", expected);
      } else {
        const auto at = position_of(in);
        state.report(
            at, fmt::format("`{}`", found),
            fmt::format("does not close the {} of {}:{}", what, bracket.content.at.line, bracket.content.at.column),
            expected);
        const bool meant_for_outer =
            std::any_of(state.open.begin(), state.open.end() - 1, [&](const auto& b) { return b.closing == found; });
        if (!meant_for_outer) in.bump(1);
      }
    }
    state.end();
    return true;
  }
};

// A character that starts no form.
struct stray : pegtl::any {};
struct stray_closing : pegtl::one<')', ']', '}'> {};

struct form_rule;
struct comment : pegtl::seq<pegtl::one<';'>, pegtl::until<pegtl::eolf>> {};
struct discard_mark : pegtl::string<'#', '_'> {};
struct blank : pegtl::sor<pegtl::one<' ', '\t', '\r', '\n', '\f', '\v', ','>, comment> {};
struct discarded : pegtl::if_must<discard_mark, pegtl::star<blank>, pegtl::opt<form_rule>> {};

struct list_open : pegtl::one<'('> {};
struct vector_open : pegtl::one<'['> {};
struct set_open : pegtl::string<'#', '{'> {};
struct stray_in_bracket : pegtl::seq<pegtl::not_at<stray_closing>, stray> {};
struct inside : pegtl::star<pegtl::sor<blank, discarded, form_rule, stray_in_bracket>> {};
struct bracketed : pegtl::seq<pegtl::sor<list_open, vector_open, set_open>, inside, closing> {};

struct string_body : pegtl::until<pegtl::at<pegtl::sor<pegtl::one<'"'>, pegtl::eof>>,
                                  pegtl::sor<pegtl::seq<pegtl::one<'\\'>, pegtl::any>, pegtl::any>> {};
struct string_end : pegtl::sor<pegtl::one<'"'>, pegtl::eof> {};
struct string_atom : pegtl::seq<pegtl::opt<pegtl::one<'#'>>, pegtl::one<'"'>, string_body, string_end> {};

struct symbol_char
    : pegtl::sor<pegtl::alnum,
                 pegtl::one<'*', '+', '!', '_', '\'', '?', '<', '>', '=', '.', '$', '&', '%', '/', '-', '|', '#', ':'>,
                 pegtl::not_range<'\x00', '\x7f'>> {};
struct sign : pegtl::one<'+', '-'> {};
struct number_atom : pegtl::seq<pegtl::opt<sign>, pegtl::digit, pegtl::star<symbol_char>> {};
struct keyword_atom : pegtl::seq<pegtl::one<':'>, pegtl::opt<pegtl::one<':'>>, pegtl::plus<symbol_char>> {};
struct symbol_atom : pegtl::seq<pegtl::not_at<pegtl::one<'#', ':', '\''>>, pegtl::plus<symbol_char>> {};
struct form_rule : pegtl::sor<bracketed, string_atom, number_atom, keyword_atom, symbol_atom> {};

struct grammar : pegtl::until<pegtl::eof, pegtl::sor<blank, discarded, form_rule, stray_closing, stray>> {};

template <class Rule>
struct action {};

template <form_kind Kind, char Closing>
struct opening {
  template <class Input>
  static void apply(const Input& in, reading& state) {
    state.begin(Kind, position_of(in), Closing);
  }
};
template <>
struct action<list_open> : opening<form_kind::list, ')'> {};
template <>
struct action<vector_open> : opening<form_kind::vector, ']'> {};
template <>
struct action<set_open> : opening<form_kind::set, '}'> {};

template <>
struct action<discard_mark> {
  template <class Input>
  static void apply(const Input& in, reading& state) {
    state.begin(form_kind::vector, position_of(in), 0);
    state.open.back().discarded = true;
  }
};
template <>
struct action<discarded> {
  template <class Input>
  static void apply(const Input&, reading& state) {
    state.end();
  }
};

struct unexpected {
  template <class Input>
  static void apply(const Input& in, reading& state) {
    state.report(position_of(in), fmt::format("`{}`", printable(in.string_view())), "means nothing here",
                 "a form: ( [ #{ a name, number, string or keyword");
  }
};
template <>
struct action<stray> : unexpected {};

template <>
struct action<stray_closing> {
  template <class Input>
  static void apply(const Input& in, reading& state) {
    // Also tried by the look-ahead of `stray_in_bracket`, where actions are off.
    state.report(position_of(in), fmt::format("`{}`", in.string_view()), "closes nothing");
  }
};

template <>
struct action<string_atom> {
  template <class Input>
  static void apply(const Input& in, reading& state) {
    std::string_view text = in.string_view();
    const bool regex = text.front() == '#';
    if (regex) text.remove_prefix(1);
    if (text.size() < 2 || text.back() != '"') {
      state.report(position_of(in), "string", "is never closed", "`\"`");
      return;
    }
    text = text.substr(1, text.size() - 2);
    std::string content;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\' || i + 1 == text.size() || regex) {
        content += text[i];
        continue;
      }
      const char next = text[++i];
      content += next == 'n' ? '\n' : next == 't' ? '\t' : next == 'r' ? '\r' : next;
    }
    state.add(form{form_kind::literal, position_of(in), {}, value(std::move(content)), {}});
  }
};

std::optional<std::int64_t> integer(std::string_view digits) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  return number_in<std::int64_t>(digits);
}

std::optional<value> number(std::string_view text) {
  if (const auto whole = integer(text)) return value(*whole);
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const auto top = integer(text.substr(0, slash));
    const auto bottom = integer(text.substr(slash + 1));
    if (!top || !bottom || *bottom <= 0 || *top == INT64_MIN) return std::nullopt;
    const auto divisor = std::gcd(*top, *bottom);
    if (*bottom == divisor) return value(*top / divisor);
    return value(ratio{*top / divisor, *bottom / divisor});
  }
  if (text.find_first_of(".eE") == std::string_view::npos) return std::nullopt;
  if (text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto real = number_in<double>(text);
  return real ? std::optional(value(*real)) : std::nullopt;
}

template <>
struct action<number_atom> {
  template <class Input>
  static void apply(const Input& in, reading& state) {
    const auto parsed = number(in.string_view());
    if (!parsed) {
      state.report(position_of(in), fmt::format("`{}`", in.string_view()), "is not a number of 64 bits",
                   "an integer, a fraction as 1/2 or a decimal as 0.5");
    }
    state.add(form{form_kind::literal, position_of(in), {}, parsed.value_or(value()), {}});
  }
};

template <>
struct action<keyword_atom> {
  template <class Input>
  static void apply(const Input& in, reading& state) {
    state.add(form{form_kind::literal, position_of(in), {}, value(keyword{in.string()}), {}});
  }
};

template <>
struct action<symbol_atom> {
  template <class Input>
  static void apply(const Input& in, reading& state) {
    const auto text = in.string();
    form atom{form_kind::literal, position_of(in), {}, {}, {}};
    if (text == "true" || text == "false") {
      atom.literal = value(text == "true");
    } else if (text != "nil") {
      atom.kind = form_kind::symbol;
      atom.symbol = text;
    }
    state.add(std::move(atom));
  }
};

}  // namespace

std::vector<form> read_forms(std::string_view text, std::string_view file, std::vector<diagnostic>& diagnostics) {
  reading state{file, diagnostics, {}};
  state.open.push_back({});
  pegtl::memory_input in(text.data(), text.size(), "");
  try {
    pegtl::parse<grammar, action>(in, state);
  } catch (const too_deep&) {
    return {};
  }
  return std::move(state.open.front().content.children);
}

std::string to_string(const form& f) {
  std::string text;
  if (f.kind == form_kind::symbol) return f.symbol;
  if (f.kind == form_kind::literal) return harrier::protocol::to_string(f.literal);
  text = f.kind == form_kind::list ? "(" : f.kind == form_kind::vector ? "[" : "#{";
  for (const auto& child : f.children) {
    if (text.size() > 40) {
      text += " ...";
      break;
    }
    if (&child != &f.children.front()) text += ' ';
    text += to_string(child);
  }
  return text + (f.kind == form_kind::list ? ")" : f.kind == form_kind::vector ? "]" : "}");
}

}  // namespace harrier::protocol::internal
