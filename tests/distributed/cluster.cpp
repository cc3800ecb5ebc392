#include "cluster.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

namespace cluster {
namespace {

using clock = std::chrono::steady_clock;
/// Only what goes wrong waits as long as this; what is slow, since the machine is busy, is not wrong.
constexpr auto patience = std::chrono::seconds(600);
constexpr auto between_looks = std::chrono::milliseconds(5);

template <class Condition>
bool wait_until(Condition condition) {
  for (const auto until = clock::now() + patience; clock::now() < until; std::this_thread::sleep_for(between_looks))
    if (condition()) return true;
  return false;
}

sockaddr_in local(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

int free_port() {
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto address = local(0);
  socklen_t size = sizeof address;
  if (bind(s, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(s, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no port");
  close(s);
  return ntohs(address.sin_port);
}

bool can_connect(int port) {
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = local(port);
  const bool connected = connect(s, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(s);
  return connected;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  std::error_code gone;
  const auto threads = "/proc/" + std::to_string(parent) + "/task";
  for (const auto& thread : std::filesystem::directory_iterator(threads, gone)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) found.push_back(child);
  }
  return found;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

process::process(std::vector<std::string> words, std::filesystem::path output) : output_(std::move(output)) {
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  id_ = fork();
  if (id_ < 0) throw std::runtime_error("fork");
  if (id_ > 0) return;
  const int file = open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

process::process(process&& other) noexcept : id_(std::exchange(other.id_, -1)), output_(std::move(other.output_)) {}

process::~process() {
  if (id_ < 0) return;
  ::kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

void process::send(int signal) const { ::kill(id_, signal); }

int process::wait() {
  int status = 0;
  if (!wait_until([&] { return waitpid(id_, &status, WNOHANG) == id_; })) return 1000;
  id_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string process::output() const { return content_of(output_); }

bool process::says(const std::string& text, int times, const std::function<void()>& meanwhile) const {
  return wait_until([&] {
    meanwhile();
    const auto all = output();
    int found = 0;
    for (auto at = all.find(text); at != std::string::npos; at = all.find(text, at + text.size())) ++found;
    return found >= times;
  });
}

bool process::kill_search() const {
  return wait_until([&] {
    for (const auto hand : children_of(id_))
      for (const auto search : children_of(hand)) return ::kill(search, SIGKILL) == 0;
    return false;
  });
}

client::client(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  static int made = 0;
  answers_ = "answers." + std::to_string(++made);
  const auto address = local(port);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("no broker");
  const timeval most{10, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  line();
  const std::string hello = "CONNECT {\"verbose\":false}\r\nSUB " + answers_ + " 1\r\nPING\r\n";
  static_cast<void>(send(socket_, hello.data(), hello.size(), MSG_NOSIGNAL));
  while (line() != "PONG") {}
}

client::~client() { close(socket_); }

void client::publish(const std::string& subject, std::string_view bytes, const std::string& answer_to) {
  auto text = "PUB " + subject + " " + answer_to + " " + std::to_string(bytes.size()) + "\r\n";
  text.append(bytes).append("\r\n");
  for (std::string_view rest = text; !rest.empty();) {
    const auto sent = send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error("the broker hung up");
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

nlohmann::json client::ask(const std::string& what, const nlohmann::json& more) {
  publish("$JS.API." + what, more.is_null() ? "" : more.dump(), answers_);
  for (;;) {
    const auto header = line();
    if (header.starts_with("PING")) static_cast<void>(send(socket_, "PONG\r\n", 6, MSG_NOSIGNAL));
    if (!header.starts_with("MSG")) continue;
    const auto bytes = std::stoul(header.substr(header.rfind(' ') + 1));
    const auto answer = read(bytes);
    static_cast<void>(read(2));
    return nlohmann::json::parse(answer, nullptr, false);
  }
}

std::string client::line() {
  for (;;) {
    if (const auto end = unread_.find("\r\n"); end != std::string::npos) {
      auto found = unread_.substr(0, end);
      unread_.erase(0, end + 2);
      return found;
    }
    unread_ += read(0);
  }
}

/// So many bytes; 0: those that come.
std::string client::read(std::size_t bytes) {
  while (bytes == 0 || unread_.size() < bytes) {
    std::array<char, 4096> some{};
    const auto count = recv(socket_, some.data(), some.size(), 0);
    if (count <= 0) throw std::runtime_error("the broker says nothing");
    if (bytes == 0) return {some.data(), static_cast<std::size_t>(count)};
    unread_.append(some.data(), static_cast<std::size_t>(count));
  }
  auto found = unread_.substr(0, bytes);
  unread_.erase(0, bytes);
  return found;
}

bool broker::is_installed() { return std::system("command -v nats-server >/dev/null 2>&1") == 0; }

broker::broker() : port_(free_port()) {
  auto name = (std::filesystem::temp_directory_path() / "harrier-cluster-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  folder_ = name;
  start();
}

broker::~broker() {
  server_.clear();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void broker::start(const std::string& jetstream, const std::string& settings) {
  run("jetstream { store_dir: \"" + (folder_ / "store").string() + "\"\n" + jetstream + "}\n" + settings);
}

void broker::start_without_jetstream() { run(""); }

void broker::run(const std::string& settings) {
  const auto file = folder_ / "server.conf";
  std::ofstream(file) << "listen: \"127.0.0.1:" << port_ << "\"\n" << settings;
  server_.emplace_back(std::vector<std::string>{"nats-server", "-c", file.string()}, folder_ / "server.log");
  if (!wait_until([&] { return can_connect(port_); })) throw std::runtime_error("no broker");
}

std::int64_t broker::number(const std::string& stream, const std::string& name) const {
  const auto about = client(port_).ask("STREAM.INFO." + stream);
  return about.contains("state") ? about["state"].value(name, std::int64_t{-1}) : -1;
}

bool broker::comes_to(const std::string& stream, const std::string& name, std::int64_t value) const {
  return wait_until([&] {
    const auto is = number(stream, name);
    return is == value || (name == "last_seq" && is > value);
  });
}

void broker::kill() { server_.clear(); }

void broker::lose_files() { std::filesystem::remove_all(folder_ / "store"); }

process broker::explore(std::vector<std::string> words, const std::string& binary) {
  words.insert(words.begin(), {binary, "explore"});
  words.insert(words.end(), {"--broker", url(), "--json", (folder_ / "result.json").string()});
  return {std::move(words), folder_ / ("explore" + std::to_string(started_++))};
}

process broker::work(std::vector<std::string> words, const std::string& binary) {
  words.insert(words.begin(), {binary, "work", "--broker", url()});
  return {std::move(words), folder_ / ("work" + std::to_string(started_++))};
}

nlohmann::json broker::result() const {
  return nlohmann::json::parse(content_of(folder_ / "result.json"), nullptr, false);
}

}  // namespace cluster
