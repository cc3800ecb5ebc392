#pragma once

#include <cstddef>
#include <string>

#include <harrier/report/diagram.hpp>

namespace harrier {

/// The language of a sequence diagram. Texts are given as they are to be read; each function escapes them, and gives a
/// line with its end.
class sequence_language {
public:
  enum class kind { message, reply, lost, pending };

  virtual ~sequence_language() = default;
  [[nodiscard]] virtual std::string begin() const = 0;
  [[nodiscard]] virtual std::string end() const = 0;
  [[nodiscard]] virtual std::string lane(std::size_t number, const std::string& name) const = 0;
  [[nodiscard]] virtual std::string arrow(kind how, std::size_t from, std::size_t to,
                                          const std::string& text) const = 0;
  [[nodiscard]] virtual std::string note(std::size_t first, std::size_t last, const std::string& text) const = 0;
};

/// The diagram in that language, in fewer than 50,000 bytes: of a longer trace the beginning and the end. Only lanes in
/// which something shown happens are there.
std::string to_sequence(const diagram& trace, const sequence_language& in);

}  // namespace harrier
