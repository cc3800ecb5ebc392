#include <harrier/native/value_printer.hpp>

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include <harrier/core/printable.hpp>

namespace harrier::detail {

void value_printer::separate() {
  if (!first_) text_ += ", ";
}

bool value_printer::open(char bracket) {
  text_ += bracket;
  return std::exchange(first_, true);
}
void value_printer::close(char bracket, bool outer) {
  text_ += bracket;
  first_ = outer;
}

void value_printer::add_fields(const void* object, void (*visit)(const void*, field_visitor&)) {
  struct showing final : field_visitor {
    explicit showing(value_printer& to) : to_(to) {}
    void visit(std::string_view name, const void* field, const value_functions& of) override {
      to_.add_field(name, field, of);
    }
    value_printer& to_;
  };
  const bool outer = open('{');
  showing visitor(*this);
  visit(object, visitor);
  close('}', outer);
}
void value_printer::add_field(std::string_view name, const void* field, const value_functions& of) {
  separate();
  text_ += name;
  text_ += '=';
  of.show(*this, field);
  first_ = false;
}

void value_printer::add_element(const void* value, void (*show)(value_printer&, const void*)) {
  separate();
  show(*this, value);
  first_ = false;
}

void value_printer::add_character(char c) { text_ += literal_of(c); }
void value_printer::add_text(std::string_view text) {
  text_ += literal_of(text.substr(0, most_shown));
  if (text.size() > most_shown) text_ += "...";
}

void value_printer::add_rest() {
  separate();
  text_ += "...";
}

void value_printer::tell_from_none(std::size_t begin) {
  const std::string_view shown = std::string_view(text_).substr(begin);
  if (shown != "none" && !shown.starts_with("some(")) return;
  text_.insert(begin, "some(");
  text_ += ')';
}

void value_printer::add_number(long long number) { fmt::format_to(std::back_inserter(text_), "{}", number); }
void value_printer::add_number(unsigned long long number) { fmt::format_to(std::back_inserter(text_), "{}", number); }
void value_printer::add_number(float number) { fmt::format_to(std::back_inserter(text_), "{}", number); }
void value_printer::add_number(double number) { fmt::format_to(std::back_inserter(text_), "{}", number); }
void value_printer::add_number(long double number) { fmt::format_to(std::back_inserter(text_), "{}", number); }

void value_printer::add_unit(std::intmax_t numerator, std::intmax_t denominator) {
  if (numerator == 1 && denominator == 1'000'000'000)
    text_ += "ns";
  else if (numerator == 1 && denominator == 1'000'000)
    text_ += "us";
  else if (numerator == 1 && denominator == 1000)
    text_ += "ms";
  else if (numerator == 1 && denominator == 1)
    text_ += "s";
  else if (numerator == 60 && denominator == 1)
    text_ += "min";
  else if (numerator == 3600 && denominator == 1)
    text_ += "h";
  else
    fmt::format_to(std::back_inserter(text_), "[{}/{}]s", numerator, denominator);
}

void value_printer::add_reference(bool to_somebody, actor_id id) {
  if (!to_somebody)
    text_ += "nobody";
  else
    text_ += system_ != nullptr && system_->exists(id) ? system_->actor_name(system_->slot_of(id)) : "?";
}

}  // namespace harrier::detail
