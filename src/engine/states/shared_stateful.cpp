#include "shared_stateful.hpp"

#include <string>

#include "../alone.hpp"
#include "../search_by_one.hpp"

namespace harrier {

std::string objection_to_sharing(const stateful_options& how) {
  const auto cannot = [](const std::string& what, const std::string& can) {
    return what + " can neither be shared by several jobs nor be written to a checkpoint; " + can + " can";
  };
  if (how.search == search_order::breadth_first)
    return cannot("breadth-first search (bfs)", "depth-first search (dfs)");
  if (how.visited == visited_states::exact)
    return cannot("a search that remembers states exactly (exact)", "one that remembers 96 bits of each (compacted)");
  if (how.comparison == state_comparison::canonical)
    return cannot("a search with canonical state comparison", "one with exact comparison");
  return {};
}

namespace {

class states_by_one final : public shared_states {
public:
  explicit states_by_one(const stateful_options& how) : how_(how) {}
  void work(search_context& s) override { search_.work(s); }
  [[nodiscard]] bool is_explored() const override { return search_.is_explored(); }
  void save(archive_writer& to) const override { search_.save(to); }
  void load(archive_reader& from) override { search_.load(from); }
  [[nodiscard]] stateful_report report() const override { return report_; }

private:
  struct explorer {
    states_by_one& of;
    bool operator()(search_context& s) const { return explore_stateful(s, of.how_, of.report_); }
  };

  const stateful_options how_;
  stateful_report report_;
  search_by_one<explorer> search_{explorer{*this}};
};

}  // namespace

std::unique_ptr<shared_states> share_stateful(const stateful_options& how, made_by who) {
  if (who == made_by::one) return std::make_unique<states_by_one>(how);
  if (const auto why_not = objection_to_sharing(how); !why_not.empty()) throw error(why_not);
  return std::make_unique<shared_stateful<>>(how);
}

}  // namespace harrier
