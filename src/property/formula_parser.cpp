// Reading formulas: the grammar of Owl (LTLParser.g4, LTLLexer.g4), with PEGTL.
//
//   disjunction := conjunction (OR conjunction)*
//   conjunction := binary (AND binary)*
//   binary      := unary (OP unary)*           grouped to the right; OP: -> <-> ^ U W R M and their other spellings
//   unary       := (! | F | G | X)* operand
//   operand     := constant | name | quoted | "(" disjunction ")"
//
// Owl lets the operand of a unary operator be a `binary`, which makes `! a U ! b U c` ambiguous; here unary operators
// bind tightest. Words are told apart as Owl's lexer does: the longest one wins, so `Fa` is `F a`, `trueish` is a name
// and `XOR` is one operator.
//
// Chains of operators are loops; only parentheses recurse, and max_formula_nesting bounds them.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tao/pegtl.hpp>

#include <harrier/property/ltl.hpp>

#include "formula_builder.hpp"

namespace harrier {
namespace {

namespace pegtl = tao::pegtl;
using internal::formula_builder;

namespace grammar {
using namespace pegtl;  // the rules below read as a grammar

struct blank : star<one<' ', '\t', '\n', '\r', '\f'>> {};
struct name_rest : sor<ranges<'a', 'z', 'A', 'Z', '0', '9'>, one<'_'>> {};
template <char... Letters>
struct whole_word : seq<string<Letters...>, not_at<name_rest>> {};  // a longer word is a name

struct or_sign : sor<string<'|', '|'>, one<'|'>, string<'O', 'R'>> {};
struct and_sign : sor<string<'&', '&'>, one<'&'>, string<'A', 'N', 'D'>> {};
struct equivalence_sign : sor<string<'<', '-', '>'>, string<'<', '=', '>'>, string<'B', 'I', 'I', 'M', 'P'>> {};
struct implication_sign
    : sor<string<'-', '-', '>'>, string<'-', '>'>, string<'=', '=', '>'>, string<'=', '>'>, string<'I', 'M', 'P'>> {};
struct exclusive_or_sign : sor<one<'^'>, string<'X', 'O', 'R'>, whole_word<'x', 'o', 'r'>> {};
struct until_sign : one<'U'> {};
struct weak_until_sign : one<'W'> {};
struct release_sign : one<'R'> {};
struct strong_release_sign : one<'M'> {};
struct binary_sign : sor<equivalence_sign, implication_sign, exclusive_or_sign, until_sign, weak_until_sign,
                         release_sign, strong_release_sign> {};

struct not_sign : sor<one<'!'>, string<'N', 'O', 'T'>> {};
struct eventually_sign : one<'F'> {};
struct always_sign : one<'G'> {};
struct next_sign : seq<one<'X'>, not_at<string<'O', 'R'>>> {};
struct unary_sign : sor<not_sign, eventually_sign, always_sign, next_sign> {};

struct true_constant : sor<whole_word<'t', 't'>, whole_word<'t', 'r', 'u', 'e'>, one<'1'>> {};
struct false_constant : sor<whole_word<'f', 'f'>, whole_word<'f', 'a', 'l', 's', 'e'>, one<'0'>> {};
struct name : seq<not_at<whole_word<'x', 'o', 'r'>>, sor<range<'a', 'z'>, one<'L', '_'>>, star<name_rest>> {};

struct opening_mark : at<one<'"', '\''>> {};
template <char Mark>
struct quoted_text : plus<not_one<Mark>> {};
template <char Mark>
struct quoted : seq<one<Mark>, must<quoted_text<Mark>, one<Mark>>> {};

struct open : one<'('> {};
struct close : one<')'> {};
struct disjunction;
struct parenthesised : seq<open, must<disjunction, close>> {};
struct operand
    : sor<true_constant, false_constant, name, seq<opening_mark, sor<quoted<'"'>, quoted<'\''>>>, parenthesised> {};

// `begin_...` marks where a chain starts on the stacks of signs. It is never matched in vain: an operand must follow.
struct begin_unary : success {};
struct unary : seq<begin_unary, blank, star<unary_sign, blank>, must<operand>, blank> {};
struct begin_binary : success {};
struct binary : seq<begin_binary, unary, star<binary_sign, unary>> {};
struct one_more_conjunct : seq<and_sign, binary> {};
struct conjunction : seq<binary, star<one_more_conjunct>> {};
struct one_more_disjunct : seq<or_sign, conjunction> {};
struct disjunction : seq<conjunction, star<one_more_disjunct>> {};
struct end_of_text : eof {};
struct text : seq<disjunction, must<end_of_text>> {};

template <typename>
inline constexpr const char* expectation = nullptr;
template <>
inline constexpr const char* expectation<operand> = "a formula";
template <>
inline constexpr const char* expectation<end_of_text> = "an operator or the end";
template <>
inline constexpr const char* expectation<close> = "an operator or ')'";
template <char Mark>
inline constexpr const char* expectation<quoted_text<Mark>> = "the text of a proposition";
template <char Mark>
inline constexpr const char* expectation<one<Mark>> = Mark == '"' ? "'\"'" : "'\\''";
template <>
inline constexpr const char* expectation<disjunction> = "a formula";

/// Says what `must<Rule>` missed.
template <typename Rule>
struct control : normal<Rule> {
  template <typename Input, typename... States>
  [[noreturn]] static void raise(const Input& in, States&&... /*unused*/) {
    static_assert(expectation<Rule> != nullptr);
    throw parse_error(expectation<Rule>, in);
  }
};
}  // namespace grammar

/// A text that the grammar allows but that is refused, or a better place for an error than where reading stopped.
struct refusal {
  pegtl::position where;
  std::string message;
  std::string expected;
};

/// What has been read so far: finished operands, and the operators that wait for theirs.
struct reading {
  using index = formula_builder::index;

  formula_builder builder;
  std::vector<index> operands;
  std::vector<ltl_operator> unary_signs;
  std::vector<ltl_operator> binary_signs;
  std::vector<std::size_t> chains;  // sizes of the two vectors above where the open chains began
  std::vector<pegtl::position> quotations;
  std::size_t nesting = 0;

  index pop() {
    const auto last = operands.back();
    operands.pop_back();
    return last;
  }
  std::size_t pop_chain() {
    const auto begin = chains.back();
    chains.pop_back();
    return begin;
  }
  void join(ltl_operator op) {
    const auto right = pop();
    operands.push_back(builder.add_binary(op, pop(), right));
  }
};

template <typename Rule>
struct action {};

template <ltl_operator Op>
struct push_binary {
  static void apply0(reading& r) { r.binary_signs.push_back(Op); }
};
template <ltl_operator Op>
struct push_unary {
  static void apply0(reading& r) { r.unary_signs.push_back(Op); }
};
template <ltl_operator Op>
struct join_two {
  static void apply0(reading& r) { r.join(Op); }
};
template <bool Value>
struct push_constant {
  static void apply0(reading& r) { r.operands.push_back(r.builder.add_constant(Value)); }
};

// clang-format off
template <> struct action<grammar::equivalence_sign> : push_binary<ltl_operator::equivalence> {};
template <> struct action<grammar::implication_sign> : push_binary<ltl_operator::implication> {};
template <> struct action<grammar::exclusive_or_sign> : push_binary<ltl_operator::exclusive_or> {};
template <> struct action<grammar::until_sign> : push_binary<ltl_operator::until> {};
template <> struct action<grammar::weak_until_sign> : push_binary<ltl_operator::weak_until> {};
template <> struct action<grammar::release_sign> : push_binary<ltl_operator::release> {};
template <> struct action<grammar::strong_release_sign> : push_binary<ltl_operator::strong_release> {};
template <> struct action<grammar::not_sign> : push_unary<ltl_operator::negation> {};
template <> struct action<grammar::eventually_sign> : push_unary<ltl_operator::eventually> {};
template <> struct action<grammar::always_sign> : push_unary<ltl_operator::always> {};
template <> struct action<grammar::next_sign> : push_unary<ltl_operator::next> {};
template <> struct action<grammar::true_constant> : push_constant<true> {};
template <> struct action<grammar::false_constant> : push_constant<false> {};
template <> struct action<grammar::one_more_conjunct> : join_two<ltl_operator::conjunction> {};
template <> struct action<grammar::one_more_disjunct> : join_two<ltl_operator::disjunction> {};
// clang-format on

template <>
struct action<grammar::begin_unary> {
  static void apply0(reading& r) { r.chains.push_back(r.unary_signs.size()); }
};
template <>
struct action<grammar::unary> {
  static void apply0(reading& r) {
    const auto begin = r.pop_chain();
    for (; r.unary_signs.size() > begin; r.unary_signs.pop_back()) {
      r.operands.push_back(r.builder.add_unary(r.unary_signs.back(), r.pop()));
    }
  }
};
template <>
struct action<grammar::begin_binary> {
  static void apply0(reading& r) { r.chains.push_back(r.binary_signs.size()); }
};
template <>
struct action<grammar::binary> {
  static void apply0(reading& r) {
    const auto begin = r.pop_chain();
    for (; r.binary_signs.size() > begin; r.binary_signs.pop_back()) r.join(r.binary_signs.back());
  }
};
template <>
struct action<grammar::name> {
  template <typename Input>
  static void apply(const Input& in, reading& r) {
    r.operands.push_back(r.builder.add_proposition(in.string_view()));
  }
};
template <>
struct action<grammar::opening_mark> {
  template <typename Input>
  static void apply(const Input& in, reading& r) {
    r.quotations.assign(1, in.position());
  }
};
template <char Mark>
struct action<grammar::quoted_text<Mark>> {
  template <typename Input>
  static void apply(const Input& in, reading& r) {
    std::string text;
    char previous = '\0';
    for (const char c : in.string_view()) {
      if (c == '\r' || (c == '\n' && previous != '\r')) text += ' ';
      if (c != '\r' && c != '\n') text += c;
      previous = c;
    }
    r.operands.push_back(r.builder.add_proposition(text));
  }
};
template <>
struct action<grammar::open> {
  template <typename Input>
  static void apply(const Input& in, reading& r) {
    if (++r.nesting > max_formula_nesting) {
      throw refusal{
          in.position(), "parentheses are nested deeper than " + std::to_string(max_formula_nesting) + " levels", {}};
    }
  }
};
template <>
struct action<grammar::close> {
  static void apply0(reading& r) { --r.nesting; }
};

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string found(std::string_view rest) {
  if (rest.empty()) return "the end";
  std::size_t length = 0;
  while (length < rest.size() && length < 40 && is_word_character(rest[length])) ++length;
  if (length > 0) return "'" + std::string(rest.substr(0, length)) + "'";
  const auto byte = static_cast<unsigned char>(rest.front());
  if (byte > 0x20 && byte < 0x7f) return "'" + std::string(1, rest.front()) + "'";
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("byte 0x") + digits[byte >> 4] + digits[byte & 15];
}

std::string hint(std::string_view rest) {
  if (rest.empty()) return {};
  if (rest.front() >= 'A' && rest.front() <= 'Z' && rest.front() != 'L') {
    return "; a proposition that begins with a capital letter must be quoted";
  }
  if (rest.front() == '[' || rest.front() == '<') return "; 'always' is written G and 'eventually' F";
  return {};
}

formula_diagnostic at(const pegtl::position& where, std::string message, std::string expected) {
  return {where.line, where.column, std::move(message), std::move(expected)};
}

formula_diagnostic explain(const pegtl::parse_error& error, const reading& r, std::string_view text) {
  const auto& where = error.positions().front();
  const std::string expected(error.message());
  const auto rest = text.substr(where.byte);
  if (expected == grammar::expectation<pegtl::one<'"'>> || expected == grammar::expectation<pegtl::one<'\''>>) {
    return at(r.quotations.back(), "a quotation mark without its partner", expected);
  }
  return at(where, "expected " + expected + ", found " + found(rest) + hint(rest), expected);
}

}  // namespace

parsed_formula parse_formula(std::string_view text) {
  reading r;
  pegtl::memory_input input(text.data(), text.data() + text.size(), "");
  try {
    pegtl::parse<grammar::text, action, grammar::control>(input, r);
    return {r.builder.finish(r.operands.back()), {}};
  } catch (const refusal& refused) {
    return {std::nullopt, {at(refused.where, refused.message, refused.expected)}};
  } catch (const pegtl::parse_error& error) {
    return {std::nullopt, {explain(error, r, text)}};
  }
}

}  // namespace harrier
