#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

enum class color : std::uint8_t { red, green };

struct point {
  int x = 0;
  double y = 0;
  bool operator==(const point&) const = default;
};

struct tree {
  std::string name;
  std::vector<tree> below;
  bool operator==(const tree&) const = default;
};

struct nothing {
  bool operator==(const nothing&) const = default;
};

struct parcel {
  std::string text;
  std::vector<point> points;
  std::array<std::int16_t, 3> numbers{};
  std::map<std::string, std::optional<point>> by_name;
  std::variant<int, std::string> either;
  std::vector<nothing> nothings;
  std::vector<bool> bits;
  tree family;
  color paint = color::red;
  float share = 0;
  std::uint64_t large = 0;
  std::map<std::string, std::vector<int>> lists{{"a", {0}}};  // GCC 12 has trouble with such defaults
  bool operator==(const parcel&) const = default;
};

// Cannot be copied, and says itself how it is written.
class secret {
public:
  secret() = default;
  explicit secret(int value) : value_(std::make_unique<int>(value)) {}
  [[nodiscard]] int value() const { return value_ ? *value_ : -1; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(value_);
  }

private:
  std::unique_ptr<int> value_;
};
