#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace harrier {

/// What a page asks of the process that serves it.
struct page_request {
  std::string path;  ///< `/api/visit`
  std::string body;  ///< JSON, or what says that it is
};

/// What it is answered: a body, or parts of one that are written as they come.
struct page_response {
  unsigned status = 200;
  std::string body = {};
  /// If set, called instead: writes parts until it returns. `write` says whether somebody still reads.
  std::function<void(const std::function<bool(std::string_view)>& write)> parts = nullptr;
};

/// Serves one page, and what that asks for, to browsers on this machine: on 127.0.0.1 alone, to who knows a token that
/// is drawn anew for each server.
///
/// Refused (403, with a sentence that says why) are a Host that is not this address, so that no name of another site
/// can be made to lead here, an Origin that is another, and a token that is missing, wrong, or of an earlier server.
/// `GET /` has the token in its query; everything else is a POST below `/api/` that has it in the header
/// X-Harrier-Token.
class local_server {
public:
  using handler = std::function<page_response(const page_request&)>;

  /// Serves from now on, in threads of its own, in which `answer` is called, several at the same time. What that throws
  /// is answered as error 500.
  /// @param port  0: any that is free.
  /// @throws error  the port cannot be had.
  local_server(std::uint16_t port, std::string page, handler answer);
  local_server(const local_server&) = delete;
  local_server& operator=(const local_server&) = delete;
  /// Cuts all connections, and waits for the calls of `answer` under way.
  ~local_server();

  /// `http://127.0.0.1:PORT/?token=...`
  [[nodiscard]] std::string address() const;

private:
  class inside;
  std::unique_ptr<inside> inside_;
};

}  // namespace harrier
