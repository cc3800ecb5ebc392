#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <harrier/protocol/ast.hpp>

#include "form.hpp"

namespace harrier::protocol::internal {

/// What names mean at some place of a definition.
struct scope {
  struct loop {
    std::string label;
    bool tail = true;  ///< nothing follows this place inside the loop
  };
  std::vector<std::string> variables;
  std::vector<loop> loops;

  [[nodiscard]] scope with(const std::vector<std::string>& more) const;
  /// The same where something follows.
  [[nodiscard]] scope followed() const;
};

/// Gives forms their meaning; collects what is wrong instead of stopping.
class analysis {
public:
  analysis(specification& into, std::vector<diagnostic>& diagnostics) : spec_(into), diagnostics_(diagnostics) {}

  void file(const std::vector<form>& forms);
  const node* expression(const form& f, const scope& names);

private:
  // Top level, in analysis.cpp.
  void declare(const form& f);
  void define_role(const form& f);
  void define(const form& f);
  void check_calls();

  // Terms, in terms.cpp.
  const node* term(const form& f, const scope& names);
  const node* operation(const form& f, std::string_view name, const scope& names);
  const node* sequence(const form& f, std::size_t from, const scope& names);
  const node* cat(source_position at, std::vector<const node*> children);
  const node* communication(const form& f, node_kind kind, const scope& names);
  const node* close(const form& f, const scope& names);
  const node* choice(const form& f, node_kind kind, const scope& names);
  const node* every(const form& f, node_kind kind, const scope& names);
  const node* branch(const form& f, const scope& names);
  const node* channel(const form& f, const scope& names);
  const node* let(const form& f, const scope& names);
  const node* loop(const form& f, const scope& names);
  const node* recur(const form& f, const scope& names);
  const node* repetition(const form& f, char which, const scope& names);
  const node* session(const form& f, const scope& names);
  const node* role(const form& f, const scope& names);
  const node* skip(source_position at) { return make({node_kind::skip, at, {}, {}, {}, {}}); }

  // Expressions, in expressions.cpp.
  const node* special(const form& f, const scope& names);
  const node* symbol(const form& f, const scope& names);
  const node* function_call(const form& f, const scope& names);
  std::vector<const node*> expressions(const form& f, std::size_t from, const scope& names);
  struct bound {
    std::vector<std::string> names;
    std::vector<const node*> values;
    scope inside;
  };
  /// A vector of names and expressions, each of which may use the names before.
  bound binding_vector(const form& f, const std::string& construct, const scope& names);

  const node* make(node n) { return spec_.make(std::move(n)); }
  void report(severity level, source_position at, std::string construct, std::string message,
              std::string expected = {});
  const node* fail(const form& f, std::string construct, std::string message, std::string expected = {});
  /// Whether `f` has from `least` to `most` parts beside its head; reports if not.
  bool has_parts(const form& f, std::size_t least, std::size_t most, const std::string& expected);
  /// The name of `::name`, `:name` or `::ns/name`; empty if `f` is something else.
  static std::string keyword_name(const form& f);

  struct call {
    std::string name;
    std::size_t arguments;
    source_position at;
  };

  specification& spec_;
  std::vector<diagnostic>& diagnostics_;
  std::vector<call> session_calls_;
  std::set<std::string> warned_roles_;
};

constexpr std::size_t any_number = static_cast<std::size_t>(-1);

}  // namespace harrier::protocol::internal
