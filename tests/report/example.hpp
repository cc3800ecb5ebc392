#pragma once

#include <harrier/core/finding.hpp>

/// A failed check after a choice, as the tests of this folder show it.
inline harrier::finding example_finding() {
  harrier::finding f;
  f.kind = harrier::finding_kind::assertion;
  f.message = "two reads in a row agree";
  f.actor = "client_1";
  f.file = "server.cpp";
  f.line = 23;
  f.occurrences = 4;
  f.schedule = {{0, 2}, {5, 3}};
  harrier::trace_step start;
  start.id = "0.0";
  start.message = "start()";
  start.receiver = "client_1";
  start.state = "{store=server_0}";
  start.sends = {{"set(5)", "server_0"}};
  start.creates = {"logger_2"};
  harrier::trace_step set;
  set.id = "1.0";
  set.message = "set(5)";
  set.receiver = "server_0";
  set.state = "{value=5}";
  set.choices = {2, 1};
  set.destroys = true;
  set.findings = {"assertion: two reads in a row agree (server.cpp:23)"};
  f.trace = {start, set};
  return f;
}
