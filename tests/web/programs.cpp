// Programs whose pages have everything that a page can have, and texts that it must not mistake for markup.
#include <chrono>
#include <cstdint>
#include <string>

#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

namespace {

using namespace std::chrono_literals;

/// Ends with its first message.
struct courier {
  void go(harrier::self& self) { self.destroy(); }
};

struct boss;

struct clerk {
  harrier::ref<boss> of;
  harrier::persistent<int> jobs = 0;
  void work(int /*number*/) { jobs = jobs + 1; }
  void on_restart(harrier::self& self);
};

/// Draws a value, creates two others and waits for no more than a time.
struct boss {
  bool gave_up = false;
  bool is_clerk_back = false;
  void start(harrier::self& self) {
    const auto first = 1 + static_cast<int>(self.choose(2));
    const auto one = self.create<clerk>(self.me<boss>());
    self.send<&clerk::work>(one, first);
    self.send<&clerk::work>(one, first + 1);
    self.send<&courier::go>(self.create<courier>());
    self.after<&boss::give_up>(100ms);
  }
  void give_up() { gave_up = true; }
  void clerk_is_back() { is_clerk_back = true; }
};

void clerk::on_restart(harrier::self& self) { self.send<&boss::clerk_is_back>(of); }

/// Fails only if a message is lost, an actor crashes and comes back, and a timer fires.
struct office {
  void set_up(harrier::self& /*self*/) const {}
  void test(harrier::self& self) const { self.send<&boss::start>(self.create<boss>()); }
  void finally(harrier::final_states& end) const {
    int jobs = 0;
    for (const clerk& one : end.all<clerk>()) jobs += one.jobs;
    for (const boss& one : end.all<boss>())
      end.check(!(one.gave_up && one.is_clerk_back && jobs == 1), "no job is lost when the clerk was away");
  }
};

/// Does not like what it has heard once it has heard everything.
struct listener {
  int heard = 0;
  std::string last;
  void hear(const std::string& text) {
    ++heard;
    last = text;
  }
  void judge(harrier::self& self, const std::string& text) const { self.check(heard < 9, text); }
};

/// Says what a page must show as it is.
void odd_texts(harrier::self& self) {
  const auto one = self.create<listener>();
  for (const std::string text :
       {"</script><script>document.title='seized'</script>", "<img src=x onerror=\"document.title='seized'\">",
        "; rm -rf /", "a\nb\t\x1b[31mred\x07", "\u202ereversed\u2028\u2029", "no utf-8: \xff\xfe",
        "&lt;b&gt; <!-- --> ]]>", "@STORY@"})
    self.send<&listener::hear>(one, text);
  self.send<&listener::hear>(one, std::string(1'000'000, 'x') + "<b>");
  self.send<&listener::judge>(one, std::string("<h1>it is wrong</h1>"));
}

}  // namespace

int main(int argc, char** argv) {
  return harrier::main(argc, argv,
                       {{"office",
                         "fails only after faults and a timer",
                         {},
                         [](const harrier::arguments&) { return harrier::make_program(office{}); }},
                        {"odd-texts", odd_texts}});
}
