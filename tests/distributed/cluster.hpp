#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
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
  /// Waits for its end. @return its exit status, or 128 + the signal; 1000: it did not end in time.
  int wait();
  [[nodiscard]] std::string output() const;
  /// Waits until its output has `text`. @return whether it came.
  [[nodiscard]] bool says(const std::string& text) const;

private:
  pid_t id_;
  std::filesystem::path output_;
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
  void kill();
  void lose_files();

  /// Files are made here.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  process explore(std::vector<std::string> words, const std::string& binary);
  process work(std::vector<std::string> words, const std::string& binary);
  /// What explore wrote as --json.
  [[nodiscard]] nlohmann::json result() const;

private:
  int port_;
  std::string scheme_ = "nats://";
  int started_ = 0;
  std::filesystem::path folder_;
  std::vector<process> server_;
};

}  // namespace cluster
