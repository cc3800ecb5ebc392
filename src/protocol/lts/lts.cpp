// The small-step semantics of Discourje on hash-consed terms. Rules, for a term t:
//   action       one step to skip
//   cat[t ts]    the steps of t, with ts after it; and the steps of cat[ts] if t is terminated
//   alt          the union; of nothing: no step, and not terminated
//   par          the steps of each branch, the others as they are
//   channel      if it has room, the sends of its body, with the receive that follows put behind those that are left;
//                and the first of these. Its parts: itself as it is written, the body, receives that are left
//   the rest     (if, let, every, loop, session) the steps of its unfolding; none, if it is being unfolded already
#include <harrier/protocol/lts.hpp>

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <harrier/protocol/evaluate.hpp>

#include "term_table.hpp"

namespace harrier::protocol {
namespace {

using internal::by_term;
using internal::child;
using internal::interned;
using internal::interner;
using internal::term;
using internal::term_table;

struct step {
  action_id action;
  term target;
  source_position at;
};

constexpr std::size_t max_branches = 10'000;
constexpr std::int64_t max_capacity = 1'000;
constexpr std::size_t max_term_size = 100'000'000;  // of all terms together, in parts: some gigabytes

bool is_unfolded(node_kind kind) {
  switch (kind) {
    case node_kind::cat_every:
    case node_kind::alt_every:
    case node_kind::par_every:
    case node_kind::branch:
    case node_kind::let:
    case node_kind::loop:
    case node_kind::session:
    case node_kind::channel: return true;
    default: return false;
  }
}

}  // namespace

definition_error::definition_error(diagnostic d) : harrier::error(to_string(d)), what_is_wrong(std::move(d)) {}

class lts::unfolding {
public:
  unfolding(std::shared_ptr<const specification> definitions, std::string_view session, std::vector<value> arguments,
            const session_piece& piece)
      : definitions_(std::move(definitions)) {
    node call{node_kind::session, {}, std::string(session), {}, {}, {}};
    if (definitions_->session(session, arguments.size()) == nullptr) throw no_such_session(session, arguments.size());
    call.at = definitions_->session(session, arguments.size())->at;
    for (auto& a : arguments)
      call.children.push_back(terms_.nodes().make({node_kind::literal, {}, {}, {}, std::move(a), {}}));
    done_ = skip({});
    whole_ = terms_.of(terms_.nodes().make(std::move(call)));
    std::vector<term> pieces;
    for (const auto& place : piece.places) pieces.push_back(at(place));
    number(join(piece.is_sequence ? node_kind::cat : node_kind::par, {}, pieces));
  }

  session_shape shape() {
    std::vector<term> above;
    comes_back_to_ = no_term;
    shaped_ = 0;
    return shape_of(whole_, {}, above);
  }

  std::vector<role_id> first_roles(const session_piece::place& place) {
    std::vector<step> found;
    collect(at(place), found);
    std::vector<role_id> result;
    for (const auto& s : found) {
      result.push_back(names_.actions()[s.action].from);
      result.push_back(names_.actions()[s.action].to);
    }
    return result;
  }

  std::optional<std::pair<role_id, role_id>> channel_at(const session_piece::place& place) {
    auto t = at(place);
    while (is_to_be_unfolded(t)) {
      if (leaf(t)->kind == node_kind::channel) return std::pair(channel_of(t).from, channel_of(t).to);
      t = unfold(t);
    }
    return std::nullopt;
  }

  std::string as_channel(const session_piece::place& place, std::size_t capacity) {
    std::deque<node> made;
    const auto* body = tree(at(place), made);
    const auto* sent = first_sent(*body);
    if (sent == nullptr) return {};
    return fmt::format("(s/channel {} {} {} {})", to_string(*sent->children[0]), to_string(*sent->children[1]),
                       capacity, to_string(*body));
  }

  const std::vector<transition>& steps(state_id state) {
    if (terms_.size() > max_term_size) {
      throw failure(
          {}, {},
          fmt::format("the terms of {} states take too much memory; a smaller limit of states?", states_.size()));
    }
    current_.clear();
    places_.clear();
    std::vector<step> found;
    collect(states_[state], found);
    for (const auto& s : found) {
      const transition t{s.action, number(s.target)};
      if (std::find(current_.begin(), current_.end(), t) != current_.end()) continue;
      current_.push_back(t);
      places_.push_back(s.at);
    }
    expanded_ = state;
    return current_;
  }

  const std::vector<source_position>& places(state_id state) {
    if (expanded_ != state) static_cast<void>(steps(state));
    return places_;
  }

  bool may_end(state_id state) { return terminated(states_[state]); }

  void forget_states() {
    states_ = {};
    numbers_ = by_term<state_id>(no_state);
    terminated_ = by_term<answer>(answer::unknown);
    terms_ = {};
    unfolded_ = by_term<term>(no_term);
    actions_ = {};
    channels_ = {};
    bodies_ = {};
    loops_ = {};
  }

  std::string describe(state_id state) {
    std::deque<node> made;
    return to_string(*tree(states_[state], made));
  }

  alphabet names_;
  std::vector<diagnostic> warnings_;
  std::shared_ptr<const specification> definitions_;
  std::vector<term> states_;
  std::size_t found_ = 0;
  std::optional<source_position> first_channel_;
  std::set<std::pair<role_id, role_id>> channels_between_;

private:
  // --- errors

  definition_error failure(source_position at, std::string construct, std::string message) const {
    return definition_error({severity::error, definitions_->file, at, std::move(construct), std::move(message), {}});
  }

  definition_error no_such_session(std::string_view name, std::size_t arguments) const {
    std::string others;
    for (const auto& [key, session] : definitions_->sessions) {
      others += fmt::format("{}{} with {}", others.empty() ? "" : " or ", key.first, key.second);
    }
    return definition_error(
        {severity::error,
         definitions_->file,
         {},
         {},
         fmt::format("there is no session {} with {} argument{}", name, arguments, arguments == 1 ? "" : "s"),
         others});
  }

  void warn(const node& n, std::string construct, std::string message) {
    if (!warned_.emplace(n.at, construct).second) return;
    warnings_.push_back({severity::warning, definitions_->file, n.at, std::move(construct), std::move(message), {}});
  }

  value value_of(const node& expression, const bindings& variables = {}) const {
    try {
      return evaluate(expression, *definitions_, variables);
    } catch (const evaluation_error& e) {
      throw failure(e.at, e.construct, e.message);
    }
  }

  // --- terms

  term skip(source_position at) { return terms_.of(terms_.nodes().make({node_kind::skip, at, {}, {}, {}, {}})); }

  // cat or par: none is skip, one is itself. alt keeps none: that is a deadlock.
  term join(node_kind kind, source_position at, const std::vector<term>& parts) {
    if (parts.empty() && kind != node_kind::alt) return skip(at);
    return parts.size() == 1 ? parts[0] : terms_.group(kind, parts);
  }

  // A state keeps the places of the term by which it was found first.
  state_id number(term t) {
    const auto plain = terms_.nodes().has_twins() ? terms_.plain(t) : t;
    auto known = numbers_.get(plain);
    if (known == no_state) {
      known = static_cast<state_id>(states_.size());
      states_.push_back(t);
      found_ = states_.size();
      numbers_.set(plain, known);
    }
    return known;
  }

  const interned* leaf(term t) const { return terms_.node_of(t); }

  // With values in place of holes.
  const node* tree(const node& n, std::span<const std::uint32_t> values, std::deque<node>& made) const {
    node copy = n;
    if (n.kind == node_kind::variable && interner::is_hole(n.name)) {
      copy = {node_kind::literal, n.at, {}, {}, terms_.values()[values[interner::number_of_hole(n.name)]], {}};
    }
    for (auto& child : copy.children) child = tree(*child, values, made);
    return &made.emplace_back(std::move(copy));
  }

  const node* tree(term t, std::deque<node>& made) const {
    if (term_table::is_leaf(t)) return tree(*leaf(t), terms_.values_of(t), made);
    node n{terms_.kind(t), {}, {}, {}, {}, {}};
    for (const auto part : terms_.parts(t)) n.children.push_back(tree(part, made));
    return &made.emplace_back(std::move(n));
  }

  static const node* first_sent(const node& n) {
    if (n.kind == node_kind::send) return &n;
    for (const auto* part : n.children) {
      if (const auto* sent = first_sent(*part)) return sent;
    }
    return nullptr;
  }

  // --- unfolding

  term unfold(term t) {
    if (const auto known = unfolded_.get(t); known != no_term) return known;
    const auto result = unfold_afresh(t, leaf(t), terms_.scope_of(t));
    unfolded_.set(t, result);
    return result;
  }

  term unfold_afresh(term t, const interned* n, term_table::scope values) {
    switch (n->kind) {
      case node_kind::branch: return chosen(n, values);
      case node_kind::let:
      case node_kind::loop: return unfold_loop(n, std::move(values));
      case node_kind::session: return unfold_session(n, values);
      case node_kind::channel: return terms_.group(node_kind::channel, std::vector{t, terms_.of(child(*n, 3), values)});
      default: return unfold_every(n, std::move(values));
    }
  }

  // What is unfolded most often, a session or loop that goes on or not as its variables say, needs no term for the
  // choice itself.
  term chosen(const interned* n, const term_table::scope& values) {
    if (n->kind == node_kind::branch) {
      const auto variables = terms_.variables_of(values);
      while (n->kind == node_kind::branch) n = child(*n, value_of(*n->children[0], variables).truthy() ? 1 : 2);
    }
    return terms_.of(n, values);
  }

  term unfold_loop(const interned* n, term_table::scope values) {
    auto variables = terms_.variables_of(values);
    for (std::size_t i = 0; i < n->names.size(); ++i) {
      // A recur may give too few values: the rest is nil.
      const bool given = i + 1 < n->children.size();
      variables.emplace_back(n->names[i], given ? value_of(*n->children[i], variables) : value());
      values.variables.emplace_back(n->names[i], terms_.values().number(variables.back().second));
    }
    return chosen(n->kind == node_kind::loop ? unrolled(n) : child(*n, n->children.size() - 1), values);
  }

  const interned* unrolled(const interned* loop) {
    auto& body = loops_[loop];
    if (body == nullptr) body = terms_.nodes().unrolled(*loop);
    return body;
  }

  term unfold_session(const interned* n, const term_table::scope& values) {
    const auto* session = definitions_->session(n->name, n->children.size());
    const auto variables = terms_.variables_of(values);
    term_table::scope inside;
    for (std::size_t i = 0; i < n->children.size(); ++i) {
      inside.variables.emplace_back(session->parameters[i],
                                    terms_.values().number(value_of(*n->children[i], variables)));
    }
    auto& body = bodies_[session];
    if (body == nullptr) body = terms_.nodes().take(*session->body);
    return chosen(body, inside);
  }

  term unfold_every(const interned* n, term_table::scope values) {
    std::vector<term> parts;
    add_tuples(n, 0, values, parts);
    if (n->kind == node_kind::alt_every && parts.empty()) {
      warn(*n, "alt-every", "over nothing: no branch to choose, so the run is stuck here");
    }
    const auto kind = n->kind == node_kind::cat_every   ? node_kind::cat
                      : n->kind == node_kind::alt_every ? node_kind::alt
                                                        : node_kind::par;
    return join(kind, n->at, parts);
  }

  void add_tuples(const interned* n, std::size_t index, term_table::scope& values, std::vector<term>& parts) {
    if (index == n->names.size()) {
      parts.push_back(terms_.of(child(*n, index), values));
      if (parts.size() > max_branches)
        throw failure(n->at, "every", fmt::format("has more than {} branches", max_branches));
      return;
    }
    const auto collection = value_of(*n->children[index], terms_.variables_of(values));
    const auto* elements = collection.elements();
    if (elements == nullptr) {
      throw failure(n->at, "every", fmt::format("`{}` is not a list or set to go through", to_string(collection)));
    }
    for (const auto& e : *elements) {
      values.variables.emplace_back(n->names[index], terms_.values().number(e));
      add_tuples(n, index + 1, values, parts);
      values.variables.pop_back();
    }
  }

  bool is_to_be_unfolded(term t) const { return term_table::is_leaf(t) && is_unfolded(leaf(t)->kind); }

  term at(const session_piece::place& place) {
    auto t = whole_;
    for (const auto part : place) {
      while (is_to_be_unfolded(t)) t = unfold(t);
      t = terms_.parts(t)[part];
    }
    return t;
  }

  // `above` is what was unfolded on the way to `t`. What comes to be itself again is no group of parts, nor is what is
  // in it; it is in `comes_back_to_` until that is reached. A limit makes the whole such a thing.
  session_shape shape_of(term t, const session_piece::place& place, std::vector<term>& above) {
    const auto height = above.size();
    while (is_to_be_unfolded(t)) {
      if (std::find(above.begin(), above.end(), t) != above.end()) {
        comes_back_to_ = t;
        break;
      }
      if (++shaped_ > max_branches || above.size() > max_unfolding) {
        comes_back_to_ = whole_;
        break;
      }
      above.push_back(t);
      t = unfold(t);
    }
    session_shape result{session_shape::form::one, {place}, {}};
    if (comes_back_to_ == no_term && !term_table::is_leaf(t)) add_parts(t, place, above, result);
    const auto mine = above.begin() + static_cast<std::ptrdiff_t>(height);
    if (comes_back_to_ != no_term) {
      result = {session_shape::form::one, {place}, {}};
      if (std::find(mine, above.end(), comes_back_to_) != above.end()) comes_back_to_ = no_term;
    }
    above.erase(mine, above.end());
    return result;
  }

  void add_parts(term t, const session_piece::place& place, std::vector<term>& above, session_shape& result) {
    using form = session_shape::form;
    const auto kind = terms_.kind(t);
    if (kind != node_kind::par && kind != node_kind::cat) return;
    const std::vector<term> parts(terms_.parts(t).begin(), terms_.parts(t).end());
    result.is = kind == node_kind::par ? form::parallel : form::sequence;
    for (std::size_t i = 0; i < parts.size() && comes_back_to_ == no_term; ++i) {
      auto there = place;
      there.push_back(i);
      add_part(shape_of(parts[i], there, above), result);
    }
    if (result.parts.size() == 1) result = {form::one, {place}, {}};
  }

  // A sequence in a sequence, or a `par` in a `par`, is its parts; what has none is one with its neighbour in a
  // sequence.
  static void add_part(session_shape part, session_shape& result) {
    using form = session_shape::form;
    if (part.is == result.is) {
      for (auto& p : part.parts) add_part(std::move(p), result);
      return;
    }
    const bool joins = result.is == form::sequence && part.is == form::one && !result.parts.empty() &&
                       result.parts.back().is == form::one;
    if (!joins) {
      result.parts.push_back(std::move(part));
      return;
    }
    auto& places = result.parts.back().places;
    places.insert(places.end(), part.places.begin(), part.places.end());
  }

  // --- steps

  // The call or loop with its arguments evaluated: what must not come back to itself without an action.
  struct opened {
    const interned* node;
    std::vector<value> arguments;
    std::vector<std::uint32_t> body;  // of a loop: the values of its holes
  };

  static bool is_repeated(node_kind kind) { return kind == node_kind::session || kind == node_kind::loop; }

  static bool same(const opened& a, const opened& b) {
    return a.node->kind == b.node->kind && a.node->name == b.node->name && a.node->names == b.node->names &&
           (a.node->kind == node_kind::session || body_of(a)->alike == body_of(b)->alike) && a.body == b.body &&
           a.arguments == b.arguments;
  }
  static const interned* body_of(const opened& loop) { return child(*loop.node, loop.node->children.size() - 1); }

  opened opened_as(term t) {
    const auto* n = leaf(t);
    opened result{n, {}, {}};
    const auto values = terms_.scope_of(t);
    auto variables = terms_.variables_of(values);
    const auto arguments = n->children.size() - (n->kind == node_kind::loop ? 1 : 0);
    if (n->kind == node_kind::loop) {
      const auto count = interner::holes(*body_of(result));
      result.body.assign(values.holes.begin(), values.holes.begin() + static_cast<std::ptrdiff_t>(count));
    }
    for (std::size_t i = 0; i < arguments; ++i) {
      result.arguments.push_back(value_of(*n->children[i], variables));
      if (n->kind == node_kind::loop && i < n->names.size())
        variables.emplace_back(n->names[i], result.arguments.back());
    }
    return result;
  }

  // Of a group: its first leaf's.
  const interned* first_leaf(term t) const {
    while (!term_table::is_leaf(t) && !terms_.parts(t).empty()) t = terms_.parts(t)[0];
    return term_table::is_leaf(t) ? leaf(t) : leaf(done_);
  }

  struct entered {
    entered(unfolding& owner, term t) : self(owner) {
      if (self.depth_ >= max_unfolding) {
        self.depth_ = 0;
        self.open_.clear();
        const auto* n = self.first_leaf(t);
        throw self.failure(n->at, n->kind == node_kind::session ? "(::" + n->name + ")" : "",
                           fmt::format("unfolding goes more than {} deep without reaching an action; a recursion "
                                       "without an action before it, or one that is never the last thing to do?",
                                       max_unfolding));
      }
      if (!term_table::is_leaf(t) || !is_repeated(self.leaf(t)->kind)) {
        ++self.depth_;
        return;
      }
      const auto* n = self.leaf(t);
      auto key = self.opened_as(t);
      ++self.depth_;
      is_new = std::none_of(self.open_.begin(), self.open_.end(), [&](const auto& o) { return same(o, key); });
      if (is_new) {
        self.open_.push_back(std::move(key));
        is_open = true;
        return;
      }
      if (n->kind == node_kind::session) {
        self.warn(*n, "(::" + n->name + ")", "calls itself again without an action in between; that offers no step");
      }
      ++self.cuts_;
    }
    ~entered() {
      if (is_open && !self.open_.empty()) self.open_.pop_back();
      if (self.depth_ != 0) --self.depth_;
    }
    entered(const entered&) = delete;
    entered& operator=(const entered&) = delete;

    unfolding& self;
    bool is_open = false;
    bool is_new = true;
  };

  // Known answers are kept; a "no" only if it did not come from cutting off what is being unfolded.
  bool terminated(term t) {
    if (t == done_) return true;
    if (const auto known = terminated_.get(t); known != answer::unknown) return known == answer::yes;
    const auto cuts_before = cuts_;
    const bool result = terminated_afresh(t);
    if (result || cuts_ == cuts_before) terminated_.set(t, result ? answer::yes : answer::no);
    return result;
  }

  bool terminated_afresh(term t) {
    if (!term_table::is_leaf(t)) {
      const entered guard(*this, t);
      if (terms_.kind(t) == node_kind::channel) return terms_.parts(t).size() == 2 && terminated(terms_.parts(t)[1]);
      const bool any_will_do = terms_.kind(t) == node_kind::alt;
      // A part may add groups, which moves them.
      for (std::size_t i = 0; i < terms_.parts(t).size(); ++i) {
        if (terminated(terms_.parts(t)[i]) == any_will_do) return any_will_do;
      }
      return !any_will_do;
    }
    if (!is_unfolded(leaf(t)->kind)) return false;
    const entered guard(*this, t);
    return guard.is_new && terminated(unfold(t));
  }

  void collect(term t, std::vector<step>& found) {
    const entered guard(*this, t);
    if (!term_table::is_leaf(t)) return collect_group(t, found);
    const auto* n = leaf(t);
    switch (n->kind) {
      case node_kind::send:
      case node_kind::receive:
      case node_kind::handshake:
      case node_kind::close: return found.push_back({action_of(t), done_, n->at});
      default: break;
    }
    if (is_unfolded(n->kind) && guard.is_new) collect(unfold(t), found);
  }

  void collect_group(term t, std::vector<step>& found) {
    if (terms_.kind(t) == node_kind::cat) return collect_cat(t, found);
    if (terms_.kind(t) == node_kind::par) return collect_par(t, found);
    if (terms_.kind(t) == node_kind::channel) return collect_channel(t, found);
    for (std::size_t i = 0; i < terms_.parts(t).size(); ++i) collect(terms_.parts(t)[i], found);
  }

  // The steps of a part follow those found before; they become steps of the whole, by what the whole is with the part
  // that is left.
  template <class Whole>
  void collect_part(term part, std::vector<step>& found, Whole whole) {
    const auto before = found.size();
    collect(part, found);
    for (auto i = before; i < found.size(); ++i) found[i].target = whole(found[i].target);
  }

  void collect_cat(term t, std::vector<step>& found) {
    const std::vector<term> parts(terms_.parts(t).begin(), terms_.parts(t).end());
    for (std::size_t first = 0; first < parts.size(); ++first) {
      auto rest = std::vector<term>(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end());
      collect_part(parts[first], found, [&](term left) {
        rest[0] = left;
        return rest.size() == 1 ? left : terms_.group(node_kind::cat, rest);
      });
      if (!terminated(parts[first])) return;
    }
  }

  void collect_par(term t, std::vector<step>& found) {
    std::vector<term> parts(terms_.parts(t).begin(), terms_.parts(t).end());
    for (auto& part : parts) {
      const auto whole = part;
      collect_part(whole, found, [&](term left) {
        part = left;
        return terms_.group(node_kind::par, parts);
      });
      part = whole;
    }
  }

  void collect_channel(term t, std::vector<step>& found) {
    const std::vector<term> parts(terms_.parts(t).begin(), terms_.parts(t).end());
    const auto& channel = channel_of(parts[0]);
    if (parts.size() - 2 < channel.capacity) {
      std::vector<step> sends;
      collect(parts[1], sends);
      for (const auto& send : sends) {
        auto after = parts;
        after.push_back(receive_after(send, channel, after[1]));
        found.push_back({send.action, terms_.group(node_kind::channel, after), send.at});
      }
    }
    if (parts.size() == 2) return;
    auto after = parts;
    after.erase(after.begin() + 2);
    found.push_back({action_of(parts[2]), terms_.group(node_kind::channel, after), leaf(parts[2])->at});
  }

  struct channel_ends {
    role_id from;
    role_id to;
    std::size_t capacity;
  };

  term first_unfinished(term t) {
    while (!term_table::is_leaf(t)) {
      std::size_t part = 0;
      while (part + 1 < terms_.parts(t).size() && terminated(terms_.parts(t)[part])) ++part;
      t = terms_.parts(t)[part];
    }
    return t;
  }

  // What one branch of the body does; it goes on with `rest`.
  term receive_after(const step& send, const channel_ends& channel, term& rest) {
    const auto sent = names_.actions()[send.action];
    std::vector<step> next;
    if (sent.kind == action_kind::send && sent.from == channel.from && sent.to == channel.to)
      collect(send.target, next);
    const auto first = next.size() == 1 ? first_unfinished(send.target) : send.target;
    const bool is_received = next.size() == 1 && term_table::is_leaf(first) &&
                             leaf(first)->kind == node_kind::receive && action_of(first) == next[0].action;
    if (!is_received) {
      throw failure(send.at, "s/channel",
                    fmt::format("`{}`: in the channel from {} to {} are only messages (-->>) between these two, one "
                                "after the other",
                                names_.describe(sent), names_.roles()[channel.from], names_.roles()[channel.to]));
    }
    rest = next[0].target;
    return first;
  }

  const channel_ends& channel_of(term written) {
    if (const auto known = channels_.find(written); known != channels_.end()) return known->second;
    const auto* n = leaf(written);
    const auto variables = terms_.variables_of(terms_.scope_of(written));
    const auto capacity = value_of(*n->children[2], variables);
    const channel_ends ends{role_of(*n->children[0], variables), role_of(*n->children[1], variables),
                            capacity_of(capacity, n->at)};
    if (ends.from == ends.to) throw failure(n->at, "s/channel", "is from a role to itself");
    if (!first_channel_) first_channel_ = n->at;
    channels_between_.emplace(ends.from, ends.to);
    return channels_.emplace(written, ends).first->second;
  }

  std::size_t capacity_of(const value& capacity, source_position at) const {
    const auto* number = capacity.get_if<std::int64_t>();
    if (number == nullptr || *number < 1 || *number > max_capacity) {
      throw failure(at, "s/channel",
                    fmt::format("the capacity `{}` is not a number from 1 to {}", to_string(capacity), max_capacity));
    }
    return static_cast<std::size_t>(*number);
  }

  role_id role_of(const node& n, const bindings& variables) {
    const auto declared = definitions_->roles.find(n.name);
    std::string name = declared == definitions_->roles.end() ? n.name : declared->second;
    for (std::size_t i = 0; i < n.children.size(); ++i) {
      const auto index = value_of(*n.children[i], variables);
      if (!index.is_number()) {
        throw failure(n.at, "::" + n.name, fmt::format("the index `{}` is not a number", to_string(index)));
      }
      name += i == 0 ? '[' : ',';
      name += display(index);
    }
    return names_.role(n.children.empty() ? name : name + "]");
  }

  action_id action_of(term t) {
    if (const auto found = actions_.find(t); found != actions_.end()) return found->second;
    const auto* n = leaf(t);
    const auto variables = terms_.variables_of(terms_.scope_of(t));
    const auto kind = n->kind == node_kind::send      ? action_kind::send
                      : n->kind == node_kind::receive ? action_kind::receive
                      : n->kind == node_kind::close   ? action_kind::close
                                                      : action_kind::handshake;
    const auto from = role_of(*n->children[0], variables);
    const auto to = role_of(*n->children[1], variables);
    const auto type = n->name.empty() ? no_type : names_.type(n->name);
    const auto number = names_.number({kind, from, to, type});
    actions_.emplace(t, number);
    return number;
  }

  static constexpr auto no_state = static_cast<state_id>(-1);
  static constexpr auto no_term = static_cast<term>(-1);
  enum class answer : std::uint8_t { unknown, no, yes };

  term_table terms_;
  term done_ = 0;
  term whole_ = 0;
  term comes_back_to_ = no_term;  // see `shape_of`
  std::size_t shaped_ = 0;        // how often something was unfolded for the shape
  by_term<state_id> numbers_{no_state};
  by_term<answer> terminated_{answer::unknown};
  by_term<term> unfolded_{no_term};
  std::unordered_map<term, action_id> actions_;
  std::unordered_map<term, channel_ends> channels_;  // by how they are written
  std::unordered_map<const parameterised*, const interned*> bodies_;
  std::unordered_map<const interned*, const interned*> loops_;  // by loop: its body, unrolled
  std::vector<opened> open_;                                    // calls and loops being unfolded
  std::size_t cuts_ = 0;                                        // how often something was being unfolded already
  std::size_t depth_ = 0;
  std::vector<transition> current_;
  std::vector<source_position> places_;
  state_id expanded_ = static_cast<state_id>(-1);
  std::set<std::pair<source_position, std::string>> warned_;
};

lts::lts(std::shared_ptr<const specification> definitions, std::string_view session, std::vector<value> arguments)
    : lts(std::move(definitions), session, std::move(arguments), session_piece{}) {}
lts::lts(std::shared_ptr<const specification> definitions, std::string_view session, std::vector<value> arguments,
         const session_piece& piece)
    : unfolding_(std::make_unique<unfolding>(std::move(definitions), session, std::move(arguments), piece)) {}
lts::~lts() = default;

std::span<const transition> lts::steps(state_id state) { return unfolding_->steps(state); }
const alphabet& lts::names() const { return unfolding_->names_; }
void lts::forget_states() { unfolding_->forget_states(); }
bool lts::terminated(state_id state) { return unfolding_->may_end(state); }
std::string lts::describe(state_id state) const { return unfolding_->describe(state); }
const std::vector<source_position>& lts::places(state_id state) { return unfolding_->places(state); }
std::size_t lts::found() const noexcept { return unfolding_->found_; }
session_shape lts::shape() { return unfolding_->shape(); }
std::optional<std::pair<role_id, role_id>> lts::channel_at(const session_piece::place& place) {
  return unfolding_->channel_at(place);
}
std::optional<source_position> lts::first_channel() const noexcept { return unfolding_->first_channel_; }
const std::set<std::pair<role_id, role_id>>& lts::channels() const noexcept { return unfolding_->channels_between_; }
std::string lts::as_channel(const session_piece::place& place, std::size_t capacity) {
  return unfolding_->as_channel(place, capacity);
}
std::vector<role_id> lts::first_roles(const session_piece::place& place) { return unfolding_->first_roles(place); }
const std::vector<diagnostic>& lts::warnings() const noexcept { return unfolding_->warnings_; }
const specification& lts::definitions() const noexcept { return *unfolding_->definitions_; }

}  // namespace harrier::protocol
