#pragma once

#include <map>
#include <string>
#include <string_view>

#include <harrier/explore/options.hpp>
#include <harrier/report/json.hpp>

/// What coordinator and workers of a run have agreed on.
namespace harrier::distributed {

/// Changes when what is sent does.
inline constexpr int protocol_version = 5;

/// How a run is called at the broker.
struct run_names {
  explicit run_names(const std::string& run)
      : items("harrier_" + run + "_items"),
        results("harrier_" + run + "_results"),
        item_subject("harrier.items." + run),
        result_subject("harrier.results." + run),
        announced("harrier.runs." + run),
        hunger("harrier.hunger." + run),
        over("harrier.over." + run),
        workers("harrier.workers." + run),
        refusals("harrier.refusals." + run) {}

  std::string items, results;  ///< streams
  std::string item_subject, result_subject;
  std::string announced, hunger, over, workers, refusals;  ///< subjects that nobody keeps
};
inline constexpr auto consumer_of_items = "workers";
inline constexpr auto any_run = "harrier.runs.*";

/// What a run is of, and how it is explored: what a worker needs to know.
struct run_description {
  std::string run;
  std::string build;    ///< see build_of_this_binary
  std::string version;  ///< of harrier
  std::string program;
  std::map<std::string, std::string> parameters;
  options how;                   ///< as far as it goes over the wire
  std::string judged_by;         ///< broker_run::judged_by
  bool own_environment = false;  ///< the program says which actors may be left
  double handler_limit = 10;
  double worker_timeout = 30;
};

[[nodiscard]] json_value to_json(const run_description& run);
/// @throws error  it is none, or one of another protocol_version.
[[nodiscard]] run_description run_from(const json_value& json);
/// The same of an announcement on `subject`, which is to be that of the run.
[[nodiscard]] run_description run_from(std::string_view text, const std::string& subject);
/// Tells what belongs to the run from all else at the broker: a hash of what decides its counts.
/// Who resumes a run after a crash has the same.
[[nodiscard]] std::string identity_of(const run_description& run);
/// Whether a run can be called so: letters, digits, - and _, at most 64.
[[nodiscard]] bool is_name_of_run(std::string_view text);

/// What is said and not kept, of the run `identity`: an object of JSON.
[[nodiscard]] std::string told(const std::string& identity, const json_value& what);
/// @throws error  it is none, or of another run.
[[nodiscard]] json_value heard(std::string_view text, const std::string& identity);
/// `how` of the program with what the run says put over it.
[[nodiscard]] options options_of(const run_description& run, options of_program);

[[nodiscard]] std::string version_of_harrier();

/// Why a worker of this build cannot work at `run`; empty: it can, as far as that
/// can be said before the program is made.
[[nodiscard]] std::string objection_to(const run_description& run);

/// A message that is kept. It may be larger than the broker allows, and is then in parts.
struct part {
  std::string run;   ///< its identity
  std::string item;  ///< the name of the item that it is, or is the result of
  std::string attempt = "0";
  std::size_t number = 0, count = 1;
  std::string_view bytes;
};
/// Of what stands in the place of an item's name where a run says which it is.
inline constexpr auto description_mark = "run";
[[nodiscard]] std::string to_bytes(const part& p);
/// @throws error  it is none, or damaged. The bytes are those of `text`.
[[nodiscard]] part part_from(std::string_view text);

/// Hexadecimal digits that nobody else has.
inline constexpr std::size_t unique_word_digits = 16;
[[nodiscard]] std::string unique_word();

}  // namespace harrier::distributed
