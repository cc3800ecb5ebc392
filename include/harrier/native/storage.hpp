#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/native/foreign.hpp>
#include <harrier/native/self.hpp>

/// Disks and networks for code that does no input and output of its own: what it submits is complete later, by a
/// message of the actor to itself. docs/libraries.md has a program.
namespace harrier {

namespace detail {

/// What is being done to an actor that has crashed, in this thread.
enum class restart_stage {
  none,
  making,  ///< it becomes what it was when it was created
  giving,  ///< it is given what it kept
};
restart_stage stage_of_restart();

/// What a crash means for an object, which is known from when it was made, or copied.
class mark_of_crash {
public:
  mark_of_crash() : is_blank_(stage_of_restart() == restart_stage::making) {}
  mark_of_crash(const mark_of_crash& other) { *this = other; }
  mark_of_crash& operator=(const mark_of_crash& other) {
    const auto now = stage_of_restart();
    is_kept_ = other.is_kept_ || now == restart_stage::giving;
    is_blank_ = other.is_blank_ || now == restart_stage::making;
    return *this;
  }
  ~mark_of_crash() = default;
  /// It is what an actor was given after a crash. The messages that the actor had sent itself are lost.
  [[nodiscard]] bool is_kept() const { return is_kept_; }
  /// It is as it was when the actor was created: it was not kept.
  [[nodiscard]] bool is_blank() const { return is_blank_; }
  void clear() { is_kept_ = is_blank_ = false; }

private:
  bool is_kept_ = false;
  bool is_blank_ = false;
};

/// Something that a handler has, and no other.
template <auto Handler>
inline constexpr char mark_of = 0;

}  // namespace detail

/// In which order what was submitted is complete.
enum class completion {
  in_order,      ///< of submission
  in_any_order,  ///< each order is explored
};

/// What becomes of what was submitted.
struct io_rules {
  completion order = completion::in_order;
  /// How many may fail at most, as far as the object goes back (a crash does not give them back): whether one does is
  /// explored.
  unsigned failures = 0;
  /// With one that fails, all that was submitted after it is cancelled, in the same step.
  bool failure_cancels = false;
};

/// How something came out.
enum class io_result { ok, failed, cancelled };

/// Something that was submitted and is complete.
template <class Operation>
struct completed {
  Operation what;
  io_result result;
  [[nodiscard]] bool ok() const { return result == io_result::ok; }
};

/// Operations that are complete later: reads, connections, writes (see disk). A member of an actor, which may be copied
/// (then so can `Operation`, as a field of an actor) or made anew (then it may be anything that can be moved).
///
///     struct reader {
///       harrier::io_queue<int> reads{{.order = harrier::completion::in_any_order, .failures = 1}};
///       void begin(harrier::self& self) {
///         reads.submit<&reader::has_read>(self, 4096);
///         reads.submit<&reader::has_read>(self, 8192);
///       }
///       void has_read(harrier::self& self) {
///         for (const auto& one : reads.complete<&reader::has_read>(self))
///           self.note(one.ok() ? "read" : "failed");
///       }
///     };
///
/// However many are under way, one message is: it may arrive at any time (before what others send later, too, but under
/// delivery::mailbox, where it waits for what was sent before), and which of them is complete, and whether it has
/// failed, is drawn then. In a crash all is lost, as any message of an actor to itself: where the object is among what
/// the actor keeps then, recover() is called first.
///
/// Each such object has a handler of its own.
/// @throws error from all that is misused: what was kept and not recovered, complete() for what was not submitted (that
///         was another object's), two handlers of one object
template <class Operation>
class io_queue {
public:
  io_queue() = default;
  explicit io_queue(const io_rules& rules) : rules_(rules), failures_(rules.failures) {}

  /// The running actor will be sent `Handler`, a handler of its own that takes nothing but self&: it calls complete().
  template <auto Handler>
  void submit(self& me, Operation what) {
    check_recovered();
    if (under_way_.empty() && crash_.is_kept()) begin_anew();
    if (is_called_ && handler_ != &detail::mark_of<Handler>)
      throw error(
          "what is submitted is to be complete by a message to another handler than what was submitted before, "
          "which is still under way: an io_queue (or a disk) has one");
    under_way_.push_back(std::move(what));
    if (!is_called_) call<Handler>(me);
  }

  /// What is complete now, to be called once by the handler that was given to submit(): one of what is under way; if
  /// that failed, and cancels others, then those after it; nothing, if all was forgotten.
  /// @param may_fail  whether one may fail at this moment
  template <auto Handler>
  std::vector<completed<Operation>> complete(self& me, bool may_fail = true) {
    check_recovered();
    if (!is_called_ || handler_ != &detail::mark_of<Handler>)
      throw error(
          "complete() is called where nothing is to be complete: by a handler that was not given to submit(), "
          "twice by one message, or for a message of another io_queue (or disk), each of which has a handler of its "
          "own");
    is_called_ = false;
    if (under_way_.empty()) return {};
    const auto which = rules_.order == completion::in_order ? 0 : drawn(me, under_way_.size());
    const bool fails = may_fail && failures_ > 0 && drawn(me, 2) == 1;
    if (fails) --failures_;
    const auto last = fails && rules_.failure_cancels ? under_way_.size() : which + 1;
    auto all = take(which, last, fails ? io_result::failed : io_result::ok);
    if (!under_way_.empty()) call<Handler>(me);
    return all;
  }

  /// Those that are not complete, oldest first.
  [[nodiscard]] const std::vector<Operation>& under_way() const { return under_way_; }
  /// Forgets them. Their message is still under way; what is submitted next may be complete when that arrives.
  std::vector<Operation> forget() { return std::exchange(under_way_, {}); }
  /// After a crash, in on_restart: forgets them, and that there was a message.
  std::vector<Operation> recover() {
    if (!crash_.is_kept() && is_called_)
      throw error(
          "recover() is called where no crash has been, and the message of what was submitted is "
          "still under way: it is for on_restart (forget() is for other places)");
    begin_anew();
    return forget();
  }
  /// @throws error if there has been a crash, and recover() was not called
  void check_recovered() const {
    if (crash_.is_kept() && !under_way_.empty())
      throw error(
          "an actor that has crashed uses what was under way before, and will never be complete: "
          "on_restart is to call recover() first, of each disk and io_queue that the actor keeps");
  }
  /// How many more may fail.
  [[nodiscard]] unsigned failures() const { return failures_; }

  template <class F>
  friend bool inspect(F& f, io_queue& x) {
    return f.object(x).fields(f.field("under_way", x.under_way_), f.field("failures", x.failures_));
  }

private:
  template <auto Handler>
  void call(self& me) {
    me.send<Handler>(me.me<typename detail::traits<Handler>::actor>());
    handler_ = &detail::mark_of<Handler>;
    is_called_ = true;
  }
  void begin_anew() {
    is_called_ = false;
    crash_.clear();
  }
  static std::size_t drawn(self& me, std::size_t n) { return n < 2 ? 0 : static_cast<std::size_t>(me.choose(n)); }

  std::vector<completed<Operation>> take(std::size_t first, std::size_t last, io_result result) {
    std::vector<completed<Operation>> all;
    for (auto i = first; i != last; ++i)
      all.push_back({std::move(under_way_[i]), i == first ? result : io_result::cancelled});
    const auto at = under_way_.begin();
    under_way_.erase(at + static_cast<std::ptrdiff_t>(first), at + static_cast<std::ptrdiff_t>(last));
    return all;
  }

  io_rules rules_;
  unsigned failures_ = 0;
  bool is_called_ = false;  // by a message that is under way
  detail::mark_of_crash crash_;
  const void* handler_ = nullptr;  // that of the message
  std::vector<Operation> under_way_;
};

/// What a crash leaves of writes that were submitted and are not complete.
enum class unfinished {
  lost,  ///< nothing
  some,  ///< those that could have been complete by then: the first ones, or, of a disk of any order, any, in any order
  torn,  ///< and of one more, a part (see disk)
};

/// How a disk is.
struct disk_rules {
  completion order = completion::in_order;
  unsigned failures = 0;         ///< see io_rules
  bool failure_cancels = false;  ///< see io_rules
  unfinished after_crash = unfinished::lost;
};

/// A disk of an actor: `Content`, which survives a crash, and writes that are complete later. `Write` says what it
/// does,
///
///     void apply(Content& content) const;
///
/// and, if a crash may tear it, `std::vector<Write> torn() const`: what there may be on the disk in place of it.
///
/// An actor that is copied has it in a `persistent`, one that is made anew gives it from survives(); in both,
/// on_restart calls recover() before anything else is done with it. If there were writes under way, all else throws an
/// error until then; so does all of a disk that was not kept in the crash, and what is wrong of an io_queue. Each
/// function says self::sync() where something must be on the disk when it returns, since a crash may come in the middle
/// of a handler: it takes along what else the actor keeps (its other persistent fields).
template <class Content, class Write>
class disk {
public:
  disk() = default;
  explicit disk(const disk_rules& rules, Content content = {})
      : content_(std::move(content)),
        writes_({rules.order, rules.failures, rules.failure_cancels}),
        any_order_(rules.order == completion::in_any_order),
        after_crash_(rules.after_crash) {
    if (after_crash_ == unfinished::torn && !has_torn)
      throw error(
          "a crash is to tear a write, and the class of writes does not say by torn() what may be "
          "left of one");
  }

  [[nodiscard]] const Content& operator*() const {
    check_usable();
    return content_;
  }
  [[nodiscard]] const Content* operator->() const { return &**this; }

  /// A write that is complete later: see io_queue::submit.
  template <auto Handler>
  void submit(self& me, Write what) {
    check_kept();
    writes_.template submit<Handler>(me, std::move(what));
    me.sync();
  }

  /// See io_queue::complete. What has not failed is in the content.
  template <auto Handler>
  std::vector<completed<Write>> complete(self& me, bool may_fail = true) {
    check_kept();
    auto all = writes_.template complete<Handler>(me, may_fail);
    for (const auto& one : all)
      if (one.ok()) one.what.apply(content_);
    me.sync();
    return all;
  }

  /// Writes, and has written when it returns: `change(content)`. What was submitted is not waited for.
  template <class Change>
  void now(self& me, Change change) {
    check_usable();
    change(content_);
    me.sync();
  }

  /// After a crash: draws what is left of writes that were not complete.
  void recover(self& me) {
    check_kept();
    auto left = writes_.recover();
    if (after_crash_ == unfinished::lost) return;
    while (!left.empty()) {
      const auto which = drawn_of(left, me);
      if (which == left.end()) break;
      which->apply(content_);
      left.erase(which);
    }
    if (after_crash_ == unfinished::torn && !left.empty()) tear(left, me);
    me.sync();
  }

  /// Those that are not complete, oldest first.
  [[nodiscard]] const std::vector<Write>& under_way() const { return writes_.under_way(); }
  /// How many more may fail.
  [[nodiscard]] unsigned failures() const { return writes_.failures(); }

  template <class F>
  friend bool inspect(F& f, disk& x) {
    return f.object(x).fields(f.field("content", x.content_), f.field("writes", x.writes_));
  }

private:
  static constexpr bool has_torn = requires(const Write& w) { w.torn(); };

  void check_kept() const {
    if (crash_.is_blank())
      throw error(
          "an actor that has crashed uses a disk that it did not keep: a disk is in a `persistent`, or "
          "is given from survives() and taken again in on_restart");
  }
  void check_usable() const {
    check_kept();
    writes_.check_recovered();
  }
  /// Which one was complete; end(): no more.
  auto drawn_of(std::vector<Write>& left, self& me) const {
    const auto which = static_cast<std::size_t>(me.choose(any_order_ ? left.size() + 1 : 2));
    return which == 0 ? left.end() : left.begin() + static_cast<std::ptrdiff_t>(which - 1);
  }
  void tear(const std::vector<Write>& left, self& me) {
    if constexpr (has_torn) {
      std::vector<Write> parts;
      for (const auto& one : left) {
        for (auto& part : one.torn()) parts.push_back(std::move(part));
        if (!any_order_) break;
      }
      if (const auto which = static_cast<std::size_t>(me.choose(parts.size() + 1)); which > 0)
        parts[which - 1].apply(content_);
    }
  }

  Content content_{};
  io_queue<Write> writes_;
  bool any_order_ = false;
  unfinished after_crash_ = unfinished::lost;
  detail::mark_of_crash crash_;
};

}  // namespace harrier
