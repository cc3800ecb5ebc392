// Actors that have memory in common which no message and no global variable leads to, as its first argument says.
#undef NDEBUG
#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../both_versions.hpp"

#if HARRIER_CAF_1
CAF_BEGIN_TYPE_ID_BLOCK(shared, caf::id_block::harrier_both::end)
CAF_ADD_TYPE_ID(shared, (std::vector<int>))
CAF_END_TYPE_ID_BLOCK(shared)
#endif

using namespace caf;

struct account {
  int balance = 0;
};

/// The second of two readings fails, if what was written came between.
template <class Read>
behavior reads_twice(Read read) {
  auto first = std::make_shared<int>(-1);
  return {[=](int) {
    if (*first < 0)
      *first = read();
    else
      assert(*first == read());
  }};
}

void read_twice_and_write(actor_system& system, const actor& reader, const actor& writer) {
  for (int i = 0; i < 2; ++i) anon_send(reader, 1);
  anon_send(writer, 1);
}

int main(int argc, char** argv) {
#if HARRIER_CAF_1
  init_global_meta_objects<id_block::shared>();
#endif
  const std::string how = argc > 1 ? argv[1] : "";
  actor_system_config config;
  actor_system system{config};
  const auto spawn_reader = [&](auto read) {
    return system.spawn([=](event_based_actor*) { return reads_twice(read); });
  };
  const auto spawn_writer = [&](auto write) {
    return system.spawn([=](event_based_actor*) -> behavior { return {[=](int) mutable { write(); }}; });
  };
  if (how == "captured") {
    const auto both = std::make_shared<account>();
    read_twice_and_write(system, spawn_reader([=] { return both->balance; }),
                         spawn_writer([=] { both->balance += 5; }));
  } else if (how == "grows") {  // what the reader has refers to what the writer has taken
    const auto both = std::make_shared<std::vector<int>>();
    read_twice_and_write(system, spawn_reader([=] { return both->size() > 0 ? both->back() : 0; }),
                         spawn_writer([=] { both->push_back(5); }));
  } else if (how == "map") {  // a node that is written to is no more than reached
    const auto both = std::make_shared<std::map<std::string, account>>();
    (*both)["a"].balance = 1;
    read_twice_and_write(system, spawn_reader([=] { return both->at("a").balance; }),
                         spawn_writer([=] { (*both)["a"].balance += 5; }));
  } else if (how == "pointer") {  // to main's own
    account mains;
    read_twice_and_write(system, spawn_reader([&mains] { return mains.balance; }),
                         spawn_writer([&mains] { mains.balance += 5; }));
    system.await_all_actors_done();
  } else if (how == "raw") {
    auto* const both = new account;
    read_twice_and_write(system, spawn_reader([=] { return both->balance; }),
                         spawn_writer([=] { both->balance += 5; }));
    system.await_all_actors_done();
    delete both;
  } else if (how == "reset") {  // to the same value, so that nothing can be seen of it later
    const auto both = std::make_shared<account>();
    read_twice_and_write(system, spawn_reader([=] { return both->balance; }), spawn_writer([=] { both->balance = 0; }));
  } else if (how == "read_only") {
    const auto both = std::make_shared<account>();
    read_twice_and_write(system, spawn_reader([=] { return both->balance; }),
                         spawn_writer([=] { (void)both->balance; }));
  } else if (how == "counted") {  // references come and go
    const auto both = std::make_shared<account>();
    read_twice_and_write(
        system, spawn_reader([=] { return both->balance; }),
        spawn_writer([=, kept = std::vector<std::shared_ptr<account>>()]() mutable { kept.push_back(both); }));
  } else if (how == "own") {  // each has one
    const auto mine = std::make_shared<account>();
    const auto yours = std::make_shared<account>();
    read_twice_and_write(system, spawn_reader([=] { return mine->balance; }),
                         spawn_writer([=] { yours->balance += 5; }));
  } else if (how == "blocking") {  // on the stack of one
    const auto both = std::make_shared<account>();
    const actor reader = system.spawn([=](blocking_actor* self) {
      int first = 0;
      self->receive([&](int) { first = both->balance; });
      self->receive([&](int) { assert(first == both->balance); });
    });
    read_twice_and_write(system, reader, spawn_writer([=] { both->balance += 5; }));
  } else if (how == "child") {  // it has it from who made it
    const actor parent = system.spawn([](event_based_actor* self) -> behavior {
      const auto both = std::make_shared<account>();
      const auto reader = self->spawn([=](event_based_actor*) { return reads_twice([=] { return both->balance; }); });
      for (int i = 0; i < 2; ++i) self->send(reader, 1);
      return {[=](int) { both->balance += 5; }};
    });
    anon_send(parent, 1);
  } else if (how == "inside") {  // a pointer into the other
    struct has_account {
      account mine;
    };
    const has_account* of_writer = nullptr;
    const auto writer = system.spawn([&](stateful_actor<has_account>* self) -> behavior {
      of_writer = &both::state_of(self);
      return {[=](int) { both::state_of(self).mine.balance += 5; }};
    });
    scoped_actor waits{system};
    waits->send(writer, 1);
    waits->request(writer, infinite, 1).receive([](int) {}, [](const error&) {});
    read_twice_and_write(system, spawn_reader([=, alive = writer] { return alive ? of_writer->mine.balance : 0; }),
                         writer);
  } else if (how == "moved") {  // to who has it then alone
    const auto sorts = system.spawn([](event_based_actor*) -> behavior {
      return {[kept = std::vector<std::vector<int>>()](std::vector<int>& all) mutable {
        all.push_back(1);
        kept.push_back(std::move(all));
        kept.front().front() += 5;
      }};
    });
    const auto fills = system.spawn([=](event_based_actor* self) -> behavior {
      return {[=, all = std::vector<int>()](int n) mutable {
        all.push_back(n);
        if (all.size() == 2) self->send(sorts, std::move(all));
      }};
    });
    for (int i = 0; i < 2; ++i) anon_send(fills, i);
  } else if (how == "written") {  // nothing fails
    const auto both = std::make_shared<std::vector<int>>();
    for (int i = 0; i < 2; ++i) anon_send(spawn_writer([=] { both->push_back(i); }), 1);
  } else if (how == "state") {  // of an actor that knows the other
    struct words {
      std::vector<std::string> heard;
    };
    const auto listener = system.spawn([](stateful_actor<words>* self) -> behavior {
      return {[=](const std::string& word) { both::state_of(self).heard.push_back(word); }};
    });
    for (int i = 0; i < 2; ++i)
      system.spawn([=](stateful_actor<words>* self) {
        both::state_of(self).heard.push_back("me");
        self->send(listener, "a word that is longer than a string keeps in itself");
      });
  }
}
