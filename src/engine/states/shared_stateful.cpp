#include "shared_stateful.hpp"

#include "../alone.hpp"
#include "../search_by_one.hpp"
#include "shared_breadth_first.hpp"

namespace harrier {
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
  if (how.search == search_order::breadth_first) return std::make_unique<shared_breadth_first<>>(how);
  return std::make_unique<shared_stateful<>>(how);
}

}  // namespace harrier
