// Clojure's number tower as far as definitions need it: 64-bit integers, exact fractions, doubles. An overflow is an
// error.
#include <cmath>
#include <limits>

#include "builtins.hpp"

namespace harrier::protocol::internal {
namespace {

__extension__ using int128 = __int128;

int128 absolute(int128 a) { return a < 0 ? -a : a; }

int128 greatest_common_divisor(int128 a, int128 b) {
  while (b != 0) {
    const auto rest = a % b;
    a = b;
    b = rest;
  }
  return absolute(a);
}

std::int64_t narrow(int128 a) {
  if (a > std::numeric_limits<std::int64_t>::max() || a < std::numeric_limits<std::int64_t>::min()) {
    throw builtin_failure{"the result does not fit in 64 bits"};
  }
  return static_cast<std::int64_t>(a);
}

struct fraction {
  int128 top;
  int128 bottom;
};

fraction exact(const value& v) {
  if (const auto* i = v.get_if<std::int64_t>()) return {*i, 1};
  const auto* r = v.get_if<ratio>();
  return {r->numerator, r->denominator};
}

value reduced(int128 top, int128 bottom) {
  const auto divisor = greatest_common_divisor(top, bottom) * (bottom < 0 ? -1 : 1);
  if (bottom == divisor) return value(narrow(top / divisor));
  return value(ratio{narrow(top / divisor), narrow(bottom / divisor)});
}

void demand_number(const value& v) {
  if (!v.is_number()) throw builtin_failure{"`" + to_string(v) + "` is not a number"};
}

// Doubles are contagious; everything else is exact.
template <class Exact, class Real>
value arithmetic(const value& a, const value& b, Exact&& on_fractions, Real&& on_doubles) {
  demand_number(a);
  demand_number(b);
  if (a.get_if<double>() != nullptr || b.get_if<double>() != nullptr) {
    return value(static_cast<double>(on_doubles(to_double(a), to_double(b))));
  }
  return on_fractions(exact(a), exact(b));
}

int128 floor_of(fraction f) {
  const auto towards_zero = f.top / f.bottom;
  return f.top % f.bottom != 0 && (f.top < 0) != (f.bottom < 0) ? towards_zero - 1 : towards_zero;
}

void demand_divisor(const value& b) {
  demand_number(b);
  if (b.get_if<double>() == nullptr && exact(b).top == 0) throw builtin_failure{"division by zero"};
}

// Products of two 64-bit numbers fit in 128 bits, sums of two such products may not.
int128 sum(int128 a, int128 b) {
  int128 result = 0;
  if (__builtin_add_overflow(a, b, &result)) throw builtin_failure{"the result does not fit in 64 bits"};
  return result;
}

}  // namespace

double to_double(const value& a) {
  demand_number(a);
  if (const auto* real = a.get_if<double>()) return *real;
  const auto f = exact(a);
  return static_cast<double>(f.top) / static_cast<double>(f.bottom);
}

std::int64_t to_integer(const value& a) {
  const auto* i = a.get_if<std::int64_t>();
  if (i == nullptr) throw builtin_failure{"`" + to_string(a) + "` is not an integer"};
  return *i;
}

value add(const value& a, const value& b) {
  return arithmetic(
      a, b,
      [](fraction x, fraction y) { return reduced(sum(x.top * y.bottom, y.top * x.bottom), x.bottom * y.bottom); },
      [](double x, double y) { return x + y; });
}

value subtract(const value& a, const value& b) {
  return arithmetic(
      a, b,
      [](fraction x, fraction y) { return reduced(sum(x.top * y.bottom, -y.top * x.bottom), x.bottom * y.bottom); },
      [](double x, double y) { return x - y; });
}

value multiply(const value& a, const value& b) {
  return arithmetic(
      a, b, [](fraction x, fraction y) { return reduced(x.top * y.top, x.bottom * y.bottom); },
      [](double x, double y) { return x * y; });
}

value divide(const value& a, const value& b) {
  demand_divisor(b);
  return arithmetic(
      a, b, [](fraction x, fraction y) { return reduced(x.top * y.bottom, x.bottom * y.top); },
      [](double x, double y) { return x / y; });
}

value modulo(const value& a, const value& b) {
  demand_divisor(b);
  return arithmetic(
      a, b,
      [&](fraction x, fraction y) {
        const value times(narrow(floor_of({x.top * y.bottom, x.bottom * y.top})));
        return subtract(a, multiply(b, times));
      },
      [](double x, double y) { return x - y * std::floor(x / y); });
}

value quotient(const value& a, const value& b) {
  demand_divisor(b);
  return arithmetic(
      a, b, [](fraction x, fraction y) { return value(narrow((x.top * y.bottom) / (x.bottom * y.top))); },
      [](double x, double y) { return std::trunc(x / y); });
}

value truncate(const value& a) {
  demand_number(a);
  if (const auto* real = a.get_if<double>()) {
    if (!(*real > -9.2233720368547758e18 && *real < 9.2233720368547758e18)) {
      throw builtin_failure{"`" + to_string(a) + "` does not fit in 64 bits"};
    }
    return value(static_cast<std::int64_t>(*real));
  }
  const auto f = exact(a);
  return value(narrow(f.top / f.bottom));
}

}  // namespace harrier::protocol::internal
