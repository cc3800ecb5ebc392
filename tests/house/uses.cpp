/// What users write, and compilers warned of: options of which some are named, a parameter without its text, actors in
/// an unnamed namespace. compilers.py compiles it behind all public headers, and sees to it that no structure of
/// options is forgotten. Of each the first and the last member is named, so that every other one has to be initialised
/// where it is declared.
namespace {

struct server {
  int value = 0;
  bool open = true;

  void set(int v) { value = v; }
  [[nodiscard]] int get() const { return value; }
};

struct client {
  harrier::ref<server> store;
  int asked = 0;
  std::variant<std::monostate, int, std::string> last;
  std::optional<std::pair<int, bool>> pair;
  std::map<std::string, std::vector<std::tuple<>>> all;

  harrier::task ask(harrier::self& self) {
    self.send<&server::set>(store, 1);
    asked = co_await self.call<&server::get>(store);
  }
};

void driver(harrier::self& self) { self.send<&client::ask>(self.create<client>(self.create<server>())); }

template <class T>
void are(std::initializer_list<T> /*written*/) {}

}  // namespace

void uses_of_options() {
  using namespace harrier;
  are<options>({{.search = {.engine = "dcute"}}, {.kept = {.checkpoint = "run.checkpoint"}}});
  are<search_options>({{.engine = "source"}, {.seed = 7, .jobs = 2}, {.only_estimate = true}});
  are<faults>({{.lose = 1}, {.heal = 1}});
  are<state_options>({{.order = search_order::breadth_first}, {.interchangeable = {"server"}}});
  are<judging_options>({{.environment = environment::total}, {.keep_going = true}, {.check_undo = true}});
  are<limit_options>({{.max_executions = 5}, {.should_stop = [] { return false; }}});
  are<telling_options>({{.on_progress = [](const progress&) {}}, {.wiring = nullptr}});
  are<keeping_options>({{.checkpoint = "a"}, {.searched = {{"program", "bank"}}}});
  are<parameter>({{.name = "workers", .value = 3}, {.name = "who", .value = "Ann", .words = {"Ann"}}});
  are<program>({make_program(driver), {.usual_delivery = delivery::fifo}});

  are<persistent_options>({{.ordering = "fifo"}, {.sleep_sets = true}});
  are<source_options>({{.ordering = "fifo"}, {.independence = independence::receiver}});
  are<optimal_options>({{.ordering = "fifo"}, {.longest_with_observers = 5}});
  are<transdpor_options>({{.ordering = "fifo"}, {.sleep_sets = true}});
  are<stateful_options>({{.search = search_order::depth_first}, {.interchangeable = {"server"}}});
  are<random_options>({{.seed = 1}, {.first = 1}});
  are<enumeration_options>({{.seed = 1}, {.population = 1}});
  are<pct_options>({{.seed = 1}, {.first = 1}});
  are<pos_options>({{.seed = 1}, {.first = 1}});
  are<delay_options>({{.first = 1}, {.most = 1}});
  are<dcute_options>({{.ordering = "fifo"}});

  are<test_options>({{.engine = "source"}, {.search = search_order::breadth_first}});
  are<test_body>({{.run = [](self&, test_run&) {}}, {.elsewhere = nullptr}});
  are<run_of_test>({{.next = nullptr}, {.faults = {.lose = 1}}});
  are<isolation_options>({{.handler_limit = 1}, {.finds_leaks = true}});
  are<caf_options>({{.eager_starts = false}, {.time = caf_options::timers::any_time}});
  are<check_options>({{.ends = run_ends::ignore}, {.enough = nullptr}});

  are<analysis_request>({{.file = "bank.cpp"}, {.but_for = "bank.hpp"}});
  are<broker_address>({{.url = "nats://localhost:4222"}, {.key = "key.pem"}});
  are<broker_run>({{.at = {.url = "nats://localhost:4222"}}, {.on_progress = nullptr}});
  are<broker_work>({{.at = {.url = "nats://localhost:4222"}}, {.say = nullptr}});
  are<program_to_work_at>({{.made = make_program(driver)}, {.how = {.search = {.seed = 1}}}});

  are<protocol::property_options>({{.ends = run_ends::ignore}, {.gives_up = nullptr}});
  are<protocol::generate_options>({{.mode = protocol::module_mode::strict}, {.largest = 1}});
  are<protocol::proof_limits>({{.seconds = 1}, {.mebibytes = 1}});
  are<runtime::session_options>({{.name = "bank"}, {.on_early_leave = nullptr}});
}
