#pragma once

// Frames as connections bring them, and such as nobody sends who keeps to the protocol.

#include <cstdint>
#include <string>

#include <harrier/transport/wire.hpp>

namespace harrier::runtime {

template <class... Values>
std::string frame(wire::frame what, const Values&... values) {
  std::string result;
  wire::append(result, what, [&](wire::writer& out) { (out.put(values), ...); });
  return result;
}

template <class Value>
std::string letter(std::uint32_t from, std::uint32_t to, std::uint32_t type, std::uint32_t mark, const Value& value) {
  std::string result;
  wire::append(result, wire::frame::letter, [&](wire::writer& out) {
    for (const auto number : {from, to, type, mark}) out.put(number);
    out(value);
  });
  return result;
}

}  // namespace harrier::runtime
