// Clients of raft.hpp, which wait for answers and record what they were told. To them the log is a register. Read
// README.md beside this file.
#pragma once

#include <harrier/harrier.hpp>
#include <harrier/native/history.hpp>

#include "raft.hpp"

/// What the servers are together, to who cannot see that there are several.
struct cell {
  int value = 0;
  void write(int v) { value = v; }
  int read() const { return value; }
};

/// Asks one server for one thing, which takes it while it leads.
struct client {
  harrier::ref<server> at;
  int writes = reading;
  harrier::persistent<harrier::history<&cell::write, &cell::read>> did = {};

  void start(harrier::self& self) {
    if (writes == reading)
      did.write().invoke<&cell::read>();
    else
      did.write().invoke<&cell::write>(writes);
    self.sync();
    self.send<&server::operate>(at, writes, self.me<client>());
  }
  void answered(harrier::self& self, int value) {
    if (writes == reading)
      did.write().returned(value);
    else
      did.write().returned();
    self.sync();
  }
};

inline void server::tell(harrier::self& self, harrier::ref<client> whom, int index) const {
  int value = cell().value;
  for (int i = base + 1; i <= index; ++i)
    if (const int written = log[static_cast<std::size_t>(i - base - 1)].value; written != reading) value = written;
  self.send<&client::answered>(whom, value);
}

inline harrier::specification one_register() {
  return harrier::linearizable("the log is one register to its clients", cell{}, &client::did);
}
