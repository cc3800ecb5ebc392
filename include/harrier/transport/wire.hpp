#pragma once

// How what roles tell each other is written on a stream of bytes: docs/protocols.md has the format. Numbers are
// little-endian and as long as their types; what is in a message is up to cereal, and to Boost.PFR for plain
// aggregates.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <boost/pfr/core.hpp>
#include <cereal/cereal.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/bitset.hpp>
#include <cereal/types/chrono.hpp>
#include <cereal/types/complex.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/list.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/queue.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/stack.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/unordered_set.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>

#include <harrier/core/field_count.hpp>
#include <harrier/protocol/runtime.hpp>

namespace harrier::runtime::wire {

/// What was read is not what it should be.
class malformed : public std::exception {
public:
  explicit malformed(const words& text) : text_(text) {}
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

private:
  words text_;
};

template <class T>
concept number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, long double>;

/// An archive in the sense of cereal that writes at the end of a string.
class writer : public cereal::OutputArchive<writer> {
public:
  explicit writer(std::string& into) : OutputArchive(this), into_(into) {}

  template <number T>
  void put(T value) {
    bytes(&value, sizeof value, sizeof value);
  }
  void put(bool value) { into_.push_back(value ? '\1' : '\0'); }
  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    into_.append(text);
  }
  /// @param width  of each number among them
  void bytes(const void* first, std::size_t size, std::size_t width) {
    const auto start = into_.size();
    into_.append(static_cast<const char*>(first), size);
    if constexpr (std::endian::native == std::endian::big) {
      const auto each = static_cast<std::ptrdiff_t>(width);
      for (auto at = into_.begin() + static_cast<std::ptrdiff_t>(start); at != into_.end(); at += each)
        std::reverse(at, at + each);
    }
  }

private:
  std::string& into_;
};

/// Reads what a `writer` has written. @throws malformed  of all, instead of reading beyond the end, or of making room
/// for more than there can be.
class reader : public cereal::InputArchive<reader> {
public:
  explicit reader(std::string_view from) : InputArchive(this), rest_(from) {}

  template <number T>
  void take(T& value) {
    bytes(&value, sizeof value, sizeof value);
  }
  void take(bool& value) {
    unsigned char byte = 0;
    take(byte);
    if (byte > 1) fail("a bool is ", byte);
    value = byte == 1;
  }
  void take(std::string& text) { text = piece(size()); }
  void bytes(void* first, std::size_t size, std::size_t width) {
    const auto from = piece(size);
    if (size != 0) std::memcpy(first, from.data(), size);
    if constexpr (std::endian::native == std::endian::big) {
      auto* const bytes = static_cast<char*>(first);
      for (std::size_t i = 0; i < size; i += width) std::reverse(bytes + i, bytes + i + width);
    }
  }
  /// Of something, each element of which takes a byte at least.
  std::size_t size() {
    std::uint64_t result = 0;
    take(result);
    if (result > rest_.size()) {
      words text;
      throw malformed(text << "there are said to be more elements than bytes");
    }
    return static_cast<std::size_t>(result);
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  template <number T>
  T number_of() {
    T result{};
    take(result);
    return result;
  }
  std::string text() {
    std::string result;
    take(result);
    return result;
  }

private:
  [[noreturn]] static void fail(const char* what, std::uint32_t number) {
    words text;
    throw malformed(text << what << number);
  }
  std::string_view piece(std::size_t size) {
    if (size > rest_.size()) fail("it is too short, by bytes: ", static_cast<std::uint32_t>(size - rest_.size()));
    const auto result = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return result;
  }

  std::string_view rest_;
};

}  // namespace harrier::runtime::wire

CEREAL_SETUP_ARCHIVE_TRAITS(harrier::runtime::wire::reader, harrier::runtime::wire::writer)

namespace harrier::runtime::wire {

// --- what cereal asks of an archive

template <class T>
  requires(number<T> || std::is_same_v<T, bool>)
void CEREAL_SAVE_FUNCTION_NAME(writer& to, const T& value) { to.put(value); }
template <class T>
  requires(number<T> || std::is_same_v<T, bool>)
void CEREAL_LOAD_FUNCTION_NAME(reader& from, T& value) { from.take(value); }
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(writer& to, const cereal::SizeTag<T>& tag) {
  to.put(static_cast<std::uint64_t>(tag.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(reader& from, cereal::SizeTag<T>& tag) {
  tag.size = static_cast<std::remove_cvref_t<T>>(from.size());
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(writer& to, const cereal::BinaryData<T>& data) {
  to.bytes(data.data, static_cast<std::size_t>(data.size), sizeof(std::remove_pointer_t<T>));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(reader& from, cereal::BinaryData<T>& data) {
  from.bytes(data.data, static_cast<std::size_t>(data.size), sizeof(std::remove_pointer_t<T>));
}
template <class Archive, class T>
  requires(std::is_same_v<Archive, writer> || std::is_same_v<Archive, reader>)
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::NameValuePair<T>& pair) { archive(pair.value); }

// An archive that knows what cereal and the types themselves know; apart, so as not to find the functions below.
namespace apart {

class archive : public cereal::OutputArchive<archive> {
public:
  archive() : OutputArchive(this) {}
};
template <class T>
  requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(archive&, const T&) {}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(archive&, const cereal::SizeTag<T>&) {}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(archive&, const cereal::BinaryData<T>&) {}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(archive&, const cereal::NameValuePair<T>&) {}

}  // namespace apart

/// Written field by field, as nobody has said otherwise.
template <class T>
concept plain_aggregate =
    std::is_aggregate_v<T> && std::is_class_v<T> && !cereal::traits::is_output_serializable<T, apart::archive>::value;

/// References to the fields of an aggregate.
template <class T>
constexpr auto tie_fields(T& value) {
  constexpr auto count = harrier::detail::field_count<T>;
  static_assert(count != 0 && count <= harrier::detail::most_fields,
                "harrier: a message with more than 100 fields (each element of a C array is one), or with one that "
                "cannot be counted; group them into structs, or say how it is written, as cereal wants it");
  return boost::pfr::detail::tie_as_tuple(value, boost::pfr::detail::size_t_<count>{});
}
template <class T, class Use>
void with_fields(T& value, Use&& use) {
  [&]<std::size_t... I>(auto&& tied, std::index_sequence<I...>) {
    use(boost::pfr::detail::sequence_tuple::get<I>(tied)...);
  }
  (tie_fields(value), std::make_index_sequence<harrier::detail::field_count<T>>{});
}

template <plain_aggregate T>
void CEREAL_SAVE_FUNCTION_NAME(writer& to, const T& value) {
  if constexpr (std::is_empty_v<T>) {
    to.put(false);  // a byte, as all elements have one
  } else {
    with_fields(value, [&](const auto&... fields) { to(fields...); });
  }
}
template <plain_aggregate T>
void CEREAL_LOAD_FUNCTION_NAME(reader& from, T& value) {
  if constexpr (std::is_empty_v<T>) {
    from.number_of<unsigned char>();
  } else {
    with_fields(value, [&](auto&... fields) { from(fields...); });
  }
}

// --- what a type looks like there

template <class T>
concept range = requires(const T& value) {
  typename T::value_type;
  value.begin();
  value.end();
};

template <class T>
struct layout_of;

/// Two programs understand each other's `T`s if this is the same in both: `{int32,string}`. Of a class with functions
/// of its own to be written by, nothing is known: `?`.
template <class T>
std::string layout(int depth = 0) {
  constexpr int deepest = 16;  // of types that have themselves inside
  if (depth > deepest) return "..";
  return layout_of<T>::text(depth + 1);
}

template <class... Types>
std::string layouts(int depth) {
  std::string result;
  ((result += (result.empty() ? "" : ",") + layout<Types>(depth)), ...);
  return result;
}

template <class T>
struct layout_of {
  static std::string text(int depth) {
    if constexpr (std::is_same_v<T, bool>) {
      return "bool";
    } else if constexpr (std::is_integral_v<T>) {
      return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T));
    } else if constexpr (std::is_floating_point_v<T>) {
      return "float" + std::to_string(8 * sizeof(T));
    } else if constexpr (std::is_enum_v<T>) {
      return layout<std::underlying_type_t<T>>(depth);
    } else if constexpr (std::is_same_v<T, std::string>) {
      return "string";
    } else if constexpr (range<T>) {
      return "[" + layout<typename T::value_type>(depth) + "]";
    } else if constexpr (plain_aggregate<T> && !std::is_empty_v<T>) {
      return "{" + fields(depth, std::type_identity<decltype(tie_fields(std::declval<T&>()))>{}) + "}";
    } else {
      return plain_aggregate<T> ? "{}" : "?";
    }
  }

private:
  template <class... Field>
  static std::string fields(int depth, std::type_identity<boost::pfr::detail::sequence_tuple::tuple<Field...>>) {
    return layouts<std::remove_cvref_t<Field>...>(depth);
  }
};
template <class... Types>
struct layout_of<std::tuple<Types...>> {
  static std::string text(int depth) { return "(" + layouts<Types...>(depth) + ")"; }
};
template <class Name, class T>
struct layout_of<named<Name, T>> : layout_of<T> {};
template <class First, class Second>
struct layout_of<std::pair<First, Second>> : layout_of<std::tuple<std::remove_const_t<First>, Second>> {};
template <class... Types>
struct layout_of<std::variant<Types...>> {
  static std::string text(int depth) { return "one of (" + layouts<Types...>(depth) + ")"; }
};
template <class T>
struct layout_of<std::optional<T>> {
  static std::string text(int depth) { return "maybe " + layout<T>(depth); }
};

/// A message of a module, of one of these types.
template <class Message>
struct codec;
template <class... Types>
struct codec<message<Types...>> {
  static_assert((cereal::traits::is_output_serializable<value_in_t<Types>, writer>::value && ...) &&
                    (cereal::traits::is_input_serializable<value_in_t<Types>, reader>::value && ...),
                "harrier: a message of this protocol cannot be written to a socket; make it an aggregate, or write a "
                "`serialize` for cereal");

  static void write(writer& to, message<Types...>& content) {
    static_cast<void>(
        ((content.template is<Types>() ? (to(value_of(content.template get<Types>())), true) : false) || ...));
  }
  /// @throws malformed
  static message<Types...> read(std::uint32_t type, std::string_view bytes) {
    message<Types...> result;
    reader from(bytes);
    try {
      std::uint32_t index = 0;
      static_cast<void>(((index++ == type ? (read_one<Types>(from, result), true) : false) || ...));
    } catch (const malformed&) {
      throw;
    } catch (const std::exception& e) {  // cereal's, a container's, the type's own
      words text;
      throw malformed(text << e.what());
    }
    if (!from.rest().empty()) {
      words text;
      throw malformed(text << "it goes on where it should end, by bytes: "
                           << static_cast<std::uint32_t>(from.rest().size()));
    }
    return result;
  }
  static std::string layouts_of(std::size_t type) {
    std::string result;
    std::size_t index = 0;
    static_cast<void>(((index++ == type ? (result = layout<Types>(), true) : false) || ...));
    return result;
  }

private:
  template <class T>
  static void read_one(reader& from, message<Types...>& into) {
    T value{};
    from(value_of(value));
    into = message<Types...>(std::move(value));
  }
};

// --- frames: the size of what follows, a byte that says what it is, and that

inline constexpr std::size_t letter_head = 1 + 4 * sizeof(std::uint32_t);

enum class frame : unsigned char {
  hello,
  accepted,
  refused,
  taken,
  letter,
  consumed,
  left,
  cancelled,
  broken,
  bye,
  alive,
  machines
};

inline constexpr std::string_view magic = "harrier/roles/3\n";
/// Of what begins with anything else.
inline constexpr const char* another_protocol = "what is there speaks another protocol, or another version of this one";
inline constexpr std::size_t header = 5;

/// Appends a frame; what is in it goes to the writer that `fill` gets.
template <class Fill>
void append(std::string& to, frame what, Fill&& fill) {
  const auto start = to.size();
  writer out(to);
  out.put(std::uint32_t{0});
  out.put(static_cast<unsigned char>(what));
  fill(out);
  const auto size = static_cast<std::uint32_t>(to.size() - start - sizeof(std::uint32_t));
  for (std::size_t i = 0; i < sizeof size; ++i) to[start + i] = static_cast<char>(size >> (8 * i));
}

}  // namespace harrier::runtime::wire
