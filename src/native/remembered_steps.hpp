#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/memoising.hpp>
#include <harrier/core/value_bytes.hpp>
#include <harrier/native/world.hpp>

namespace harrier::detail {

/// What handlers did, so that they need not be called again: a handler is a
/// function of its actor's name and state, of the message, and of what it draws.
/// docs/memoising.md says what of it is kept and what is not.
///
/// Kept at most `most_bytes` of it: what was not asked for since half of that
/// was filled is given up.
class remembered_steps {
public:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  remembered_steps(world& in, memoising how, std::size_t most = most_bytes);
  remembered_steps(const remembered_steps&) = delete;
  remembered_steps& operator=(const remembered_steps&) = delete;
  ~remembered_steps();

  /// Before the handler of the running step is called. @return whether it need not be, since all it does was done.
  bool recall(step& s);
  /// It was called, and the running step is complete.
  void step_ended();
  /// What the last step did is not all that is to be known of it.
  void forget_last_step();
  /// Of how many deliveries the next is to be looked at.
  [[nodiscard]] std::uint64_t next_look() const;
  /// Nothing if no delivery was ever looked up.
  [[nodiscard]] std::optional<memoised_steps> counts() const;

private:
  using clock = std::chrono::steady_clock;

  /// A value of the user's, copied out of the arena.
  using kept_value = std::shared_ptr<void>;

  struct sending {
    actor_id receiver;  // of a reply: not looked at
    const message_type* type;
    kept_value payload;
    bool guarded;
    bool owns_payload;
    bool is_reply;
  };
  /// What a step did.
  struct effect {
    kept_value state;  // none: as it was
    bool ends_actor = false;
    std::vector<sending> sends;
    std::vector<std::uint64_t> arities;
    std::vector<std::string> notes;
    std::size_t bytes = 0;
    bool makes_objects = false;  // that values share and that nobody gave it
  };
  /// How dear the handlers for one kind of message are, as far as that was measured, and whether it pays to remember
  /// them.
  struct experience {
    enum class verdict : std::uint8_t { cheap, dear, hopeless };
    verdict is = verdict::cheap;
    std::uint32_t first_samples = 0;  // which tell nothing
    std::uint32_t samples = 0;
    std::uint32_t dear_samples = 0;
    std::uint64_t tries = 0;
    std::uint64_t hits = 0;
    clock::duration in_handlers{};
    clock::duration besides{};
  };
  struct by_value {
    std::size_t operator()(const fingerprint& f) const { return f.low; }
  };
  using generation = std::unordered_map<fingerprint, effect, by_value>;

  /// The step that is running, as it was looked up.
  struct running_step {
    enum class task : std::uint8_t { nothing, measure, keep };
    task to_do = task::nothing;
    step_index at = no_step;
    fingerprint key;
    fingerprint state;                 // before it
    std::vector<const void*> objects;  // that its state and message share
    experience* kind = nullptr;
    clock::time_point began;
  };

  [[nodiscard]] bool may_be_remembered(const step& s) const;
  [[nodiscard]] bool is_measured_now() const;
  /// @return whether it tells the running step from all others that do something else.
  bool write_key(const step& s);
  [[nodiscard]] const effect* find(const fingerprint& key);
  [[nodiscard]] bool can_be_done_again(const effect& done) const;
  void do_again(const effect& done, step& s);
  void change_state(const kept_value& to, step& s);
  void send_again(const sending& x, step& s);
  [[nodiscard]] bool can_be_kept(const step& s) const;
  [[nodiscard]] effect effect_of(const step& s);
  [[nodiscard]] bool are_known(const value_bytes& written) const;
  void keep(const step& s);
  void make_room_for(std::size_t bytes);
  /// A delivery counts once, however often it is run to see whether its handler repeats itself.
  void count(std::uint64_t& what) {
    if (!is_counted_) ++what;
  }
  void judge(experience& of, clock::duration handler);
  void weigh(experience& of);
  [[nodiscard]] clock::time_point now() const {
    return how_ == memoising::automatic ? clock::now() : clock::time_point();
  }

  world& in_;
  memoising how_;
  std::size_t most_;
  std::unordered_map<const message_type*, experience> kinds_;
  std::size_t dear_kinds_ = 0;
  std::uint64_t looks_ = 0;
  generation young_;
  generation old_;
  std::size_t young_bytes_ = 0;
  running_step running_;
  step_index last_kept_ = no_step;  // and under which key: running_.key
  value_bytes text_;
  memoised_steps counts_;
  std::uint64_t counted_at_ = std::numeric_limits<std::uint64_t>::max();  // the delivery that was looked up last
  bool is_counted_ = false;                                               // it is that one once more
  bool was_used_ = false;
};

}  // namespace harrier::detail
