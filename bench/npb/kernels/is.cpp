#include "is.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace npb {

is::parameters is::parameters_of(size_class size) {
  switch (size) {
    case size_class::s: return {size, 16, 11, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}};
    case size_class::w:
      return {size, 20, 16, {357773, 934767, 875723, 898999, 404505}, {1249, 11698, 1039987, 1043896, 1048018}};
    case size_class::a:
      return {size, 23, 19, {2112377, 662041, 5336171, 3642833, 4250760}, {104, 17523, 123928, 8288932, 8388264}};
    case size_class::b:
      return {size, 25, 21, {41869, 812306, 5102857, 18232239, 26860214}, {33422937, 10244, 59149, 33135281, 99}};
    case size_class::c:
      return {size,
              27,
              23,
              {44172927, 72999161, 74326391, 129606274, 21736814},
              {61147, 882988, 266290, 133997595, 133525895}};
  }
  throw std::invalid_argument("no class of IS");
}

is::is(size_class size, std::size_t workers)
    : size_(parameters_of(size)),
      workers_(workers),
      keys_(std::size_t{1} << size_.log_keys),
      counts_(workers, std::vector<int>(std::size_t{1} << size_.log_largest)),
      ranks_(std::size_t{1} << size_.log_largest),
      before_(workers) {}

// Sums of four random numbers, so that those in the middle are frequent.
void is::make_keys() {
  generator random;
  const double quarter = static_cast<double>(ranks_.size() / 4);
  for (auto& key : keys_) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += random.next();
    key = static_cast<int>(quarter * sum);
  }
}

void is::work(const rank& task, std::size_t worker) {
  switch (task.order) {
    case rank::phase::count: return count(worker);
    case rank::phase::sum: return sum(worker);
    case rank::phase::shift: return shift(worker);
  }
}

void is::count(std::size_t worker) {
  auto& counts = counts_[worker];
  std::fill(counts.begin(), counts.end(), 0);
  const auto part = share(keys_.size(), worker, workers_);
  for (auto i = part.first; i < part.last; ++i) ++counts[static_cast<std::size_t>(keys_[i])];
}

void is::sum(std::size_t worker) {
  const auto part = share(ranks_.size(), worker, workers_);
  int sum = 0;
  for (auto key = part.first; key < part.last; ++key) {
    for (const auto& counts : counts_) sum += counts[key];
    ranks_[key] = sum;
  }
}

void is::shift(std::size_t worker) {
  const auto part = share(ranks_.size(), worker, workers_);
  for (auto key = part.first; key < part.last; ++key) ranks_[key] += before_[worker];
}

// How many of the ranks that are looked at are right.
int is::rank_all(crew<rank>& workers, int iteration) {
  const auto place = static_cast<std::size_t>(iteration);
  keys_[place] = iteration;
  keys_[place + iterations] = static_cast<int>(ranks_.size()) - iteration;
  std::array<int, tests> looked_at{};
  for (std::size_t t = 0; t < tests; ++t) looked_at[t] = keys_[size_.places[t]];

  workers.perform({rank::phase::count});
  workers.perform({rank::phase::sum});
  int before = 0;
  for (std::size_t w = 0; w < workers_; ++w) {
    before_[w] = before;
    const auto part = share(ranks_.size(), w, workers_);
    if (part.last > part.first) before += ranks_[part.last - 1];
  }
  workers.perform({rank::phase::shift});

  int right = 0;
  for (int t = 0; t < tests; ++t) {
    const int key = looked_at[static_cast<std::size_t>(t)];
    if (key > 0 && ranks_[static_cast<std::size_t>(key) - 1] == expected(t, iteration)) ++right;
  }
  return right;
}

// What changes from iteration to iteration is how many of the changed keys are below, so it depends on the key looked
// at.
int is::expected(int test, int iteration) const {
  const int base = size_.ranks[static_cast<std::size_t>(test)];
  switch (size_.name) {
    case size_class::s:
    case size_class::c: return test <= 2 ? base + iteration : base - iteration;
    case size_class::w: return test < 2 ? base + iteration - 2 : base - iteration;
    case size_class::a: return test <= 2 ? base + iteration - 1 : base - iteration + 1;
    case size_class::b: return test == 1 || test == 2 || test == 4 ? base + iteration : base - iteration;
  }
  return base;
}

// Whether the ranks put all keys into order.
bool is::sorts() const {
  std::vector<int> sorted(keys_.size(), -1);
  auto places = ranks_;
  for (const int key : keys_) {
    const int place = --places[static_cast<std::size_t>(key)];
    if (place < 0) return false;
    sorted[static_cast<std::size_t>(place)] = key;
  }
  return sorted.front() >= 0 && std::is_sorted(sorted.begin(), sorted.end());
}

outcome is::run(crew<rank>& workers) {
  make_keys();
  rank_all(workers, 1);
  const stopwatch clock;
  int right = 0;
  for (int i = 1; i <= iterations; ++i) right += rank_all(workers, i);
  outcome result;
  result.seconds = clock.seconds();
  const bool sorted = sorts();
  result.verified = sorted && right == tests * iterations;
  result.computed = fmt::format("{} of {} ranks, {}", right, tests * iterations, sorted ? "sorted" : "not sorted");
  return result;
}

}  // namespace npb
