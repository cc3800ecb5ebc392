#pragma once

#include <string>

namespace harrier {

/// Where a NATS server with JetStream is, and how to prove who one is. All but
/// the address is handed on to NATS as it is.
struct broker_address {
  std::string url = {};          ///< `nats://HOST:PORT`, or `tls://HOST:PORT`
  std::string credentials = {};  ///< a file that `nsc` makes: user and key; empty: none
  std::string ca = {};           ///< certificates that are trusted, PEM; empty: those of the system
  std::string certificate = {};  ///< of this client, PEM, with `key`; empty: none
  std::string key = {};          ///< its key, PEM
};

}  // namespace harrier
