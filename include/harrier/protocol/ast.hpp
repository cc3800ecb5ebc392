#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/protocol/diagnostic.hpp>
#include <harrier/protocol/value.hpp>

namespace harrier::protocol {

/// What a node of the syntax tree is. Expressions first, then roles, then terms.
enum class node_kind : std::uint8_t {
  literal,    ///< `literal`
  variable,   ///< `name`
  call,       ///< builtin or `defn` called `name` on the children
  apply,      ///< first child, a set, as a predicate on the second
  list,       ///< `[a b]` of the children
  set,        ///< `#{a b}` of the children
  choose,     ///< condition, then, else
  let_in,     ///< `names` bound to the first children, then the body
  attempt,    ///< `try`: child 0, or child 1 if that fails
  role,       ///< role `name`, indices as children
  skip,       ///< does nothing, terminated
  send,       ///< type `name`, from child 0 to child 1, asynchronously
  receive,    ///< by child 1 from child 0; whatever type
  handshake,  ///< type `name`, from child 0 to child 1 in one step
  close,      ///< child 0 closes its channel to child 1
  cat,        ///< children in sequence
  alt,        ///< one of the children
  par,        ///< children interleaved
  cat_every,  ///< body for each binding of `names`; children: collections, then the body
  alt_every,  ///< "
  par_every,  ///< "
  branch,     ///< `if`: condition, then, else
  let,        ///< `names` bound to the first children, then the body, a term
  loop,       ///< as `let`, and called `name`, for `recur`
  recur,      ///< back to the loop called `name`, with the children as new values
  session,    ///< the session called `name`, on the children
  channel,    ///< messages of child 3 go from child 0 to child 1, and up to as many as child 2 says are under way
};

/// One immutable node. Nodes live as long as the `specification` (or the
/// state space) that made them.
struct node {
  node_kind kind = node_kind::skip;
  source_position at;
  std::string name;
  std::vector<std::string> names;
  value literal;
  std::vector<const node*> children;
};

/// Structural: positions do not count.
[[nodiscard]] bool equal(const node& a, const node& b);

/// As it could be written.
[[nodiscard]] std::string to_string(const node& n);

struct parameterised {
  std::vector<std::string> parameters;
  const node* body = nullptr;
  source_position at;
};

/// One `.dcj` file. Immutable; sessions and functions are found by name and
/// number of parameters.
class specification {
public:
  using key = std::pair<std::string, std::size_t>;

  std::string file;
  std::map<std::string, std::string> roles;  ///< declared ones, with the name to print
  std::map<key, parameterised> sessions;     ///< names without colons
  std::map<key, parameterised> functions;

  /// @return null if there is none.
  [[nodiscard]] const parameterised* session(std::string_view name, std::size_t arguments) const;
  [[nodiscard]] const parameterised* function(std::string_view name, std::size_t arguments) const;

  const node* make(node n) { return &nodes_.emplace_back(std::move(n)); }

  specification() = default;
  specification(const specification&) = delete;
  specification& operator=(const specification&) = delete;

private:
  std::deque<node> nodes_;
};

}  // namespace harrier::protocol
