#pragma once

#include <cstdint>
#include <vector>

/// Four subjects, written once for two kits: harrier's and the bare loop's.
/// They are those of subjects/, line by line.
namespace harrier::bench {

template <class Kit>
struct pi {
  using self = typename Kit::self;
  template <class Actor>
  using ref = typename Kit::template ref<Actor>;
  static constexpr std::int64_t billion = 1'000'000'000;

  struct master;

  struct worker {
    std::int64_t number;
    std::int64_t workers;

    void intervals(self& me, ref<master> to) {
      const auto middle = 2 * number + 1;
      me.template send<&master::sum>(to, 16 * billion * workers / (4 * workers * workers + middle * middle));
    }
    void stop(self& me) { me.destroy(); }
  };

  struct master {
    std::vector<ref<worker>> workers;
    std::size_t sums = 0;
    std::int64_t billionths = 0;

    void boot(self& me) {
      for (const auto w : workers) me.template send<&worker::intervals>(w, me.template me<master>());
    }
    void sum(self& me, std::int64_t partial) {
      billionths += partial;
      if (++sums < workers.size()) return;
      me.check(3 * billion < billionths && billionths < 4 * billion, "the sum is near pi");
      for (const auto w : workers) me.template send<&worker::stop>(w);
      me.destroy();
    }
  };

  static void start(self& me, std::int64_t n) {
    std::vector<ref<worker>> workers;
    for (std::int64_t i = 0; i < n; ++i) workers.push_back(me.template create<worker>(i, n));
    const auto root = me.template create<master>(workers);
    me.template send<&master::boot>(root);
  }
};

template <class Kit>
struct regsim {
  using self = typename Kit::self;
  template <class Actor>
  using ref = typename Kit::template ref<Actor>;

  struct worker {
    void boot(self& me, ref<worker> registry) { me.template send<&worker::result>(registry); }
    void result() {}
  };

  struct master {
    void boot(self& me, std::int64_t n) {
      std::vector<ref<worker>> workers;
      for (std::int64_t i = 0; i < n; ++i) workers.push_back(me.template create<worker>());
      me.template send<&worker::result>(workers[0]);
      for (std::int64_t i = 1; i < n; ++i) me.template send<&worker::boot>(workers[i], workers[0]);
    }
  };

  static void start(self& me, std::int64_t n) {
    const auto root = me.template create<master>();
    me.template send<&master::boot>(root, n);
  }
};

template <class Kit>
struct senders {
  using self = typename Kit::self;
  template <class Actor>
  using ref = typename Kit::template ref<Actor>;

  struct receiver {
    std::int64_t count = 0;

    void hear(std::int64_t) { ++count; }
  };

  struct sender {
    ref<receiver> to;
    std::int64_t number;

    void start(self& me) { me.template send<&receiver::hear>(to, number); }
  };

  static void start(self& me, std::int64_t n) {
    const auto to = me.template create<receiver>();
    std::vector<ref<sender>> all;
    for (std::int64_t i = 0; i < n; ++i) all.push_back(me.template create<sender>(to, i));
    for (const auto s : all) me.template send<&sender::start>(s);
  }
};

template <class Kit>
struct two_phase_commit {
  using self = typename Kit::self;
  template <class Actor>
  using ref = typename Kit::template ref<Actor>;

  struct coordinator;

  struct participant {
    bool voted_yes = false;
    int decided = 0;

    void prepare(self& me, ref<coordinator> who) {
      voted_yes = me.choose(2) == 1;
      me.template send<&coordinator::vote>(who, voted_yes);
    }
    void commit(self& me) {
      me.check(voted_yes && decided == 0, "only what everyone voted for is committed");
      decided = 1;
    }
    void abort(self& me) {
      me.check(decided == 0, "a decision comes once");
      decided = -1;
    }
  };

  struct coordinator {
    std::vector<ref<participant>> participants;
    std::size_t votes = 0;
    bool all_said_yes = true;

    void begin(self& me) {
      for (const auto p : participants) me.template send<&participant::prepare>(p, me.template me<coordinator>());
    }
    void vote(self& me, bool yes) {
      all_said_yes = all_said_yes && yes;
      if (++votes < participants.size()) return;
      for (const auto p : participants)
        if (all_said_yes)
          me.template send<&participant::commit>(p);
        else
          me.template send<&participant::abort>(p);
    }
  };

  static void start(self& me, std::int64_t n) {
    std::vector<ref<participant>> participants;
    for (std::int64_t i = 0; i < n; ++i) participants.push_back(me.template create<participant>());
    const auto root = me.template create<coordinator>(participants);
    me.template send<&coordinator::begin>(root);
  }
};

/// All messages are there from the start: nothing but deliveries to one actor.
template <class Kit>
struct sink {
  using self = typename Kit::self;
  template <class Actor>
  using ref = typename Kit::template ref<Actor>;
  using receiver = typename senders<Kit>::receiver;

  static void start(self& me, std::int64_t n) {
    const auto to = me.template create<receiver>();
    for (std::int64_t i = 0; i < n; ++i) me.template send<&receiver::hear>(to, i);
  }
};

}  // namespace harrier::bench
