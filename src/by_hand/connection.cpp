#include "connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace harrier {

bool write_all(int to, std::string_view what) {
  while (!what.empty()) {
    const auto written = send(to, what.data(), what.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    what.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool is_listened_to(int over) {
  pollfd look{over, 0, 0};
  return poll(&look, 1, 0) == 0 || (look.revents & (POLLHUP | POLLERR)) == 0;
}

}  // namespace harrier
