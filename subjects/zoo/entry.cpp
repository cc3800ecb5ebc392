#include "entry.hpp"

#include <utility>

namespace harrier::subjects::zoo {

catalogue_entry entry(std::string name, std::string about, std::function<program(variant)> make) {
  catalogue_entry made(
      std::move(name), std::move(about),
      {{.name = "variant", .value = "buggy", .about = "as it was, or repaired", .words = {"buggy", "fixed"}}},
      [make = std::move(make)](const arguments& given) {
        return make(given.word("variant") == "fixed" ? variant::fixed : variant::buggy);
      });
  made.group = "zoo";
  return made;
}

program over(delivery model, program tested) {
  tested.usual_delivery = model;
  return tested;
}

}  // namespace harrier::subjects::zoo
