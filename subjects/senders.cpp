// Many actors send one message each to the same receiver.
//
// The program on which searches for message-passing programs are measured. With order=kept the orders of arrival are
// different results. With order=counted they are not; but two deliveries to one actor depend on each other whatever it
// does with them, so there are n! traces either way, and only comparing states tells the difference.
#include <vector>

#include "entries.hpp"

namespace {

struct receiver {
  bool keeps_order;
  std::vector<std::int64_t> arrivals;
  std::int64_t count = 0;

  void hear(std::int64_t from) {
    ++count;
    if (keeps_order) arrivals.push_back(from);
  }
};

struct sender {
  harrier::ref<receiver> to;
  std::int64_t number;

  void start(harrier::self& self) { self.send<&receiver::hear>(to, number); }
};

/// The senders have started when the exploration begins: all messages are on their way.
struct crowd {
  std::int64_t n;
  bool keeps_order;

  void start_up(harrier::self& self) const {
    const auto to = self.create<receiver>(keeps_order);
    for (std::int64_t i = 0; i < n; ++i) self.send<&sender::start>(self.create<sender>(to, i));
  }
  void test() const {}
};

}  // namespace

harrier::catalogue_entry harrier::subjects::senders() {
  return {"senders",
          "actors send one message each to the same receiver",
          {{.name = "n", .value = 8, .about = "how many senders", .least = 0, .greatest = 1000},
           {.name = "order", .value = "kept", .about = "what the receiver remembers", .words = {"kept", "counted"}}},
          [](const arguments& given) {
            return make_program(crowd{.n = given.number("n"), .keeps_order = given.word("order") == "kept"});
          }};
}
