#pragma once

#include <string>
#include <vector>

namespace harrier {

struct source_place {
  std::string file;
  unsigned line = 0;
  bool operator==(const source_place&) const = default;
};

/// What makes an answer conservative, or a parse error: where it is, and in words.
struct source_remark {
  source_place where;
  std::string text;
  bool operator==(const source_remark&) const = default;
};

/// A field that a handler touches, and the first place where it does; a variable that is no field.
struct named_access {
  std::string name;
  source_place where;
};

/// A message that a handler may send.
struct sent_message {
  std::string handler;  ///< `cell::put`
  std::string to;       ///< `field next`, `argument who`, `itself`, `an actor that it creates`
  source_place where;
};

/// What a handler does at most, over all paths through it and what it calls in the file.
struct analysed_handler {
  std::string of_class;  ///< with its namespaces: `bank::account`
  std::string name;      ///< `put`, or `put(int)` where there are several
  source_place where;
  std::vector<named_access> reads;  ///< and does not write
  std::vector<named_access> writes;
  std::vector<sent_message> sends;
  /// Not empty: it may read and write every field.
  std::vector<source_remark> any_field;
  /// Not empty: it may send every message.
  std::vector<source_remark> any_send;
  /// Variables that all actors share: such a handler does not depend on its actor and message alone.
  std::vector<named_access> shared;
  /// The declaration in C++, after its comments; empty if there is none to be written.
  std::string declaration;
  /// What is left out of it, and why.
  std::vector<source_remark> left_out;
};

struct analysed_source {
  std::vector<analysed_handler> handlers;  ///< in the order of the file
  std::vector<source_remark> errors;       ///< not empty: it does not compile, and nothing else is said
};

struct analysis_request {
  std::string file = {};
  /// Of the compiler; `-std=c++20` is added if none says which C++ it is.
  std::vector<std::string> flags = {};
  /// A header that may be included by the file, and is taken to be empty: the one that is being written.
  std::string but_for = {};
};

/// Reads a source of actors and says what each handler may touch and send: never
/// less than what it does, often more. docs/analyse.md says what it cannot see.
///
/// @throws error  there is no such file, or no libclang.
[[nodiscard]] analysed_source analyse(const analysis_request& request);

/// For people: a class, its handlers, what each does and in which lines.
[[nodiscard]] std::string to_text(const analysed_source& source);
/// A header of declarations (`harrier::declared`), to be included after the classes.
[[nodiscard]] std::string to_header(const analysed_source& source, const std::string& file);

}  // namespace harrier
