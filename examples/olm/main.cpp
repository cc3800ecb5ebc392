// Two people talk, encrypted by libolm. Read README.md beside this file.
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

#include "adapter.hpp"

namespace {

struct conversation {
  std::int64_t texts;
  std::int64_t answers;
  harrier::ref<person> alice{};

  void set_up(harrier::self& self) {
    alice = self.create<person>(std::string("alice"), static_cast<int>(answers));
    const auto bob = self.create<person>(std::string("bob"), static_cast<int>(answers));
    self.send<&person::meet>(bob, alice);
  }
  void test(harrier::self& self) const {
    for (std::int64_t i = 0; i < texts; ++i) self.send<&person::say>(alice, "text" + std::to_string(i));
  }
};

harrier::program program(const harrier::arguments& given) {
  return harrier::make_program(conversation{given.number("texts"), given.number("answers")});
}

}  // namespace

int main(int argc, char** argv) {
  return harrier::main(argc, argv,
                       {{"olm",
                         "two people talk, encrypted by libolm",
                         {{.name = "texts", .value = 2, .about = "how many texts begin", .least = 1, .greatest = 50},
                          {.name = "answers",
                           .value = 2,
                           .about = "how often each of the two answers what it has read",
                           .least = 0,
                           .greatest = 50}},
                         program}});
}
