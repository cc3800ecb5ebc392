#pragma once

#include <cstdint>

namespace harrier {

/// A program in stages: its driver goes on when nothing more can be delivered,
/// or earlier, looks at all actors, and sends what begins the next stage.
///
/// What follows comes after everything before it, whoever did that, so a stage
/// can be searched by itself from each end of the one before. A system shows
/// itself in either of two ways. As one program: where a stage is over, one
/// message (step_kind::stage), which nobody sent, can be delivered, and nothing
/// else; its delivery is the driver's going on. Any search that runs every order
/// may go on over it, and schedules hold it. *Apart*: a stage that ends when
/// nothing more can be delivered ends the search in it; whoever searches calls
/// begin_next() there. No reduction may go on over a stage's end, since it looks
/// at one receiver only.
class stages {
public:
  enum class end : std::uint8_t {
    at_rest,    ///< when nothing more can be delivered
    any_time,   ///< after a delivery, or when a condition holds: each order matters to it
    last,       ///< the driver does not go on any more
    not_begun,  ///< it has not begun yet: what begins it is pending, and draws
  };

  virtual ~stages() = default;

  /// How the stage ends in which the execution is.
  [[nodiscard]] virtual end current() const = 0;
  /// Whether something is judged only where an execution ends, or a stage of it:
  /// by the driver, which goes on there, or by a check of the ends.
  [[nodiscard]] virtual bool looks_at_ends() const { return current() != end::last; }
  /// Whether stages are searched apart from now on. They are not at first.
  virtual void search_apart(bool on) = 0;
  /// Of stages that are searched apart, at the end of one that ends at rest, or
  /// that has not begun: the driver goes on, with draws as `code` says. That is a
  /// step of the system, whose next_code() says what else it could draw. The
  /// stage can then be searched from there.
  virtual void begin_next(std::uint64_t code) = 0;
  /// Takes that step back, all that followed it having been undone.
  virtual void take_back_next() = 0;
  /// Where a search over stages (any_time) came into one that is to be searched
  /// apart, nothing can be delivered: whether that is so here.
  [[nodiscard]] virtual bool is_closed() const = 0;
  /// Lets it be searched from here; closes it again. @pre is_closed(), then not
  virtual void open() = 0;
  virtual void close() = 0;
};

}  // namespace harrier
