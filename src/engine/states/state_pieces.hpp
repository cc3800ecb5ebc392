#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/system.hpp>
#include <harrier/core/value_bytes.hpp>
#include <harrier/engine/stateful.hpp>

#include "state_fingerprint.hpp"

namespace harrier {

/// A state written out: one piece of bytes for each actor that is not gone (or for
/// all, if asked for) and for each pending message. Equal states of one program, and only those, have
/// the same pieces.
///
/// Actors of interchangeable classes are renamed first, so that states which
/// differ in nothing but which is which have mostly the same pieces: they are
/// sorted by class and by what their local state says without references, then
/// by colours refined along references and pending messages; ties are broken by
/// age. So one state may have several representatives; two states never have
/// the same.
///
/// @par Source  R. Iosif: Symmetry reductions for model checking of concurrent
///      dynamic software, STTT 2004; S. Lauterburg, dissertation 2011, 3.5.1.
class state_pieces {
public:
  state_pieces(const system& followed, const stateful_options& how);

  /// Writes out the state that the system is in. O(size of the state), a few
  /// times over if there are interchangeable actors.
  void take();
  /// Actors in the order of their names.
  [[nodiscard]] const std::vector<std::string>& actors() const { return actors_; }
  /// Messages in an order that depends on the pieces alone.
  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }
  /// Stands for all of it.
  [[nodiscard]] fingerprint hash() const;

private:
  [[nodiscard]] bool is_interchangeable(const actor& a) const;
  void rename();
  void refine(const std::vector<actor_slot>& exchanged);
  [[nodiscard]] value_bytes written_actor(actor_slot a) const;
  [[nodiscard]] value_bytes written_message(message_slot m) const;
  [[nodiscard]] std::string taken(value_bytes& piece);
  void add_causal_past(message_slot m, value_bytes& piece) const;
  [[nodiscard]] std::uint32_t place_in_queue(message_slot m) const;

  const system* system_;
  const stateful_options* how_;
  execution::pending_order kept_;
  std::vector<std::uint32_t> names_;  // by actor_id
  std::vector<std::string> actors_, messages_;
  std::map<const void*, std::uint32_t> objects_;  // that pieces share
};

}  // namespace harrier
