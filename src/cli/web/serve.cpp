#include "serve.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/web/page.hpp>

#include "../../isolation/source_lines.hpp"
#include "../../web/local_server.hpp"
#include "../commands.hpp"
#include "../shell/console.hpp"
#include "workshop.hpp"

namespace harrier {
namespace {

constexpr int deepest_nesting = 16;  // of lists and objects: what is asked for has three

/// SIGINT, SIGTERM and SIGHUP wait to be read here, those that the user had not ignored (nohup ignores SIGHUP).
class ending {
public:
  ending() {
    sigset_t all;
    sigemptyset(&all);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction now {};
      sigaction(signal, nullptr, &now);
      if (now.sa_handler != SIG_IGN) sigaddset(&all, signal);
    }
    sigprocmask(SIG_BLOCK, &all, &before_);
    file_ = signalfd(-1, &all, SFD_CLOEXEC);
    if (file_ < 0) throw error("there is no file descriptor for signals");
  }
  ending(const ending&) = delete;
  ending& operator=(const ending&) = delete;
  ~ending() {
    signalfd_siginfo taken;
    pollfd look{file_, POLLIN, 0};
    while (poll(&look, 1, 0) > 0 && read(file_, &taken, sizeof taken) > 0) {}
    close(file_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

  /// Until a signal comes, or the terminal is closed: then there is nobody who could end it.
  void wait() const {
    // Who only waits for a terminal to be closed is not told so: it is looked at now and then.
    constexpr int milliseconds_between_looks = 500;
    std::array<pollfd, 2> look = {pollfd{file_, POLLIN, 0}, pollfd{terminal_, 0, 0}};
    int count = 0;
    do count = poll(look.data(), look.size(), milliseconds_between_looks);
    while (count == 0 || (count < 0 && errno == EINTR));
  }

private:
  static int terminal() {
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      if (isatty(file) == 1) return file;
    return -1;
  }

  sigset_t before_{};
  int file_ = -1;
  int terminal_ = terminal();  // one that is closed by now cannot be told from a file
};

/// @throws error  it is no JSON, or so deep that who reads it may run out of stack.
json_value request_from(const std::string& text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string)
      depth += static_cast<int>(c == '[' || c == '{') - static_cast<int>(c == ']' || c == '}');
    if (depth > deepest_nesting) throw error("the request is nested too deep");
  }
  auto asked = json_value::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!asked.is_object()) throw error("the request is no JSON object");
  return asked;
}

std::string in_json(const std::string& why) {
  const json_value told = {{"error", why}};
  return to_text(told);
}

page_response refused(unsigned status, const std::string& why) { return {.status = status, .body = in_json(why)}; }

/// Where handlers stand in the sources in place of where their code is: asked once for all pages, for as long as they
/// are served.
std::string with_sources(const std::string& answer) {
  static source_lines lines;
  static std::mutex one_at_a_time;
  auto told = json_value::parse(answer);
  if (!told.contains("steps")) return answer;
  std::vector<trace_step> steps;
  for (const auto& step : told.at("steps")) {
    steps.emplace_back();
    steps.back().handler = step.value("handler", std::string());
  }
  const std::lock_guard lock(one_at_a_time);
  lines.learn(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    told["steps"][i].erase("handler");
    told["steps"][i]["source"] = lines.of(steps[i]);
  }
  return to_text(told, -1);
}

/// One answer, as a whole.
page_response answer_at_once(const workshop& jobs, const json_value& job) {
  std::string answer;
  jobs.have_done(job, [&](std::string_view told) { return answer = told, true; });
  if (job.at("do") == "visit") answer = with_sources(answer);
  return {.status = answer.starts_with(R"({"error":)") ? 400U : 200U, .body = answer};
}

/// A line for each thing that is told, as it is.
page_response answer_in_lines(const workshop& jobs, json_value job) {
  page_response response;
  response.parts = [&jobs, job = std::move(job)](const std::function<bool(std::string_view)>& write) {
    try {
      jobs.have_done(job, [&](std::string_view told) { return write(std::string(told) + "\n"); });
    } catch (const error& e) {
      write(in_json(e.what()) + "\n");
    }
  };
  return response;
}

page_response answer(const workshop& jobs, const page_request& asked) {
  constexpr std::string_view before = "/api/";
  auto what = asked.path.substr(before.size());
  if (what != "visit" && what != "visit-all" && what != "search" && what != "trace")
    return refused(404, "there is nothing here");
  json_value job;
  try {
    job = request_from(asked.body);
  } catch (const error& e) {
    return refused(400, e.what());
  }
  job["do"] = what;
  return what == "visit" || what == "trace" ? answer_at_once(jobs, job) : answer_in_lines(jobs, std::move(job));
}

/// What the page is to know before it asks.
/// @throws untestable_program, error  the program does not come to its first message.
json_value told_by(const workshop& jobs, const page_service& where) {
  const auto done = [&](json_value job) {
    std::string answer;
    jobs.have_done(job, [&](std::string_view told) { return answer = told, true; });
    auto told = json_value::parse(answer);
    if (told.contains("error")) throw untestable_program(told.at("error").get<std::string>());
    return told;
  };
  auto about = done({{"do", "about"}});
  done({{"do", "visit"}, {"schedule", json_value::array()}});
  about["replay"] = where.replay;
  about["engines"] = engine_names();
  return about;
}

}  // namespace

int serve_explorer(const page_jobs& done, const page_service& where) {
  workshop jobs(done);
  const auto about = told_by(jobs, where);
  const ending end;  // after the workshop, in which signals are what they are to a program
  const console out;
  const local_server server(where.port, explorer_page(about),
                            [&](const page_request& request) { return answer(jobs, request); });
  out.say_exactly(fmt::format("{}: open {} in a browser. Ctrl-C ends it.\n",
                              printable(about.at("program").get<std::string>()), server.address()));
  end.wait();
  jobs.end();  // else the server would wait for a handler that never ends
  return explored_completely;
}

}  // namespace harrier
