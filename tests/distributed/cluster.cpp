#include "cluster.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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
constexpr auto patience = std::chrono::seconds(90);
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

bool process::says(const std::string& text) const {
  return wait_until([&] { return output().find(text) != std::string::npos; });
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
  const auto file = folder_ / "server.conf";
  std::ofstream(file) << "listen: \"127.0.0.1:" << port_ << "\"\njetstream { store_dir: " << folder_ / "store"
                      << "\n"
                      << jetstream << "}\n"
                      << settings;
  server_.emplace_back(std::vector<std::string>{"nats-server", "-c", file.string()}, folder_ / "server.log");
  if (!wait_until([&] { return can_connect(port_); })) throw std::runtime_error("no broker");
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
