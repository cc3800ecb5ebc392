#pragma once

// A connection between two parts of a session, over any stream of Boost.Asio.

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <harrier/transport/part.hpp>

namespace harrier::runtime {

/// Of an error of Asio's. "the other side closed it", say
inline std::string in_words(const boost::system::error_code& error) {
  return error == boost::asio::error::eof ? "the other side closed it" : error.message();
}

/// Of who has connected, and no more than that.
inline constexpr const char* not_in_time = "it has not said who it is in time";

/// A stream that outlives the connections it goes by, if both sides agree to that: see resumption.hpp.
template <class Stream>
concept resumable = requires(Stream& one, const std::array<std::uint64_t, 2>& name, std::chrono::milliseconds silence) {
  one.own_strand();
  { one.bears() } -> std::same_as<std::uint64_t>;
  one.id();
  one.reason();
  one.is_resumed();
  one.resume(name, std::uint64_t{});
  one.give_up_after(silence);
};

/// First each side says what it is and looks at what the other is; then a coroutine reads, and what is appended is
/// written, on a strand.
///
/// It ends when both sides have said `bye` and all is written; a side says so when all its roles have left. What ends
/// otherwise was lost: the roles on the other side are out of reach.
template <class Stream>
class link final : public connection, public std::enable_shared_from_this<link<Stream>> {
public:
  link(std::shared_ptr<part> owner, Stream stream, std::chrono::milliseconds patience)
      : part_(std::move(owner)),
        strand_(strand_of(stream)),
        stream_(std::move(stream)),
        watchdog_(strand_),
        heart_(strand_),
        ear_(strand_),
        patience_(patience) {}

  /// Of a session that is known only when the other side has said what it is. `find`: null if there is none.
  using finder = std::function<std::shared_ptr<part>(const greeting& there)>;
  link(finder find, Stream stream, std::chrono::milliseconds patience)
      : link(std::shared_ptr<part>(), std::move(stream), patience) {
    find_ = std::move(find);
  }

  link(const link&) = delete;
  link& operator=(const link&) = delete;
  ~link() override {
    if (part_ != nullptr) part_->lost(*this, "its executor has ended");
  }

  [[nodiscard]] const auto& strand() const { return strand_; }

  /// On the strand, once. @throws connection_refused  and is closed
  boost::asio::awaitable<void> greet() {
    namespace asio = boost::asio;
    const auto self = this->shared_from_this();
    watch(not_in_time);
    std::string why;
    bool said_there = false;
    greeting there;
    if (find_) {
      std::tie(why, said_there) = co_await read_greeting(there);
      if (why.empty()) part_ = find_(there);
      if (why.empty() && part_ == nullptr) {
        why = "there is no session here that is called \"" + there.name + "\" and follows " + there.title;
      }
    }
    const auto here = part_ != nullptr ? part_->says() : greeting();
    const auto first = said_first(here);
    const auto not_written = co_await write(first);
    if (why.empty()) why = not_written;
    if (why.empty()) {
      if (!find_) std::tie(why, said_there) = co_await read_greeting(there);
      if (why.empty()) co_await resume_if_both_do(there);
      if (why.empty() && there.title == here.title && there.tables != here.tables) {
        std::tie(why, said_there) = co_await tell_machines(there);
      }
      if (why.empty()) {
        why = part_->welcome(*this, here, there);
        if (why.empty()) {
          why = co_await write_alone(wire::frame::accepted, {});
          if (why.empty()) std::tie(why, said_there) = co_await read_answer();
          if (!why.empty()) part_->turn_away(*this, there);
        }
      }
    }
    if (why.empty()) {
      watchdog_.cancel();
      silence_ = std::chrono::milliseconds(std::min(here.silence, longest_silence));
      if constexpr (resumable<Stream>) {
        // Then it is not this that is lost, but the connection that it goes by.
        if (stream_.is_resumed()) stream_.give_up_after(std::exchange(silence_, std::chrono::milliseconds(0)));
      }
      part_->join(*self, here, there);
      if (there.silence != 0) {
        constexpr std::uint64_t least = 10;
        const auto often = std::max(least, std::min(there.silence, longest_silence) / 3);
        asio::co_spawn(strand_, beat(self, std::chrono::milliseconds(often)), asio::detached);
      }
      co_return;
    }
    if (!said_there && expired_.empty()) {
      static_cast<void>(co_await write_alone(wire::frame::refused, why));
      co_await read_until_refused();
    }
    watchdog_.cancel();
    close();
    words said;
    throw connection_refused(said << "the connection to " << peer.c_str() << " was refused"
                                  << (said_there ? " there: " : ": ") << why.c_str());
  }

  /// Reads until it ends. @pre it was greeted
  void run() { boost::asio::co_spawn(strand_, read_all(this->shared_from_this()), boost::asio::detached); }

  void ring() noexcept override {
    if (std::exchange(writes_, true)) return;
    if (auto self = this->weak_from_this().lock()) {  // else it is being destroyed
      boost::asio::post(strand_, [self] { self->write_what_is_there(); });
    }
  }

private:
  static constexpr auto quiet = boost::asio::as_tuple(boost::asio::use_awaitable);
  static constexpr std::size_t largest_greeting = std::size_t{1} << 20;
  static constexpr std::uint64_t longest_silence = 24 * 3600 * std::uint64_t{1000};  // ms

  static boost::asio::strand<boost::asio::any_io_executor> strand_of(Stream& stream) {
    if constexpr (resumable<Stream>)
      return stream.own_strand();
    else
      return boost::asio::make_strand(stream.get_executor());
  }
  // Why the stream does nothing more.
  std::string why_not(const boost::system::error_code& error) {
    if (!expired_.empty()) return expired_;
    if constexpr (resumable<Stream>) {
      if (!stream_.reason().empty()) return stream_.reason();
    }
    return in_words(error);
  }

  std::string said_first(const greeting& here) {
    std::string text(wire::magic);
    if (part_ == nullptr) return text;  // and then why
    wire::append(text, wire::frame::hello, [&](wire::writer& out) {
      out(here.title, here.tables, here.layouts, here.name, here.capacity, here.silence, here.taken);
      if constexpr (resumable<Stream>) {
        if (stream_.bears() != 0) out(stream_.bears(), stream_.id());
      }
    });
    return text;
  }

  // Both sides have read what the other says first, and what follows is written accordingly on both.
  boost::asio::awaitable<void> resume_if_both_do(const greeting& there) {
    if constexpr (resumable<Stream>) {
      if (stream_.bears() != 0 && there.bears != 0) co_await stream_.resume(there.id, there.bears);
    }
    co_return;
  }

  // @return why it cannot be written
  boost::asio::awaitable<std::string> write(const std::string& text) {
    const auto [error, size] = co_await boost::asio::async_write(stream_, boost::asio::buffer(text), quiet);
    co_return error ? why_not(error) : std::string();
  }
  boost::asio::awaitable<std::string> write_alone(wire::frame what, std::string_view text) {
    std::string bytes;
    wire::append(bytes, what, [&](wire::writer& out) {
      if (what == wire::frame::refused) out.put(text);
      if (what == wire::frame::machines) out.bytes(text.data(), text.size(), 1);
    });
    co_return co_await write(bytes);
  }
  // Of a read that failed, after which there must be no other: Asio waits for ever for what comes after an end.
  std::string end_of_reading(const boost::system::error_code& error) {
    has_read_ = true;
    return why_not(error);
  }

  // Why it is refused, and whether the other side has said so.
  using verdict = std::pair<std::string, bool>;

  boost::asio::awaitable<verdict> read_greeting(greeting& there) {
    std::array<char, wire::magic.size()> first{};
    const auto [error, size] = co_await boost::asio::async_read(stream_, boost::asio::buffer(first), quiet);
    const auto why_not_more = error ? end_of_reading(error) : std::string();
    if (std::string_view(first.data(), size) != wire::magic.substr(0, size)) {
      co_return verdict(wire::another_protocol, false);
    }
    if (error) co_return verdict(why_not_more, false);
    wire::frame what{};
    std::string body;
    if (auto why = co_await read_frame(what, body); !why.empty()) co_return verdict(std::move(why), false);
    try {
      wire::reader from(body);
      if (what == wire::frame::refused) co_return verdict(from.text(), true);
      if (what != wire::frame::hello) co_return verdict("it does not begin with a greeting", false);
      from(there.title, there.tables, there.layouts, there.name, there.capacity, there.silence, there.taken);
      if (!from.rest().empty()) from(there.bears, there.id);
    } catch (const std::exception& e) {
      co_return verdict(std::string("its greeting cannot be read: ") + e.what(), false);
    }
    co_return verdict();
  }
  // Both sides know that their modules differ, and both do this.
  boost::asio::awaitable<verdict> tell_machines(greeting& there) {
    auto own = part_->machines();
    if (own.size() >= largest_greeting) own.clear();  // the digests must do
    auto why = co_await write_alone(wire::frame::machines, own);
    wire::frame what{};
    if (why.empty()) why = co_await read_frame(what, there.machines);
    if (!why.empty()) co_return verdict(std::move(why), false);
    if (what == wire::frame::machines) co_return verdict();
    co_return refusal(what, there.machines, "it does not say what its machines are");
  }
  boost::asio::awaitable<verdict> read_answer() {
    wire::frame what{};
    std::string body;
    if (auto why = co_await read_frame(what, body); !why.empty()) co_return verdict(std::move(why), false);
    if (what == wire::frame::accepted) co_return verdict();
    co_return refusal(what, body, "it does not answer the greeting");
  }
  // What it has refused for; or, if it is no refusal, `otherwise`.
  static verdict refusal(wire::frame what, std::string_view body, const char* otherwise) {
    try {
      if (what == wire::frame::refused) return verdict(wire::reader(body).text(), true);
    } catch (const wire::malformed&) {  // said below
    }
    return verdict(otherwise, false);
  }
  // @return why not
  boost::asio::awaitable<std::string> read_frame(wire::frame& what, std::string& body) {
    std::array<char, wire::header> head{};
    const auto [error, size] = co_await boost::asio::async_read(stream_, boost::asio::buffer(head), quiet);
    if (error) co_return end_of_reading(error);
    wire::reader in(std::string_view(head.data(), head.size()));
    const auto length = in.number_of<std::uint32_t>();
    what = static_cast<wire::frame>(in.number_of<unsigned char>());
    if (length == 0) co_return "its greeting has length zero";
    if (length > largest_greeting) co_return "its greeting is too long";
    body.resize(length - 1);
    const auto [body_error, read] = co_await boost::asio::async_read(stream_, boost::asio::buffer(body), quiet);
    co_return body_error ? end_of_reading(body_error) : std::string();
  }

  // Until nothing is left. @pre `writes_`
  void write_what_is_there() {
    bool last = false;
    {
      const guard hold(part_->lock());
      sending_.clear();
      sending_.swap(outgoing);
      last = sending_.empty() && ending;
      writes_ = !sending_.empty() || last;
    }
    if (!sending_.empty()) part_->drained(*this);
    if (last) return end_writing();
    if (sending_.empty()) return;
    const auto self = this->shared_from_this();
    boost::asio::async_write(
        stream_, boost::asio::buffer(sending_),
        boost::asio::bind_executor(strand_, [self](const boost::system::error_code& error, std::size_t) {
          if (!error) return self->write_what_is_there();
          self->give_up(self->why_not(error));
          self->end_writing();
        }));
  }
  void end_writing() {
    has_written_ = true;
    end_if_done();
  }

  static boost::asio::awaitable<void> read_all(std::shared_ptr<link> self) {
    std::string why = "the connection was closed";
    std::string bytes;
    std::size_t used = 0;
    std::size_t filled = 0;
    bool ended = false;
    bool goes_on = true;
    while (goes_on) {
      const std::string_view rest(bytes.data() + used, filled - used);
      std::uint32_t length = 0;
      if (rest.size() >= sizeof length) wire::reader(rest).take(length);
      if (rest.size() >= sizeof length && (length == 0 || length - 1 > self->part_->largest())) {
        self->part_->refuse_frame(
            *self, length == 0 ? "a frame has length zero, and not even a kind" : "it is longer than a message may be");
        break;
      }
      if (rest.size() >= wire::header && rest.size() - sizeof length >= length) {
        const auto what = static_cast<wire::frame>(rest[sizeof length]);
        if (what == wire::frame::alive && length == 1) {
          used += sizeof length + length;
          continue;
        }
        goes_on = self->part_->receive(*self, what, rest.substr(wire::header, length - 1));
        ended = what == wire::frame::bye;
        used += sizeof length + length;
        continue;
      }
      std::copy(rest.begin(), rest.end(), bytes.begin());
      filled = rest.size();
      used = 0;
      constexpr std::size_t least = 16384;
      // No more than has come: who says that much follows must send it.
      if (bytes.size() < filled + least) bytes.resize(filled + std::max(least, filled));
      self->listen_for_silence();
      const auto [error, size] = co_await self->stream_.async_read_some(
          boost::asio::buffer(bytes.data() + filled, bytes.size() - filled), quiet);
      if (error) {
        why = self->why_not(error);
        ended = true;
        break;
      }
      filled += size;
    }
    self->ear_.cancel();
    self->give_up(why);
    if (!ended) co_await self->read_until_closed();
    self->has_read_ = true;
    self->end_if_done();
  }

  // What was appended is still written.
  void give_up(const std::string& why) { part_->lost(*this, why.c_str()); }

  void end_if_done() {
    if (has_written_ && has_read_) {
      watchdog_.cancel();
      close();
    } else {
      watch("");  // the other half must not wait for ever
    }
  }

  void watch(const char* why) {
    watchdog_.expires_after(patience_);
    watchdog_.async_wait([self = this->shared_from_this(), why](const boost::system::error_code& error) {
      if (error) return;
      self->expired_ = why;
      self->close();
    });
  }
  // Says that it is there, where nothing else was to be said, until nothing more is to be said.
  static boost::asio::awaitable<void> beat(std::shared_ptr<link> self, std::chrono::milliseconds often) {
    for (;;) {
      self->heart_.expires_after(often);
      const auto [error] = co_await self->heart_.async_wait(quiet);
      if (error || !self->stream_.lowest_layer().is_open()) co_return;
      const guard hold(self->part_->lock());
      if (self->ending) co_return;
      if (!self->outgoing.empty()) continue;
      wire::append(self->outgoing, wire::frame::alive, [](wire::writer&) {});
      self->ring();
    }
  }
  void listen_for_silence() {
    if (silence_.count() == 0) return;
    ear_.expires_after(silence_);
    ear_.async_wait([self = this->shared_from_this()](const boost::system::error_code& error) {
      if (error) return;
      self->expired_ = "nothing has come from there for " + std::to_string(self->silence_.count()) + " ms";
      self->close();
    });
  }
  // So that what was written last is not thrown away there: until the other side has closed it, or has refused, too.
  boost::asio::awaitable<void> read_until_refused() {
    wire::frame what{};
    std::string body;
    std::string why;
    while (!has_read_ && why.empty() && what != wire::frame::refused) why = co_await read_frame(what, body);
  }
  boost::asio::awaitable<void> read_until_closed() {
    watch("");
    std::array<char, 1024> nothing{};
    for (;;) {
      const auto [error, size] = co_await stream_.async_read_some(boost::asio::buffer(nothing), quiet);
      if (error) break;
    }
  }
  void close() {
    boost::system::error_code ignored;
    stream_.lowest_layer().close(ignored);
    heart_.cancel();
    ear_.cancel();
  }

  std::shared_ptr<part> part_;
  finder find_;
  boost::asio::strand<boost::asio::any_io_executor> strand_;
  Stream stream_;
  boost::asio::steady_timer watchdog_;  // closes the stream
  boost::asio::steady_timer heart_;     // says something now and then
  boost::asio::steady_timer ear_;       // closes the stream if nothing is heard
  std::chrono::milliseconds patience_;
  std::chrono::milliseconds silence_{0};
  std::string expired_;
  std::string sending_;
  bool writes_ = false;  // under the part's lock: it does, or has done so for the last time
  bool has_written_ = false;
  bool has_read_ = false;
};

}  // namespace harrier::runtime
