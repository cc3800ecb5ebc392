// Workers register with a server that gets tasks of other kinds meanwhile.
//
// Source: RegSim(workers, tasks) of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for
// Pruning Redundant State-Exploration in Testing", FORTE 2014, table 1: "a server registration simulation". Their
// program is not printed; this one is regsim.cpp with a field for each kind of task.
//
// Each worker is given the next number, so all orders of registrations differ; the tasks have fields of their own and
// may come at any time. What a handler touches is told by the fields or by declarations: the same program twice.
#include "entries.hpp"

namespace {

template <class T>
using plain = T;

template <template <class> class Field>
struct worker;

template <template <class> class Field>
struct registry {
  Field<int> members = 0;
  Field<int> lease = 60;
  Field<int> notice = 0;
  Field<int> log_file = 0;

  void enlist(harrier::self& self, harrier::ref<worker<Field>> who) {
    ++members;
    self.send<&worker<Field>::welcome>(who, static_cast<int>(members));
  }
  void set_lease(int seconds) { lease = seconds; }
  void announce(int what) { notice = what; }
  void rotate_log() { ++log_file; }
};

template <template <class> class Field>
struct worker {
  harrier::ref<registry<Field>> server;
  int number = 0;

  void boot(harrier::self& self) const { self.send<&registry<Field>::enlist>(server, self.me<worker>()); }
  void welcome(int given) { number = given; }
};

template <template <class> class Field>
void boot_all(harrier::self& self, std::int64_t workers, std::int64_t tasks) {
  using server = registry<Field>;
  const auto registered_by = self.create<server>();
  for (std::int64_t i = 0; i < workers; ++i) self.send<&worker<Field>::boot>(self.create<worker<Field>>(registered_by));
  if (tasks > 0) self.send<&server::set_lease>(registered_by, 30);
  if (tasks > 1) self.send<&server::announce>(registered_by, 1);
  if (tasks > 2) self.send<&server::rotate_log>(registered_by);
}

using declared_registry = registry<plain>;

}  // namespace

template <>
struct harrier::declared<&declared_registry::enlist> {
  using type = harrier::declaration<harrier::writes<&declared_registry::members>>;
};
template <>
struct harrier::declared<&declared_registry::set_lease> {
  using type = harrier::declaration<harrier::writes<&declared_registry::lease>>;
};
template <>
struct harrier::declared<&declared_registry::announce> {
  using type = harrier::declaration<harrier::writes<&declared_registry::notice>>;
};
template <>
struct harrier::declared<&declared_registry::rotate_log> {
  using type = harrier::declaration<harrier::writes<&declared_registry::log_file>>;
};

harrier::catalogue_entry harrier::subjects::regsim_tasks() {
  return {
      "regsim-tasks",
      "workers register with a server that gets other tasks meanwhile",
      {{.name = "workers", .value = 4, .about = "how many workers", .least = 1, .greatest = 1000},
       {.name = "tasks", .value = 2, .about = "how many tasks, each of another kind", .least = 0, .greatest = 3},
       {.name = "told", .value = "fields", .about = "what tells what is touched", .words = {"fields", "declarations"}}},
      [](const arguments& given) {
        const auto workers = given.number("workers");
        const auto tasks = given.number("tasks");
        const bool by_fields = given.word("told") == "fields";
        return make_program([=](self& self) {
          by_fields ? boot_all<tracked>(self, workers, tasks) : boot_all<plain>(self, workers, tasks);
        });
      }};
}
