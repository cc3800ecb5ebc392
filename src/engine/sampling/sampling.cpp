#include "sampling.hpp"

namespace harrier {
namespace {

/// What std::seed_seq::generate() makes of four seeds: 624 words (C++20, [rand.util.seedseq]). Its indices are taken
/// modulo that size; here each loop is cut where one of them begins anew.
class seed_words {
public:
  static constexpr std::uint32_t count = 624;

  explicit seed_words(const std::array<std::uint32_t, 4>& seeds) {
    words_.fill(0x8b8b8b8bU);
    last_ = 1371501266U + 4;
    words_[p] += 1371501266U;
    words_[q] += last_;
    words_[0] = last_;
    for (std::uint32_t k = 1; k <= 4; ++k) mix(k, k + p, k + q, seeds[k - 1]);
    for_each(5, [this](std::uint32_t k, std::uint32_t kp, std::uint32_t kq) { mix(k, kp, kq, 0); });
    for_each(0, [this](std::uint32_t k, std::uint32_t kp, std::uint32_t kq) { mix_again(k, kp, kq); });
  }
  std::uint32_t operator[](std::size_t i) const { return words_[i]; }

private:
  static constexpr std::uint32_t p = 306;
  static constexpr std::uint32_t q = 317;

  static std::uint32_t folded(std::uint32_t x) { return x ^ (x >> 27); }
  void mix(std::uint32_t k, std::uint32_t kp, std::uint32_t kq, std::uint32_t seed) {
    const auto r = 1664525U * folded(words_[k] ^ words_[kp] ^ last_);
    words_[kp] += r;
    last_ = r + k + seed;
    words_[kq] += last_;
    words_[k] = last_;
  }
  void mix_again(std::uint32_t k, std::uint32_t kp, std::uint32_t kq) {
    const auto r = 1566083941U * folded(words_[k] + words_[kp] + last_);
    words_[kp] ^= r;
    last_ = r - k;
    words_[kq] ^= last_;
    words_[k] = last_;
  }
  template <class Do>
  static void for_each(std::uint32_t from, Do what) {
    for (auto k = from; k < count - q; ++k) what(k, k + p, k + q);
    for (auto k = count - q; k < count - p; ++k) what(k, k + p, k + q - count);
    for (auto k = count - p; k < count; ++k) what(k, k + p - count, k + q - count);
  }

  std::array<std::uint32_t, count> words_;
  std::uint32_t last_;  // the word before the one that is next
};

constexpr std::uint64_t upper_bits = ~std::uint64_t{0} << 31U;

}  // namespace

twister::twister(const std::array<std::uint32_t, 4>& seeds) {
  const seed_words words(seeds);
  bool is_zero = true;
  for (std::size_t i = 0; i < size; ++i) {
    state_[i] = words[2 * i] | std::uint64_t{words[2 * i + 1]} << 32U;
    is_zero = is_zero && (i == 0 ? state_[i] & upper_bits : state_[i]) == 0;
  }
  if (is_zero) state_[0] = std::uint64_t{1} << 63U;
}

// A round is computed number by number: each is made of older ones alone.
std::uint64_t twister::operator()() {
  const auto i = next_;
  next_ = i + 1 == size ? 0 : i + 1;
  const auto joined = (state_[i] & upper_bits) | (state_[next_] & ~upper_bits);
  const auto far = state_[i < size / 2 ? i + size / 2 : i - size / 2];
  auto x = state_[i] = far ^ (joined >> 1U) ^ ((joined & 1U) != 0 ? 0xb5026f5aa96619e9U : 0);
  x ^= (x >> 29U) & 0x5555555555555555U;
  x ^= (x << 17U) & 0x71d67fffeda60000U;
  x ^= (x << 37U) & 0xfff7eee000000000U;
  return x ^ (x >> 43U);
}

sampler::sampler(std::uint64_t seed, std::uint64_t execution)
    : random_({static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
               static_cast<std::uint32_t>(execution), static_cast<std::uint32_t>(execution >> 32U)}) {}

// What lies beyond the greatest multiple of n would make small numbers likelier.
std::uint64_t sampler::below(std::uint64_t n) {
  for (;;)
    if (const auto x = random_(); x <= twister::max() - n || x < twister::max() - twister::max() % n) return x % n;
}

}  // namespace harrier
