#include "jobs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/report/text.hpp>

#include "../explore/option_words.hpp"
#include "visit.hpp"

namespace harrier {
namespace {

constexpr double seconds_unless_said = 30;
constexpr std::size_t deepest_visit = 2000;
constexpr std::size_t most_visits = 1'000'000;
constexpr std::size_t most_found_shown = 100;

struct not_wanted : error {
  not_wanted() : error("it is not wanted any more") {}
};

void set_option(options& how, const std::string& name, const std::string& value) {
  const auto& allowed = options_of_a_page();
  const auto& known = options_in_words();
  const auto option = std::find_if(known.begin(), known.end(), [&](const auto& o) { return o.name == name; });
  if (option == known.end() || std::find(allowed.begin(), allowed.end(), name) == allowed.end())
    throw error(fmt::format("there is no option {} for a page", printable(name)));
  read_option(*option, fmt::format("{} {}", name, value), value, how);
}

options asked_of_search(const options& base, const json_value& job) {
  auto how = base;
  const auto& words = field(job, "options");
  if (!words.is_object()) throw error("the options are no object");
  for (const auto& [name, value] : words.items()) {
    if (!value.is_string()) throw error(fmt::format("the option {} is no text", printable(name)));
    set_option(how, name, value.get<std::string>());
  }
  if (how.limits.most_seconds() == 0) how.limits.time_limit = seconds_unless_said;
  return how;
}

/// `k.i`, counted from `steps` deliveries on, as it is counted from the beginning.
std::string id_from_the_beginning(const std::string& id, std::size_t steps) {
  const auto dot = id.find('.');
  if (dot == std::string::npos) return id;
  return std::to_string(std::stol(id.substr(0, dot)) + static_cast<long>(steps)) + id.substr(dot);
}

/// A finding, with the whole schedule that leads to it from the beginning.
json_value told_finding_of(const finding& f, const std::vector<asked_step>& before, bool is_warning) {
  auto told = to_json(f);
  for (const auto* long_ones : {"trace", "schedule", "length"}) told.erase(long_ones);
  told["warning"] = is_warning;
  auto steps = before;
  for (std::size_t i = 0; i < f.trace.size(); ++i)
    steps.push_back(
        {id_from_the_beginning(f.trace[i].id, before.size()), i < f.schedule.size() ? f.schedule[i].code : 0});
  told["at"] = to_json(steps);
  return told;
}

json_value told_progress(const progress& p) {
  return {
      {"executions", p.executions}, {"deliveries", p.transitions}, {"findings", p.findings}, {"seconds", p.seconds}};
}

void search(const explorable& of, const json_value& job, const std::vector<asked_step>& steps,
            const std::function<void(const json_value&)>& tell, const std::function<bool()>& is_wanted) {
  auto how = asked_of_search(of.how, job);
  how.told.on_progress = [&](const progress& p) {
    if (!is_wanted()) throw not_wanted();
    tell({{"progress", told_progress(p)}});
  };
  auto result = explore_isolated(steps.empty() ? of.made : begun_after(of, steps), how, of.apart);
  result.program = of.name;
  for (const auto& [name, value] : of.parameters.items())
    result.parameters[name] = value.is_string() ? value.get<std::string>() : to_text(value);
  json_value told = {{"engine", result.engine}, {"exhausted", result.exhausted}, {"stopped_by", result.stopped_by}};
  text_style style;
  style.before_option = "--";
  told["summary"] = summary_of(result, style);
  told["notes"] = result.notes;
  told["findings"] = json_value::array();
  for (const auto* all : {&result.findings, &result.warnings})
    for (const auto& f : *all)
      if (told["findings"].size() < most_found_shown)
        told["findings"].push_back(told_finding_of(f, steps, all == &result.warnings));
  tell({{"found", told}});
}

finding finding_from(const json_value& told) {
  finding f;
  f.kind = finding_kind_of(field_as<std::string>(told, "kind"));
  f.message = field_as<std::string>(told, "message");
  if (told.at("actor").is_string()) f.actor = told.at("actor").get<std::string>();
  if (told.at("file").is_string()) {
    f.file = told.at("file").get<std::string>();
    f.line = field_as<std::uint32_t>(told, "line");
  }
  f.details = field_as<std::vector<std::string>>(told, "details");
  return f;
}

/// Of a schedule in which nothing was found.
finding no_finding() {
  finding f;
  f.kind = finding_kind::assertion;
  f.message = "nothing: this schedule was saved from the page of harrier web";
  f.occurrences = 0;
  return f;
}

finding found_there(const json_value& seen, std::size_t which) {
  if (seen.contains("crashed")) {
    const auto& crash = seen.at("crashed");
    if (crash.at("last").is_null() || !crash.at("in_handler").get<bool>())
      throw error("it did not fail in a handler, so there is no trace that replays it");
    auto last = trace_step_from(crash.at("last"));
    const auto what = crash.at("what").get<std::string>();
    finding f;
    f.kind = finding_kind_of(crash.at("kind").get<std::string>());
    f.actor = last.receiver;
    f.message = fmt::format("{}.{} {}", last.receiver, last.message, what);
    last.findings = {fmt::format("{}: {}", to_string(f.kind), what)};
    f.trace = {last};
    return f;
  }
  const auto& all = seen.at("state").at("findings");
  return which < all.size() ? finding_from(all[which]) : no_finding();
}

std::string trace_text(const explorable& of, const json_value& seen, const std::vector<asked_step>& steps,
                       std::size_t which) {
  if (seen.contains("impossible")) throw error(seen.at("impossible").at("why").get<std::string>());
  auto found = found_there(seen, which);
  const auto lethal = std::exchange(found.trace, {});
  for (const auto& step : seen.at("steps")) found.trace.push_back(trace_step_from(step));
  for (const auto& step : lethal) found.trace.push_back(step);
  for (std::size_t i = 0; i < found.trace.size(); ++i) found.schedule.push_back({steps[i].code, no_message});
  return of.trace_text(found);
}

json_value told_of(const explorable& what) {
  return {{"program", what.name},
          {"parameters", what.parameters},
          {"protocol", what.is_protocol},
          {"delivery", to_string(delivery(what.how.search.delivery))},
          {"engine", what.how.search.engine.name()}};
}

std::size_t number(const json_value& job, const char* name, std::size_t otherwise, std::size_t most) {
  if (!job.contains(name)) return otherwise;
  return std::min<std::size_t>(field_as<std::uint64_t>(job, name), most);
}

}  // namespace

const std::vector<std::string>& options_of_a_page() {
  static const std::vector<std::string> all = {"engine",    "ordering",       "seed",       "bug-depth",
                                               "delays",    "keep-going",     "time-limit", "budget",
                                               "max-depth", "max-executions", "max-memory", "search"};
  return all;
}

void do_job(const explorable& of, const json_value& job, const std::function<void(const json_value&)>& tell,
            const std::function<bool()>& is_wanted) {
  if (!job.is_object()) throw error("the request is no object");
  const auto what = field_as<std::string>(job, "do");
  if (what == "about") return tell(told_of(of));
  const auto steps = asked_steps_from(field(job, "schedule"));
  if (what == "visit") return tell(visit(of, steps, number(job, "from", 0, steps.size()), is_wanted));
  if (what == "visit-all")
    return visit_all(of, steps, number(job, "depth", 5, deepest_visit), number(job, "most", 1000, most_visits), tell,
                     is_wanted);
  if (what == "search") return search(of, job, steps, tell, is_wanted);
  if (what == "trace")
    return tell({{"trace", trace_text(of, visit(of, steps, 0, is_wanted), steps, number(job, "finding", 0, 1000))}});
  throw error("there is nothing to do by the name " + printable(what));
}

}  // namespace harrier
