#include "local_server.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/report/json.hpp>

namespace harrier {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using request = http::request<http::string_body>;
using response = http::response<http::string_body>;

constexpr auto time_for_request = std::chrono::seconds(10);
constexpr auto time_for_response = std::chrono::seconds(60);
constexpr std::uint64_t largest_request = std::uint64_t{64} << 20;
constexpr std::size_t most_connections = 64;

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw error("the system gives no random numbers for the token of the page");
  std::string token;
  for (const auto b : bytes) token += fmt::format("{:02x}", b);
  return token;
}

/// In a time that does not depend on where they differ.
bool is_same_secret(std::string_view given, std::string_view kept) {
  unsigned different = given.size() == kept.size() ? 0 : 1;
  for (std::size_t i = 0; i < kept.size(); ++i)
    different |= static_cast<unsigned char>(kept[i] ^ (i < given.size() ? given[i] : ' '));
  return different == 0;
}

std::string_view text_of(beast::string_view text) { return {text.data(), text.size()}; }

/// The value of `token` in the query of `target`.
std::string_view token_in(std::string_view target) {
  constexpr std::string_view name = "token=";
  auto at = target.find('?');
  while (at != std::string_view::npos) {
    target.remove_prefix(at + 1);
    if (target.starts_with(name)) return target.substr(name.size(), target.find('&') - name.size());
    at = target.find('&');
  }
  return {};
}

constexpr std::string_view wrong_token =
    "The token in this address is not of the harrier that answers here: it was started anew, perhaps. Open the address "
    "that it has printed in its terminal.";

}  // namespace

class local_server::inside {
public:
  inside(std::uint16_t port, std::string page, handler answer)
      : page_(std::move(page)), answer_(std::move(answer)), token_(random_token()) {
    try {
      acceptor_.open(tcp::v4());
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind({asio::ip::address_v4::loopback(), port});
      acceptor_.listen();
      port_ = acceptor_.local_endpoint().port();
    } catch (const boost::system::system_error& e) {
      throw error(fmt::format("cannot listen on port {} of 127.0.0.1: {}", port, e.code().message()));
    }
    accepting_ = std::thread([this] { accept(); });
  }

  ~inside() {
    is_over_ = true;
    shutdown(acceptor_.native_handle(), SHUT_RDWR);  // which ends accept()
    accepting_.join();
    std::unique_lock lock(mutex_);
    for (const auto file : open_) shutdown(file, SHUT_RDWR);
    changed_.wait(lock, [this] { return threads_ == 0; });
  }

  [[nodiscard]] std::string address() const { return fmt::format("http://{}/?token={}", host(), token_); }

private:
  [[nodiscard]] std::string host() const { return fmt::format("127.0.0.1:{}", port_); }

  void accept() {
    while (!is_over_) {
      auto own = std::make_unique<asio::io_context>(1);
      tcp::socket socket(*own);
      boost::system::error_code failed;
      acceptor_.accept(socket, failed);
      if (failed) {
        if (!is_over_) std::this_thread::sleep_for(std::chrono::milliseconds(10));  // no descriptors left, say
        continue;
      }
      serve_apart(std::move(own), std::move(socket));
    }
  }

  void serve_apart(std::unique_ptr<asio::io_context> own, tcp::socket socket) {
    const std::lock_guard lock(mutex_);
    if (threads_ >= most_connections || is_over_) return;
    const auto file = socket.native_handle();
    std::thread([this, file, context = std::move(own), stream = beast::tcp_stream(std::move(socket))]() mutable {
      serve(*context, stream);
      const std::lock_guard closing(mutex_);
      open_.erase(file);
      stream.close();
      --threads_;
      changed_.notify_all();
    }).detach();
    ++threads_;
    open_.insert(file);
  }

  void serve(asio::io_context& context, beast::tcp_stream& stream) {
    beast::flat_buffer buffer;
    http::request_parser<http::string_body> parser;
    parser.body_limit(largest_request);
    beast::error_code failed;
    stream.expires_after(time_for_request);
    http::async_read(stream, buffer, parser, [&](beast::error_code e, std::size_t) { failed = e; });
    context.run();
    if (failed == http::error::body_limit)
      return send(context, stream, plain(http::status::payload_too_large, "The request is too large."));
    if (failed == http::error::end_of_stream || failed == beast::error::timeout || failed == asio::error::eof) return;
    if (failed) return send(context, stream, plain(http::status::bad_request, "That is no request of HTTP."));
    const auto& asked = parser.get();
    if (auto refused = refusal(asked)) return send(context, stream, std::move(*refused));
    if (asked.method() == http::verb::get) return send(context, stream, page());
    answer(context, stream, asked);
  }

  static void send(asio::io_context& context, beast::tcp_stream& stream, response what) {
    what.prepare_payload();
    context.restart();
    stream.expires_after(time_for_response);
    http::async_write(stream, what, [](beast::error_code, std::size_t) {});
    context.run();
    beast::error_code ignored;
    stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  template <class Response>
  static void say_who_may(Response& what) {
    what.set(http::field::cache_control, "no-store");
    what.set("Content-Security-Policy", "frame-ancestors 'none'");
    what.set("X-Content-Type-Options", "nosniff");
    what.set("Referrer-Policy", "no-referrer");
    what.set("Cross-Origin-Resource-Policy", "same-origin");
    what.set("Cross-Origin-Opener-Policy", "same-origin");
    what.keep_alive(false);
  }

  static response made(http::status status, const char* type, std::string body) {
    response what(status, 11);
    what.set(http::field::content_type, type);
    say_who_may(what);
    what.body() = std::move(body);
    return what;
  }
  static response plain(http::status status, std::string_view why) {
    return made(status, "text/plain; charset=utf-8", fmt::format("harrier: {}\n", why));
  }
  static response in_json(http::status status, std::string_view why) {
    return made(status, "application/json", to_text({{"error", why}}));
  }
  [[nodiscard]] response page() const { return made(http::status::ok, "text/html; charset=utf-8", page_); }

  [[nodiscard]] bool is_own_host(std::string_view host) const {
    return host == this->host() || host == fmt::format("localhost:{}", port_);
  }

  [[nodiscard]] std::optional<response> refusal(const request& asked) const {
    const auto host = text_of(asked[http::field::host]);
    if (!is_own_host(host)) return plain(http::status::forbidden, "This is not the host that the request names.");
    const auto origin = asked.find(http::field::origin);
    if (origin != asked.end() && text_of(origin->value()) != fmt::format("http://{}", host))
      return plain(http::status::forbidden, "Pages of another origin get no answer here.");
    const auto site = asked.find("Sec-Fetch-Site");
    if (site != asked.end() && site->value() != "same-origin" && site->value() != "none")
      return plain(http::status::forbidden, "Pages of another site get no answer here.");
    const auto target = text_of(asked.target());
    const auto path = target.substr(0, target.find('?'));
    if (path == "/") {
      if (asked.method() != http::verb::get) return plain(http::status::method_not_allowed, "The page is for GET.");
      if (!is_same_secret(token_in(target), token_)) return plain(http::status::forbidden, wrong_token);
      return std::nullopt;
    }
    if (!path.starts_with("/api/")) return plain(http::status::not_found, "There is nothing here.");
    if (asked.method() != http::verb::post) return in_json(http::status::method_not_allowed, "This is for POST.");
    if (!is_same_secret(text_of(asked["X-Harrier-Token"]), token_))
      return in_json(http::status::forbidden, wrong_token);
    if (!text_of(asked[http::field::content_type]).starts_with("application/json"))
      return in_json(http::status::unsupported_media_type, "A request is JSON, and says so.");
    return std::nullopt;
  }

  void answer(asio::io_context& context, beast::tcp_stream& stream, const request& asked) {
    page_response what;
    try {
      what = answer_({.path = std::string(text_of(asked.target())), .body = asked.body()});
    } catch (const std::exception& e) {
      return send(context, stream, in_json(http::status::internal_server_error, e.what()));
    }
    if (what.parts == nullptr)
      return send(context, stream, made(http::int_to_status(what.status), "application/json", std::move(what.body)));
    send_parts(stream, what);
  }

  static void send_parts(beast::tcp_stream& stream, const page_response& what) {
    http::response<http::empty_body> head(http::int_to_status(what.status), 11);
    head.set(http::field::content_type, "application/x-ndjson");
    say_who_may(head);
    head.chunked(true);
    http::response_serializer<http::empty_body> serializer(head);
    beast::error_code failed;
    http::write_header(stream.socket(), serializer, failed);
    what.parts([&](std::string_view part) {
      if (!failed && !part.empty()) asio::write(stream.socket(), http::make_chunk(asio::buffer(part)), failed);
      return !failed;
    });
    if (!failed) asio::write(stream.socket(), http::make_chunk_last(), failed);
  }

  const std::string page_;
  const handler answer_;
  const std::string token_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  std::uint16_t port_ = 0;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<int> open_;
  std::size_t threads_ = 0;
  std::thread accepting_;
};

local_server::local_server(std::uint16_t port, std::string page, handler answer)
    : inside_(std::make_unique<inside>(port, std::move(page), std::move(answer))) {}
local_server::~local_server() = default;

std::string local_server::address() const { return inside_->address(); }

}  // namespace harrier
