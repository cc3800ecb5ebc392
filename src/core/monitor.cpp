#include <harrier/core/monitor.hpp>

#include <algorithm>

#include <harrier/core/exploration.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

std::optional<record> monitors::stepped(const system& system) {
  std::optional<record> first;
  for (auto* m : all_) {
    auto broken = m->stepped(system);
    if (!broken) continue;
    if (!first) {
      first = std::move(broken);
      continue;
    }
    broken->at = static_cast<step_index>(system.step_count() - 1);
    held_.push_back(std::move(*broken));
  }
  return first;
}

void monitors::undone(const system& system) {
  for (auto* m : all_) m->undone(system);
  while (!held_.empty() && held_.back().at + 1 == system.step_count()) held_.pop_back();
}

std::vector<record> monitors::ended(const system& system) {
  auto broken = held_;
  for (auto* m : all_)
    for (auto& r : m->ended(system)) broken.push_back(std::move(r));
  return broken;
}

std::vector<record> monitors::broken_for_good(const system& system) {
  std::vector<record> broken;
  for (auto* m : all_)
    for (auto& r : m->broken_for_good(system)) broken.push_back(std::move(r));
  return broken;
}

std::string monitors::order_dependence(const system& initial) const {
  for (const auto* m : all_)
    if (auto why = m->order_dependence(initial); !why.empty()) return why;
  return {};
}

bool monitors::tells_observers_apart() const {
  return std::any_of(all_.begin(), all_.end(), [](const monitor* m) { return m->tells_observers_apart(); });
}

std::unique_ptr<monitor> monitors::another() const {
  std::vector<std::unique_ptr<monitor>> each;
  std::vector<monitor*> pointers;
  for (const auto* m : all_) {
    each.push_back(m->another());
    if (each.back() == nullptr) return nullptr;
    pointers.push_back(each.back().get());
  }
  auto joined = std::make_unique<monitors>(std::move(pointers));
  joined->own_ = std::move(each);
  return joined;
}

void monitors::join(const monitor& other) {
  const auto& others = dynamic_cast<const monitors&>(other).all_;
  for (std::size_t i = 0; i < all_.size(); ++i) all_[i]->join(*others[i]);
}

std::string monitors::criterion() const {
  std::string all;
  for (const auto* m : all_) {
    const auto one = m->criterion();
    if (one.empty()) return {};
    all += (all.empty() ? "" : "; ") + one;
  }
  return all;
}

void monitors::save(archive_writer& to) const {
  for (const auto* m : all_) m->save(to);
}

void monitors::load(archive_reader& from) {
  for (auto* m : all_) m->load(from);
}

std::vector<std::string> monitors::conclusions(const exploration& result) const {
  std::vector<std::string> all;
  for (const auto* m : all_)
    for (auto& sentence : m->conclusions(result)) all.push_back(std::move(sentence));
  return all;
}

}  // namespace harrier
