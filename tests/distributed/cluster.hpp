#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A broker and processes beside it, on this machine.
namespace cluster {

/// A process with its output in files, killed when nobody has it any more.
class process {
public:
  process(std::vector<std::string> words, std::filesystem::path output);
  process(process&& other) noexcept;
  process& operator=(process&&) = delete;
  ~process();

  void send(int signal) const;
  /// Waits for a process that searches for this one, a worker, and kills it. @return whether there was one
  [[nodiscard]] bool kill_search() const;
  /// Waits for its end. @return its exit status, or 128 + the signal; 1000: it did not end in time.
  int wait();
  [[nodiscard]] std::string output() const;
  /// Waits until its output has `text`. @return whether it came.
  [[nodiscard]] bool says(
      const std::string& text, int times = 1, const std::function<void()>& meanwhile = [] {}) const;

private:
  pid_t id_;
  std::filesystem::path output_;
};

/// Whoever may talk to a broker: NATS's own protocol, by hand.
class client {
public:
  explicit client(int port);
  client(const client&) = delete;
  client& operator=(const client&) = delete;
  ~client();

  void publish(const std::string& subject, std::string_view bytes, const std::string& answer_to = "");
  /// What JetStream answers to `what`; null: nothing.
  nlohmann::json ask(const std::string& what, const nlohmann::json& more = {});

private:
  std::string line();
  std::string read(std::size_t bytes);

  int socket_;
  std::string answers_;  // a subject of its own
  std::string unread_;
};

/// A NATS server with JetStream on a free port of this machine, its files in a
/// folder of its own.
class broker {
public:
  broker();
  broker(const broker&) = delete;
  broker& operator=(const broker&) = delete;
  ~broker();

  static bool is_installed();
  [[nodiscard]] std::string url() const { return scheme_ + "127.0.0.1:" + std::to_string(port_); }
  /// What stands before its address in the URL, user and password included.
  void is_called(const std::string& scheme) { scheme_ = scheme; }
  /// @param jetstream, settings  lines of its configuration: of JetStream, and of all.
  void start(const std::string& jetstream = "", const std::string& settings = "");
  /// As one whose JetStream does not answer any more.
  void start_without_jetstream();
  void kill();
  void lose_files();
  [[nodiscard]] int port() const { return port_; }
  /// The messages of a stream, by JetStream's own words: `messages`, `last_seq`.
  [[nodiscard]] std::int64_t number(const std::string& stream, const std::string& name) const;
  /// Waits until it is that, or, of last_seq, more. @return whether it came to that.
  [[nodiscard]] bool comes_to(const std::string& stream, const std::string& name, std::int64_t value) const;

  /// Files are made here.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  process explore(std::vector<std::string> words, const std::string& binary);
  process work(std::vector<std::string> words, const std::string& binary);
  /// What explore wrote as --json.
  [[nodiscard]] nlohmann::json result() const;

private:
  void run(const std::string& settings);

  int port_;
  std::string scheme_ = "nats://";
  int started_ = 0;
  std::filesystem::path folder_;
  std::vector<process> server_;
};

}  // namespace cluster
