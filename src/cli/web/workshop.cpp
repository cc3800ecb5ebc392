#include "workshop.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <harrier/core/error.hpp>

#include "../../by_hand/connection.hpp"

namespace harrier {
namespace {

[[noreturn]] void no_job() {
  throw error(std::string("cannot start a process to run the program in: ") + std::strerror(errno));
}

std::array<int, 2> two_ends() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) no_job();
  return ends;
}

class end_of_pair {
public:
  explicit end_of_pair(int file) : file_(file) {}
  end_of_pair(const end_of_pair&) = delete;
  end_of_pair& operator=(const end_of_pair&) = delete;
  ~end_of_pair() {
    if (file_ >= 0) close(file_);
  }
  [[nodiscard]] int get() const { return file_; }
  void reset() {
    if (file_ >= 0) close(std::exchange(file_, -1));
  }

private:
  int file_;
};

/// @return how much was read; 0 at the end.
std::size_t read_some(int from, std::array<char, 65536>& into) {
  for (;;) {
    const auto count = read(from, into.data(), into.size());
    if (count < 0 && errno == EINTR) continue;
    return count < 0 ? 0 : static_cast<std::size_t>(count);
  }
}

/// A byte, and room for an open file beside it.
class byte_with_file {
public:
  byte_with_file() {
    all_.msg_iov = &data_;
    all_.msg_iovlen = 1;
    all_.msg_control = control_.data();
    all_.msg_controllen = control_.size();
  }
  byte_with_file(const byte_with_file&) = delete;
  byte_with_file& operator=(const byte_with_file&) = delete;
  [[nodiscard]] msghdr* get() { return &all_; }

private:
  char byte_ = 0;
  iovec data_{&byte_, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control_{};
  msghdr all_{};
};

/// Sends the open file `what`.
bool send_file(int over, int what) {
  byte_with_file message;
  auto* const head = CMSG_FIRSTHDR(message.get());
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &what, sizeof what);
  ssize_t sent = 0;
  do sent = sendmsg(over, message.get(), MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == 1;
}

/// @return the next file that was sent; -1: there will be none.
int receive_file(int over) {
  for (;;) {
    byte_with_file message;
    const auto count = recvmsg(over, message.get(), MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return -1;
    const auto* const head = CMSG_FIRSTHDR(message.get());
    if (head == nullptr || head->cmsg_type != SCM_RIGHTS) continue;
    int file = -1;
    std::memcpy(&file, CMSG_DATA(head), sizeof file);
    return file;
  }
}

std::string all_of(int from) {
  std::string text;
  std::array<char, 65536> bytes{};
  while (const auto count = read_some(from, bytes)) text.append(bytes.data(), count);
  return text;
}

void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

[[noreturn]] void do_one(const workshop::work& done, int over, pid_t parent) {
  end_with(parent);
  std::signal(SIGCHLD, SIG_DFL);  // it waits for its own
  const auto tell = [over](const json_value& what) { write_all(over, to_text(what) + "\n"); };
  try {
    done(json_value::parse(all_of(over)), tell, [over] { return is_listened_to(over); });
  } catch (const std::exception& e) {
    tell({{"error", e.what()}});
  }
  _exit(0);
}

[[noreturn]] void help(const workshop::work& done, int control, pid_t parent) {
  end_with(parent);
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the parent, which then ends this
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGCHLD, SIG_IGN);
  for (auto file = receive_file(control); file >= 0; file = receive_file(control)) {
    const end_of_pair over(file);
    const auto own = getpid();
    if (fork() != 0) continue;  // if there can be none, who waits reads nothing
    close(control);
    do_one(done, file, own);
  }
  _exit(0);
}

}  // namespace

workshop::workshop(const work& done) {
  const auto ends = two_ends();
  const auto parent = getpid();
  helper_ = fork();
  if (helper_ < 0) no_job();
  if (helper_ == 0) {
    close(ends[0]);
    help(done, ends[1], parent);
  }
  close(ends[1]);
  control_ = ends[0];
}

workshop::~workshop() {
  end();
  close(control_);
}

void workshop::end() {
  if (helper_ < 0) return;
  kill(helper_, SIGKILL);  // its jobs end with it
  while (waitpid(helper_, nullptr, 0) < 0 && errno == EINTR) {}
  helper_ = -1;
}

void workshop::have_done(const json_value& job, const std::function<bool(std::string_view)>& hear) const {
  const auto ends = two_ends();
  const end_of_pair here(ends[0]);
  end_of_pair there(ends[1]);
  if (!send_file(control_, there.get())) no_job();
  there.reset();
  write_all(here.get(), to_text(job));
  shutdown(here.get(), SHUT_WR);
  std::string rest;
  std::array<char, 65536> bytes{};
  bool any = false;
  while (const auto count = read_some(here.get(), bytes)) {
    const auto looked_through = rest.size();
    rest.append(bytes.data(), count);
    std::size_t begin = 0;
    for (auto end = rest.find('\n', looked_through); end != std::string::npos; end = rest.find('\n', begin)) {
      any = true;
      if (!hear(std::string_view(rest).substr(begin, end - begin))) return;
      begin = end + 1;
    }
    rest.erase(0, begin);
  }
  if (!any) throw error("the process that was to run the program gave no answer");
}

}  // namespace harrier
