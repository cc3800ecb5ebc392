#include <algorithm>

#include <harrier/native/reflect.hpp>

namespace harrier::detail {

void byte_sink::add_more(const void* data, std::size_t size) {
  if (more_.empty()) more_.assign(start_, size_);
  more_.append(static_cast<const char*>(data), size);
}

void byte_sink::elements::add(const byte_sink& element) {
  if (of_.out_ != nullptr)
    texts_.emplace_back(element.text());
  else
    sum_ += element.hash();
}

void byte_sink::elements::finish() {
  if (of_.out_ == nullptr) return of_.bytes(&sum_, sizeof sum_);
  std::sort(texts_.begin(), texts_.end());
  for (const auto& e : texts_) {
    const auto size = e.size();
    of_.bytes(&size, sizeof size);
    of_.bytes(e.data(), e.size());
  }
}

}  // namespace harrier::detail
