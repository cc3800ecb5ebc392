#include "judges.hpp"

#include <iterator>
#include <utility>

#include <harrier/core/error.hpp>

#include "../extensions.hpp"

namespace harrier {

judgement::judgement(const extensions& more) {
  for (const auto& none_asked : more.judges) kinds_.push_back(none_asked());
}

void judgement::bind(CLI::App& line) {
  for (const auto& kind : kinds_) kind->bind(line);
}

json_value judgement::to_json() const {
  auto json = json_value::object();
  for (const auto& kind : kinds_) kind->write(json);
  return json;
}

void judgement::read(const json_value& json) {
  if (kinds_.empty()) throw error("this build has no judges of executions");
  for (const auto& kind : kinds_) kind->read(json);
}

std::vector<std::unique_ptr<monitor>> judgement::make() const {
  std::vector<std::unique_ptr<monitor>> all;
  for (const auto& kind : kinds_) {
    auto some = kind->make();
    all.insert(all.end(), std::move_iterator(some.begin()), std::move_iterator(some.end()));
  }
  return all;
}

judges::judges(const judgement& asked) : each_(asked.make()) {
  std::vector<monitor*> pointers;
  for (const auto& m : each_) pointers.push_back(m.get());
  if (!pointers.empty()) all_ = std::make_unique<monitors>(pointers);
}

}  // namespace harrier
