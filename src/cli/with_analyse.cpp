// What a command line does with sources, in a build with the floor analyse.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <harrier/analyse/analyse.hpp>
#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/report/json.hpp>
#include <harrier/report/write_file.hpp>

#include "../analyse/measure.hpp"
#include "analyse_command.hpp"
#include "commands.hpp"
#include "shell/console.hpp"

namespace harrier {
namespace {

namespace fs = std::filesystem;

json_value to_json(const source_place& where) { return {{"file", where.file}, {"line", where.line}}; }

json_value to_json(const std::vector<named_access>& fields) {
  auto list = json_value::array();
  for (const auto& f : fields) list.push_back({{"name", f.name}, {"where", to_json(f.where)}});
  return list;
}

json_value to_json(const std::vector<source_remark>& remarks) {
  auto list = json_value::array();
  for (const auto& r : remarks) list.push_back({{"why", r.text}, {"where", to_json(r.where)}});
  return list;
}

json_value to_json(const analysed_handler& h) {
  json_value json = {{"class", h.of_class}, {"handler", h.name}, {"where", to_json(h.where)}};
  json["reads"] = to_json(h.reads);
  json["writes"] = to_json(h.writes);
  json["any_field"] = to_json(h.any_field);
  auto sends = json_value::array();
  for (const auto& s : h.sends) sends.push_back({{"handler", s.handler}, {"to", s.to}, {"where", to_json(s.where)}});
  json["sends"] = std::move(sends);
  json["any_send"] = to_json(h.any_send);
  json["shared"] = to_json(h.shared);
  json["declaration"] = h.declaration;
  json["left_out"] = to_json(h.left_out);
  return json;
}

/// Where harrier's headers are: beside the executable file, as they are built or installed, or nowhere known.
std::vector<std::string> own_include() {
  std::error_code ignored;
  for (auto folder = fs::canonical("/proc/self/exe", ignored).parent_path(); folder != folder.root_path();
       folder = folder.parent_path())
    if (fs::exists(folder / "include/harrier/harrier.hpp", ignored)) return {"-I" + (folder / "include").string()};
  return {};
}

void complain(const std::vector<source_remark>& errors) {
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(errors.size(), most); ++i) {
    const auto& where = errors[i].where;
    const auto place = where.file.empty() ? std::string() : fmt::format("{}:{}: ", where.file, where.line);
    say_aside(printable_lines(place + errors[i].text) + "\n");
  }
  if (errors.size() > most) say_aside(fmt::format("and {} more\n", errors.size() - most));
}

/// What the command prints. What it says on standard error goes there.
std::string output_of(const std::string& command) {
  auto* const pipe = popen(command.c_str(), "re");
  if (pipe == nullptr) throw error(fmt::format("cannot run a shell for `{}`", command));
  std::string all;
  std::array<char, 4096> some;
  for (std::size_t n = 0; (n = std::fread(some.data(), 1, some.size(), pipe)) > 0;) all.append(some.data(), n);
  pclose(pipe);
  return all;
}

measured_declarations measured(analysed_source& source, const asked_analysis& asked) {
  return measure(source, [&](const analysed_source& one) {
    write_file(asked.write, to_header(one, asked.file));
    try {
      return executions_in(output_of(asked.measure));
    } catch (const error& e) {
      throw error(
          fmt::format("--measure: `{}`: {}; {} is as it was for that run", asked.measure, e.what(), asked.write));
    }
  });
}

std::string text_of_measurement(const measured_declarations& all) {
  auto text = fmt::format("\nexecutions: {} without declarations, {} with them\n", all.without, all.with);
  for (const auto& w : all.withdrawn) text += w + "\n";
  return text;
}

int run(const asked_analysis& asked) {
  if (!asked.measure.empty() && (asked.write.empty() || asked.write == "-"))
    throw error("--measure needs the header that the program includes: --write FILE");
  if (asked.write == asked.json && !asked.write.empty()) throw error("--write and --json name the same file; give two");
  for (const auto& file : {asked.write, asked.json})
    if (!file.empty() && file != "-") check_writable(file);
  if (!asked.write.empty() && asked.write != "-" && fs::exists(asked.write) && fs::equivalent(asked.write, asked.file))
    throw error("--write names the source itself; give another file");
  auto request = analysis_request{asked.file, asked.flags, asked.write == "-" ? "" : asked.write};
  for (auto& flag : own_include()) request.flags.push_back(std::move(flag));
  console out;
  if (asked.write == "-" || asked.json == "-") out.reserve_stdout();

  auto source = analyse(request);
  if (!source.errors.empty()) {
    complain(source.errors);
    throw error(fmt::format("{} does not compile; flags of the compiler follow --", asked.file));
  }
  std::string measurement;
  if (!asked.measure.empty()) measurement = text_of_measurement(measured(source, asked));
  out.say(printable_lines(to_text(source) + measurement));
  outputs written;
  const auto write = [&](const std::string& file, const auto& text) {
    if (file.empty()) return;
    written.attempt([&] { file == "-" ? out.write_reserved(text()) : write_file(file, text()); });
  };
  write(asked.write, [&] { return to_header(source, asked.file); });
  write(asked.json, [&] {
    auto handlers = json_value::array();
    for (const auto& h : source.handlers) handlers.push_back(to_json(h));
    return to_text(json_value{{"file", asked.file}, {"handlers", std::move(handlers)}}, 2) + "\n";
  });
  return written.conclude(explored_completely);
}

}  // namespace

const analyse_floor* built_in_analyser() {
  static const analyse_floor floor{run};
  return &floor;
}

}  // namespace harrier
