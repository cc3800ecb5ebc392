#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <harrier/report/trace_file.hpp>

namespace harrier {

/// A trace as people draw it: a lane for each actor, an arrow for each message. All texts are printable
/// (printable.hpp), and as long as the program made them.
struct diagram {
  /// A message on its way from one lane to another.
  struct arrow {
    std::string message;
    std::size_t from_lane = 0;
    std::size_t to_lane = 0;
    /// The event in which it was sent, as an index of `events`; none: before the first, or it is not known.
    std::optional<std::size_t> sent_in = {};
    /// A timer of the receiver sent it.
    bool by_timer = false;
    /// The answer to a call.
    bool is_reply = false;
  };

  /// One delivery: the arrow ends, and the receiver acts.
  struct event {
    /// From 1, as in the text of a report: steps that only move messages are not counted.
    std::size_t number = 0;
    arrow delivered;
    std::vector<std::string> creates = {};
    std::vector<std::string> choices = {};
    /// What befell messages and actors: `set(5) to server_0 is lost`.
    std::vector<std::string> faults = {};
    /// Messages that it sent and that were lost.
    std::vector<arrow> lost = {};
    /// What was found in it: `assertion: two reads agree (server.cpp:12)`.
    std::vector<std::string> findings = {};
    /// The receiver's state afterwards, and how it differs from what it was last; empty if it does not.
    std::string state = {};
    std::string news = {};
    /// The receiver is gone.
    bool destroys = false;
    /// The portable name of the event (trace_step::event).
    std::string name = {};
  };

  /// The program and its parameters: `server variant=foundry`.
  std::string program;
  /// What was found: `assertion: two reads in a row agree (server.cpp:27), in client_1`.
  std::string heading;
  /// More lines that explain it.
  std::vector<std::string> details;
  /// Names of actors, in the order in which they appear; never the same twice, never empty if there are events.
  std::vector<std::string> lanes;
  std::vector<event> events;
  /// Messages that were sent, not lost, and not delivered when the trace ended.
  std::vector<arrow> pending;

  /// The lane in which event `i` happens.
  [[nodiscard]] std::size_t lane_of(std::size_t i) const { return events[i].delivered.to_lane; }
};

/// The trace as a diagram, in time linear in its size. A file that harrier did not write may name messages that no step
/// of it sent: their sender is then a lane called `unknown sender`.
diagram diagram_of(const trace_file& trace);

}  // namespace harrier
