#pragma once

#include <cstdint>
#include <string_view>

#include <harrier/core/finding.hpp>
#include <harrier/core/fingerprint.hpp>

namespace harrier {

/// Which findings are the same: made of what the program calls things, so that it
/// means the same in every process.
class finding_key {
public:
  explicit finding_key(finding_kind kind) { add(static_cast<std::uint64_t>(kind)); }
  finding_key& add(std::uint64_t number) {
    const std::uint64_t words[] = {value_.low, value_.high, number};
    value_ = hash_bytes(words, sizeof words);
    return *this;
  }
  finding_key& add(std::string_view text) {
    const auto hashed = hash_bytes(text.data(), text.size());
    return add(hashed.low).add(hashed.high);
  }
  [[nodiscard]] fingerprint value() const { return value_; }

private:
  fingerprint value_;
};

}  // namespace harrier
