#include "shared_variables.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string_view>
#include <utility>

#include "../../core/global_variables.hpp"

namespace harrier::caf_adapter {
namespace {

constexpr std::size_t largest = std::size_t{1} << 22;      // of one variable
constexpr std::size_t most_always = std::size_t{1} << 13;  // of all that are looked at in each step
constexpr int looks_at_large = 2000;

struct known_variables {
  std::vector<variables::variable> all;  // the small ones first
  std::size_t small = 0;                 // so many
  std::size_t small_bytes = 0;           // to remember, with one for each
  std::size_t all_bytes = 0;
};

/// The variables by which interposed functions know what they stand for are harrier's, as all that runs within them.
bool is_of_an_interposed_function(std::string_view symbol) { return symbol.ends_with("E8original"); }

known_variables find_them() {
  const auto here = executable();
  known_variables found{.all = variables(here).of_program(here, largest)};
  std::erase_if(found.all, [](const auto& v) { return is_of_an_interposed_function(v.symbol); });
  std::stable_sort(found.all.begin(), found.all.end(),
                   [](const auto& a, const auto& b) { return a.where.size < b.where.size; });
  for (const auto& v : found.all) {
    found.all_bytes += v.where.size + 1;
    if (found.all_bytes > most_always) continue;
    ++found.small;
    found.small_bytes = found.all_bytes;
  }
  return found;
}

const known_variables& them() {
  static const auto all = find_them();
  return all;
}

/// What of `whole` is in none of `holes`.
std::vector<shared_variables::part> without(shared_variables::part whole, std::vector<shared_variables::part> holes) {
  std::vector<shared_variables::part> found;
  std::sort(holes.begin(), holes.end(), [](const auto& a, const auto& b) { return std::less<>{}(a.begin, b.begin); });
  const auto* const end = whole.begin + whole.size;
  for (const auto& hole : holes) {
    if (std::less<>{}(hole.begin, whole.begin) || !std::less<>{}(hole.begin, end)) continue;
    found.push_back({whole.begin, static_cast<std::size_t>(hole.begin - whole.begin)});
    whole.begin = std::min(hole.begin + hole.size, end);
  }
  found.push_back({whole.begin, static_cast<std::size_t>(end - whole.begin)});
  return found;
}

}  // namespace

void shared_variables::remember(part stack, std::vector<part> objects) {
  static std::atomic<int> looks_left = looks_at_large;
  const auto& known = them();
  with_large_ = known.small < known.all.size() && looks_left > 0 && looks_left-- > 0;
  on_stack_.clear();
  if (stack.begin != nullptr) on_stack_ = without(stack, std::move(objects));
  values_.resize((with_large_ ? known.all_bytes : known.small_bytes) + stack.size);
  auto* to = values_.data();
  for (std::size_t i = 0; i < (with_large_ ? known.all.size() : known.small); ++i) {
    const auto& v = known.all[i];
    copy_unwatched(v.where, to);
    to[v.where.size] = v.is_made != nullptr ? *v.is_made : '\1';
    to += v.where.size + 1;
  }
  for (const auto& piece : on_stack_) {
    copy_unwatched({piece.begin, piece.size}, to);
    to += piece.size;
  }
}

std::vector<std::string> shared_variables::changed() const {
  const auto& known = them();
  std::vector<std::string> found;
  const auto* before = values_.data();
  for (std::size_t i = 0; i < (with_large_ ? known.all.size() : known.small); ++i) {
    const auto& v = known.all[i];
    const bool was_made = before[v.where.size] != '\0';
    if (was_made && difference(v.where, before, 0) != v.where.size) found.push_back(readable(v.symbol));
    before += v.where.size + 1;
  }
  bool is_on_stack = false;
  for (const auto& piece : on_stack_) {
    is_on_stack = is_on_stack || difference({piece.begin, piece.size}, before, 0) != piece.size;
    before += piece.size;
  }
  if (is_on_stack) found.emplace_back("one of main's");
  return found;
}

}  // namespace harrier::caf_adapter
