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

std::atomic<bool> any_written = false;

/// Variables that lie one after the other.
struct run_of_variables {
  place where;
  std::size_t first, end;  // among all
};

struct known_variables {
  std::vector<variables::variable> all;  // the small ones first, as they lie in memory
  std::size_t small = 0;                 // so many
  std::vector<run_of_variables> runs;    // of the small ones
  std::vector<std::size_t> static_ones;  // of these, those that are made when their function is called first
  std::size_t small_bytes = 0;
  std::size_t all_bytes = 0;
};

/// The variables by which interposed functions know what they stand for are harrier's, as all that runs within them.
bool is_of_an_interposed_function(std::string_view symbol) { return symbol.ends_with("E8original"); }

/// With variable `i`, which lies there, after all before.
void lengthen(std::vector<run_of_variables>& runs, const place& where, std::size_t i) {
  constexpr std::ptrdiff_t most_between = 16;  // what aligns the next
  if (!runs.empty()) {
    auto& last = runs.back();
    const auto* const end = last.where.begin + last.where.size;
    if (where.begin - end <= most_between) {
      const auto* const new_end = std::max(end, where.begin + where.size);
      last.where.size = static_cast<std::size_t>(new_end - last.where.begin);
      last.end = i + 1;
      return;
    }
  }
  runs.push_back({where, i, i + 1});
}

known_variables find_them() {
  const auto here = executable();
  known_variables found;
  found.all = variables(here).of_program(here, largest);
  std::erase_if(found.all, [](const auto& v) { return is_of_an_interposed_function(v.symbol); });
  std::stable_sort(found.all.begin(), found.all.end(),
                   [](const auto& a, const auto& b) { return a.where.size < b.where.size; });
  std::size_t bytes = 0;
  for (const auto& v : found.all)
    if ((bytes += v.where.size) <= most_always) ++found.small;
  const auto small_end = found.all.begin() + static_cast<std::ptrdiff_t>(found.small);
  std::sort(found.all.begin(), small_end,
            [](const auto& a, const auto& b) { return std::less<>{}(a.where.begin, b.where.begin); });
  for (std::size_t i = 0; i < found.small; ++i) {
    if (found.all[i].is_made != nullptr) found.static_ones.push_back(i);
    lengthen(found.runs, found.all[i].where, i);
  }
  for (const auto& r : found.runs) found.small_bytes += r.where.size;
  found.all_bytes = found.small_bytes;
  for (auto v = small_end; v != found.all.end(); ++v) found.all_bytes += v->where.size + 1;
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

bool shared_variables::is_any_written() { return any_written; }

void shared_variables::remember(part stack, std::vector<part> objects) {
  is_remembered_ = true;
  static std::atomic<int> looks_left = looks_at_large;
  const auto& known = them();
  with_large_ = known.small < known.all.size() && looks_left > 0 && looks_left-- > 0;
  on_stack_.clear();
  if (stack.begin != nullptr) on_stack_ = without(stack, std::move(objects));
  const auto bytes = (with_large_ ? known.all_bytes : known.small_bytes) + stack.size;
  if (values_.size() < bytes) values_.resize(bytes);  // never less: growing again would clear what is written next
  auto* to = values_.data();
  is_made_.assign(known.static_ones.empty() ? 0 : known.small, true);
  for (const auto i : known.static_ones) is_made_[i] = *known.all[i].is_made != '\0';
  for (const auto& r : known.runs) {
    copy_unwatched(r.where, to);
    to += r.where.size;
  }
  for (auto i = known.small; with_large_ && i < known.all.size(); ++i) {
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
  if (!is_remembered_) return {};
  const auto& known = them();
  std::vector<std::string> found;
  const auto* before = values_.data();
  for (const auto& r : known.runs) {
    if (difference(r.where, before, 0) != r.where.size)
      for (auto i = r.first; i < r.end; ++i) {
        const auto& v = known.all[i];
        const bool was_made = is_made_.empty() || is_made_[i];
        const auto* const its = before + (v.where.begin - r.where.begin);
        if (was_made && difference(v.where, its, 0) != v.where.size) found.push_back(readable(v.symbol));
      }
    before += r.where.size;
  }
  for (auto i = known.small; with_large_ && i < known.all.size(); ++i) {
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
  if (!found.empty()) any_written = true;
  return found;
}

}  // namespace harrier::caf_adapter
