#pragma once

#include <caf/actor_addr.hpp>
#include <caf/attachable.hpp>
#include <caf/fwd.hpp>
#include <caf/mailbox_element.hpp>
#include <functional>

namespace harrier::caf_adapter {

class watch;

/// What kind of token means a watch, of which it has the address.
constexpr std::size_t token_of_watch = 0x57a7c4;

/// `observed` ends, and `observer` is sent what `make` makes.
void tell_end(const caf::actor_addr& observed, const caf::actor_addr& observer, caf::scheduler* by,
              const std::function<caf::mailbox_element_ptr()>& make);

/// Asks the observed actor to forget it.
void stop_watching(const watch& of);

}  // namespace harrier::caf_adapter
