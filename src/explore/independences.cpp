#include "independences.hpp"

#include <algorithm>
#include <array>

namespace harrier {
namespace {

constexpr std::array all = {
    named_independence{
        .way = independence::receiver, .name = "receiver", .meaning = "never, except for observers; default"},
    named_independence{
        .way = independence::fields,
        .name = "fields",
        .meaning = "when neither writes what the other touches; engine optimal",
        .engine = "optimal",
        .asked_for = "it was asked for messages that are independent by their fields",
        .others_do_not = "does not tell fields apart",
        .needs_observers =
            "messages are independent by their fields only if observers are, too; leave out --observers off",
        .impossible = "messages cannot be independent by their fields",
        .told_apart = "fields"},
    named_independence{
        .way = independence::semantic,
        .name = "semantic",
        .meaning = "when both orders have the same effect in the actor's current state; engine source",
        .engine = "source",
        .asked_for = "it was asked to try whether messages commute",
        .others_do_not = "does not try whether messages commute",
        .needs_observers = "messages that change nothing commute, however that is tried; leave out --observers off",
        .impossible = "harrier cannot try whether messages commute",
        .told_apart = "messages that commute",
        .is_for_one_worker = true},
};

}  // namespace

std::span<const named_independence> independences() { return all; }

const named_independence& independence_as(independence way) {
  return *std::find_if(all.begin(), all.end(), [&](const named_independence& n) { return n.way == way; });
}

}  // namespace harrier
