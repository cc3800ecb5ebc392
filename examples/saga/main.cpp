// Orders that take several services: all of them do their step, or what was done is undone. Read README.md beside this
// file.
#include <algorithm>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <map>
#include <vector>

struct order;

/// Books what an order asks for, or refuses. What it booked can be cancelled.
struct account {
  int balance = 100;
  std::map<int, int> booked;

  void book(harrier::self& self, int number, int amount, harrier::ref<order> customer);

  /// Does nothing if nothing was booked: a cancellation may come twice.
  void cancel(int number) {
    const auto found = booked.find(number);
    if (found == booked.end()) return;
    balance -= found->second;
    booked.erase(found);
  }
};

enum class progress { asked, booked, refused, cancelled };

struct step {
  harrier::ref<account> at;
  int amount = 0;
  progress now = progress::asked;
};

/// The saga: asks for all steps at once, and cancels them if one is refused.
struct order {
  int number = 0;
  /// The fix: a step that has not answered yet is cancelled when it answers.
  bool awaits_answers = false;
  std::vector<step> steps;

  void begin(harrier::self& self) {
    for (const auto& s : steps) self.send<&account::book>(s.at, number, s.amount, self.me<order>());
  }

  void answer(harrier::self& self, harrier::ref<account> from, bool is_booked) {
    const auto answered = std::find_if(steps.begin(), steps.end(), [&](const step& s) { return s.at == from; });
    if (answered->now == progress::asked) answered->now = is_booked ? progress::booked : progress::refused;
    if (has(progress::refused))
      undo(self);
    else if (!has(progress::asked))
      self.note("committed");
  }

private:
  bool has(progress which) const {
    return std::any_of(steps.begin(), steps.end(), [&](const step& s) { return s.now == which; });
  }

  void undo(harrier::self& self) {
    for (auto& s : steps) {
      if (s.now != progress::booked && (s.now != progress::asked || awaits_answers)) continue;
      self.send<&account::cancel>(s.at, number);
      s.now = progress::cancelled;
    }
    if (!has(progress::asked)) self.note("aborted");
  }
};

void account::book(harrier::self& self, int number, int amount, harrier::ref<order> customer) {
  const bool possible = balance + amount >= 0 && self.choose(2) == 0;  // a service can refuse for reasons of its own
  if (possible) {
    balance += amount;
    booked[number] = amount;
  }
  self.send<&order::answer>(customer, self.me<account>(), possible);
}

struct saturday {
  std::int64_t orders;
  bool awaits_answers;

  void test(harrier::self& self) {
    const auto customer = self.create<account>();
    const auto shop = self.create<account>();
    const auto courier = self.create<account>();
    for (int number = 1; number <= orders; ++number) {
      const std::vector<step> steps = {{customer, -80}, {shop, 60}, {courier, 20}};
      self.send<&order::begin>(self.create<order>(number, awaits_answers, steps));
    }
  }

  void finally(harrier::final_states& end) const {
    int sum = 0;
    for (const account& one : end.all<account>()) sum += one.balance;
    end.check(sum == 300, "no money is lost and none is made");
  }
};

int main(int argc, char** argv) {
  return harrier::main(
      argc, argv,
      {{"saga",
        "orders that take three accounts, with compensation",
        {{.name = "variant",
          .value = "buggy",
          .about = "cancels at once, or after the answer",
          .words = {"buggy", "fixed"}},
         {.name = "orders", .value = 1, .about = "how many orders at once", .least = 1, .greatest = 100}},
        [](const harrier::arguments& given) {
          return harrier::make_program(saturday{given.number("orders"), given.word("variant") == "fixed"});
        }}});
}
