#include "serve.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/web/page.hpp>

#include "../../web/local_server.hpp"
#include "../commands.hpp"
#include "../shell/console.hpp"
#include "jobs.hpp"
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
    std::array<pollfd, 2> look = {pollfd{file_, POLLIN, 0}, pollfd{terminal(), 0, 0}};
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

/// One answer, as a whole.
page_response answer_at_once(const workshop& jobs, const json_value& job) {
  json_value answer;
  jobs.have_done(job, [&](const json_value& told) { return answer = told, true; });
  return {.status = answer.contains("error") ? 400U : 200U, .body = to_text(answer)};
}

/// A line for each thing that is told, as it is.
page_response answer_in_lines(const workshop& jobs, json_value job) {
  page_response response;
  response.parts = [&jobs, job = std::move(job)](const std::function<bool(std::string_view)>& write) {
    try {
      jobs.have_done(job, [&](const json_value& told) { return write(to_text(told) + "\n"); });
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
json_value told_of(const explorable& what, const page_service& where) {
  json_value about = {{"program", what.name}, {"parameters", what.parameters}};
  about["protocol"] = what.is_protocol;
  about["binary"] = where.binary;
  about["delivery"] = to_string(delivery(what.how.search.delivery));
  about["engines"] = engine_names();
  about["engine"] = what.how.search.engine.name();
  return about;
}

/// @throws untestable_program, error  the program does not come to its first message.
void try_to_start(const workshop& jobs) {
  json_value answer;
  jobs.have_done({{"do", "visit"}, {"schedule", json_value::array()}},
                 [&](const json_value& told) { return answer = told, true; });
  if (answer.contains("error")) throw untestable_program(answer.at("error").get<std::string>());
}

}  // namespace

int serve_explorer(const explorable& what, const page_service& where) {
  validate(what.how);
  const ending end;
  workshop jobs([&](const json_value& job, const workshop::teller& tell, const std::function<bool()>& is_wanted) {
    do_job(what, job, tell, is_wanted);
  });
  try_to_start(jobs);
  const console out;
  const local_server server(where.port, explorer_page(told_of(what, where)),
                            [&](const page_request& request) { return answer(jobs, request); });
  out.say_exactly(fmt::format("{}: open {} in a browser. Ctrl-C ends it.\n", printable(what.name), server.address()));
  end.wait();
  jobs.end();  // else the server would wait for a handler that never ends
  return explored_completely;
}

}  // namespace harrier
