#include <harrier/core/execution.hpp>

#include <algorithm>
#include <charconv>

#include "queues.hpp"

namespace harrier {
namespace {

struct by_step {
  bool operator()(const record& r, step_index i) const { return r.at < i; }
  bool operator()(step_index i, const record& r) const { return i < r.at; }
};

}  // namespace

execution::execution(delivery model) : model_(model) {
  auto& head = messages_.push();
  head = message{};
  if (model != delivery::unordered) queues_ = std::make_unique<queues>(*this, model);
}

execution::~execution() = default;

std::span<const touch> execution::touches_of(step_index i) const {
  const auto of = std::equal_range(touches_.begin(), touches_.end(), touch{i, 0, 0},
                                   [](const touch& a, const touch& b) { return a.at < b.at; });
  return {of.first, of.second};
}

std::span<const fate> execution::fates_of(std::size_t i) const {
  const auto of =
      std::equal_range(fates_.begin(), fates_.end(), fate{static_cast<step_index>(i), no_message, fate::what::arrives},
                       [](const fate& a, const fate& b) { return a.at < b.at; });
  return {of.first, of.second};
}

bool execution::is_lost(message_slot m) const {
  return std::any_of(mishaps_.begin(), mishaps_.end(), [m](const fate& f) { return f.message == m && loses(f.drawn); });
}

std::span<const record> execution::records_of_step(std::size_t i) const {
  const auto [first, last] = std::equal_range(records_.begin(), records_.end(), static_cast<step_index>(i), by_step{});
  return {first, last};
}

schedule execution::current_schedule() const {
  schedule result;
  result.reserve(depth());
  for (std::size_t i = base_; i < steps_.size(); ++i) result.push_back({steps_[i].code, steps_[i].message});
  return result;
}

slot_range execution::sent_by(std::size_t i) const {
  const auto& s = steps_[i];
  if (!is_visible(s.kind)) return {s.first_sent, s.first_sent};
  auto end = sent_end(i);
  const auto is_sent = [](step_kind by) { return is_visible(by) && by != step_kind::stage; };
  while (end > s.first_sent && !is_sent(messages_[end - 1].makes)) --end;
  return {s.first_sent, end};
}

std::vector<actor_slot> execution::created_by(std::size_t i) const {
  std::vector<actor_slot> created;
  for (auto a = steps_[i].first_created; a < created_end(i); ++a)
    if (!is_internal(a)) created.push_back(a);
  return created;
}

execution::pending_order execution::order_of_pending() const {
  switch (model_) {
    case delivery::unordered: break;
    case delivery::fifo: return pending_order::of_channel;
    case delivery::causal: return pending_order::causal;
    case delivery::mailbox:
    case delivery::mailbox_interleaved: return pending_order::of_receiver;
  }
  return pending_order::none;
}

std::string execution::actor_name(actor_slot a) const {
  if (is_internal(a)) return actor_name(a - 1) + ".mailbox";
  if (a == 0) return "driver";
  return actors_[a].type->name() + "_" + std::to_string((has_mailboxes() ? a / 2 : a) - 1);
}

std::string execution::message_path(message_slot m) const {
  const auto by = messages_[m].sent_by;
  if (by == no_step) return "start";
  const auto k = static_cast<long>(by) - static_cast<long>(base_) + 1;
  return std::to_string(k) + "." + std::to_string(m - steps_[by].first_sent);
}

message_slot execution::message_at_path(const std::string& path) const {
  if (path == "start") {  // the driver's, which is the last that no step sent, but for stages
    auto m = static_cast<message_slot>(message_count());
    while (m != no_message && (messages_[m].sent_by != no_step || messages_[m].makes == step_kind::stage)) --m;
    return m;
  }
  long k = 0;
  long i = 0;
  const auto* end = path.data() + path.size();
  const auto first = std::from_chars(path.data(), end, k);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '.') return no_message;
  const auto second = std::from_chars(first.ptr + 1, end, i);
  if (second.ec != std::errc{} || second.ptr != end || i < 0) return no_message;
  const auto by = k + static_cast<long>(base_) - 1;
  if (by < 0 || by >= static_cast<long>(steps_.size())) return no_message;
  const auto step = static_cast<std::size_t>(by);
  const auto m = static_cast<std::size_t>(steps_[step].first_sent) + static_cast<std::size_t>(i);
  return m < sent_end(step) ? static_cast<message_slot>(m) : no_message;
}

}  // namespace harrier
