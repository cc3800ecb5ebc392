// Programs of which one thing is large, for `run`: how many messages, how long a chain, how big a state.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20;

struct counter {
  std::int64_t n = 0;
  void add() { ++n; }
  void go_on(harrier::self& me, std::int64_t more) {
    ++n;
    if (more > 1) me.send<&counter::go_on>(me.me<counter>(), more - 1);
  }
};

/// So many are under way at once.
harrier::program pending(std::int64_t n, std::int64_t receivers) {
  return harrier::make_program([=](harrier::self& me) {
    std::vector<harrier::ref<counter>> all;
    for (std::int64_t i = 0; i < receivers; ++i) all.push_back(me.create<counter>());
    for (std::int64_t i = 0; i < n; ++i) me.send<&counter::add>(all[static_cast<std::size_t>(i % receivers)]);
  });
}

/// To one actor, each sent by the one before it.
harrier::program one_actor(std::int64_t n) {
  return harrier::make_program([n](harrier::self& me) { me.send<&counter::go_on>(me.create<counter>(), n); });
}

struct link {
  std::int64_t taken = 0;
  void pass(harrier::self& me, std::int64_t more) {
    taken = more;
    if (more > 1) me.send<&link::pass>(me.create<link>(), more - 1);
  }
};

harrier::program chain(std::int64_t n) {
  return harrier::make_program([n](harrier::self& me) { me.send<&link::pass>(me.create<link>(), n); });
}

struct hoarder {
  std::vector<char> kept;
  explicit hoarder(std::size_t bytes) : kept(bytes, 'x') {}
  void change(std::size_t at) { kept[at % kept.size()]++; }
  template <class F>
  friend bool inspect(F& f, hoarder& x) {
    return f.object(x).fields(f.field("kept", x.kept));
  }
};

harrier::program state_of(std::int64_t megabytes) {
  return harrier::make_program([=](harrier::self& me) {
    const auto a = me.create<hoarder>(static_cast<std::size_t>(megabytes) * mebi);
    me.send<&hoarder::change>(a, 1U);
    me.send<&hoarder::change>(a, 2U);
  });
}

struct mailbox {
  std::size_t bytes = 0;
  void take(const std::string& text) { bytes = bytes * 2 + text.size(); }
};

harrier::program payload_of(std::int64_t megabytes) {
  return harrier::make_program([=](harrier::self& me) {
    const auto a = me.create<mailbox>();
    me.send<&mailbox::take>(a, std::string(static_cast<std::size_t>(megabytes) * mebi, 'p'));
    me.send<&mailbox::take>(a, std::string("short"));
  });
}

/// Is shown in the report.
struct author {
  std::string text;
  void write(harrier::self& me, std::int64_t megabytes, const std::string& piece) {
    while (text.size() < static_cast<std::size_t>(megabytes) * mebi) text += piece;
    me.check(text.empty(), text);
  }
};

harrier::program text_of(std::int64_t megabytes, const std::string& piece) {
  return harrier::make_program(
      [=](harrier::self& me) { me.send<&author::write>(me.create<author>(), megabytes, piece); });
}

/// The second of two messages does what does not end.
struct victim {
  bool hoards = false;
  int taken = 0;
  void take() {
    if (taken++ == 0) return;
    volatile bool goes_on = true;
    std::vector<char*> kept;
    while (goes_on) {
      if (!hoards) continue;
      kept.push_back(new char[mebi]);
      std::memset(kept.back(), 1, mebi);
    }
  }
};

harrier::program endless(bool hoards) {
  return harrier::make_program([hoards](harrier::self& me) {
    const auto a = me.create<victim>(hoards);
    me.send<&victim::take>(a);
    me.send<&victim::take>(a);
  });
}

std::vector<harrier::catalogue_entry> catalogue() {
  using harrier::arguments;
  const auto count = [](std::string name, std::int64_t value) {
    return harrier::parameter{
        .name = std::move(name), .value = value, .about = "how many", .least = 1, .greatest = 100'000'000};
  };
  return {
      {"pending",
       "messages that are under way at once",
       {count("n", 100), count("receivers", 1)},
       [](const arguments& given) { return pending(given.number("n"), given.number("receivers")); }},
      {"one-actor",
       "deliveries to one actor",
       {count("n", 100)},
       [](const arguments& given) { return one_actor(given.number("n")); }},
      {"chain",
       "actors, each created and sent to by the one before it",
       {count("n", 100)},
       [](const arguments& given) { return chain(given.number("n")); }},
      {"state", "MiB of state", {count("n", 1)}, [](const arguments& given) { return state_of(given.number("n")); }},
      {"payload",
       "MiB in a message",
       {count("n", 1)},
       [](const arguments& given) { return payload_of(given.number("n")); }},
      {"text",
       "MiB of text in a state and in a failed check",
       {count("n", 1), {.name = "piece", .value = "word ", .about = "what it is made of"}},
       [](const arguments& given) { return text_of(given.number("n"), given.word("piece")); }},
      {"hoard", "a handler that takes memory without end", {}, [](const arguments&) { return endless(true); }},
      {"loop", "a handler that does not end", {}, [](const arguments&) { return endless(false); }},
  };
}

}  // namespace

int main(int argc, char** argv) { return harrier::main(argc, argv, catalogue()); }
