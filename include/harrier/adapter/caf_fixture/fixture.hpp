#pragma once

#include <caf/test/fixture/deterministic.hpp>

#include <harrier/explore/options.hpp>

namespace harrier {

/// In place of caf::test::fixture::deterministic (CAF 1.1), or as the base class of a fixture that was derived from it:
/// harrier runs each TEST, SCENARIO and OUTLINE of CAF's test runner that has it in all orders of what it dispatches.
///
/// The test's code, with its fixture, is run again for each execution. What is to come next is explored wherever the
/// test does not say it:
///
/// - dispatch_messages() delivers in all orders of the actors, and so of what they send, as in a program that CAF runs.
/// - dispatch_message() takes the next message of any actor that has one, unless the test has preponed one.
///
/// What names a receiver (expect, allow, disallow, inject, prepone, inject_exit) is CAF's own, and so is time: it
/// stands still until advance_time, set_time or trigger_timeout. All that is sent before dispatch_messages() is in
/// mailboxes before anything of it is dispatched. A failed check or requirement, and all else that harrier finds in a
/// CAF program, fails the test, with the deliveries that lead to it. A search that was not complete fails it, too.
///
/// Refused, which fails the test: blocking actors; a handler that waits in its middle, if the test dispatches it by
/// itself; and a single message that is dispatched to an actor which skipped another one in dispatch_messages().
class caf_fixture : public caf::test::fixture::deterministic {
public:
  caf_fixture();

  /// How tests are searched from now on: say it in a TEST_INIT(). Their program is searched in this process.
  static options& how();
};

}  // namespace harrier
