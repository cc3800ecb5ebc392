#include "wishes.hpp"

#include <algorithm>
#include <cstddef>
#include <typeinfo>

#include <harrier/core/error.hpp>

namespace harrier::detail {
namespace {

bool is_judged_at_ends(const specification& what) {
  return what.says == specification::kind::eventually || what.says == specification::kind::leads_to ||
         what.says == specification::kind::at_end;
}

/// As far as that can be seen: what their functions have captured cannot be compared.
bool are_alike(const specification& a, const specification& b) {
  return a.says == b.says && a.is_of_one_actor == b.is_of_one_actor &&
         std::equal(a.looks_at.begin(), a.looks_at.end(), b.looks_at.begin(), b.looks_at.end(),
                    [](const std::type_info* x, const std::type_info* y) { return *x == *y; }) &&
         a.found.target_type() == b.found.target_type() && a.then.target_type() == b.then.target_type() &&
         a.judge.target_type() == b.judge.target_type();
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw untestable_program("'" + name + "' " + why);
}

constexpr auto in_each =
    "what is to hold is said in each run of the body of a test, before it draws or assumes anything";

const std::string& name_of(const specification& what) { return what.name; }
const std::string& name_of(const std::pair<std::string, final_check>& of_end) { return of_end.first; }

/// @return how many both say, in the same order.
template <class All>
void require_same_names(const All& known, const All& now, bool may_be_fewer) {
  for (std::size_t i = 0; i < std::max(known.size(), now.size()); ++i) {
    if (i == now.size() && may_be_fewer) return;
    if (i < known.size() && i < now.size() && name_of(known[i]) == name_of(now[i])) continue;
    refuse(name_of(i < known.size() ? known[i] : now[i]),
           std::string("is said to hold in some executions and not in others, or in another order: ") + in_each);
  }
}

}  // namespace

void wishes::add(specification what) {
  require_new(what.name);
  specifications_.push_back(std::move(what));
}

void wishes::add(std::string name, final_check check) {
  require_new(name);
  of_ends_.emplace_back(std::move(name), std::move(check));
}

void wishes::require_new(const std::string& name) const {
  const auto has_it = [&](const auto& other) { return name_of(other) == name; };
  if (std::any_of(specifications_.begin(), specifications_.end(), has_it) ||
      std::any_of(of_ends_.begin(), of_ends_.end(), has_it))
    refuse(name, "is the name of two things that are to hold: a failure could not say which of them does not");
}

bool wishes::look_at_ends() const {
  return !of_ends_.empty() || std::any_of(specifications_.begin(), specifications_.end(), is_judged_at_ends);
}

void wishes::require_same(const wishes& in_another_run, bool may_be_fewer) const {
  require_same_names(specifications_, in_another_run.specifications_, may_be_fewer);
  require_same_names(of_ends_, in_another_run.of_ends_, may_be_fewer);
  for (std::size_t i = 0; i < in_another_run.specifications_.size(); ++i)
    if (!are_alike(specifications_[i], in_another_run.specifications_[i]))
      refuse(specifications_[i].name,
             std::string("says one thing in some executions and another in others: ") + in_each);
}

}  // namespace harrier::detail
