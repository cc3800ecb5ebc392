#pragma once

// A stream of bytes between two processes that outlives the TCP connections it goes by: what was written and is not
// known to have arrived is kept, and written again to the connection that replaces one that was lost.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <harrier/transport/link.hpp>
#include <harrier/transport/wire.hpp>

namespace harrier::runtime::resuming {

using tcp_socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp>;
using strand = boost::asio::strand<boost::asio::any_io_executor>;
using timer = boost::asio::steady_timer;
using identity = std::array<std::uint64_t, 2>;
inline constexpr auto quiet = boost::asio::as_tuple(boost::asio::use_awaitable);

/// Said first, by a connection that goes on where another one was lost, and by the answer to it.
inline constexpr std::string_view magic = "harrier/again/1\n";
static_assert(magic.size() == wire::magic.size(), "one read tells apart what comes");

/// Bytes of one piece: what is written at once, and after how many the other side is told that they have come.
inline constexpr std::size_t largest_piece = std::size_t{64} << 10;
/// The size that is said of what is no piece: nothing follows, and nothing is taken any more.
inline constexpr std::uint32_t no_more = 0xffffffff;
/// Size (4 bytes); how many bytes have come in all from the other side (8).
inline constexpr std::size_t piece_header = 12;

inline identity new_identity() {
  std::random_device source;  // what nobody guesses
  const auto half = [&source] { return std::uint64_t{source()} << 32 | source(); };
  return {half(), half()};
}

class conversation;

/// Those conversations that may come back through one door. From any thread.
class cloakroom {
public:
  /// @param on_empty  called once, when it was closed and nobody can come back any more
  explicit cloakroom(std::function<void()> on_empty) : on_empty_(std::move(on_empty)) {}

  /// Whoever is there already stays.
  void put(const identity& of, const std::shared_ptr<conversation>& one) {
    const guard hold(lock_);
    kept_.try_emplace(of, one);
  }
  [[nodiscard]] std::shared_ptr<conversation> find(const identity& of) {
    const guard hold(lock_);
    const auto place = kept_.find(of);
    return place == kept_.end() ? nullptr : place->second.lock();
  }
  void drop(const identity& of, const conversation* one) {
    const guard hold(lock_);
    const auto place = kept_.find(of);
    if (place == kept_.end() || place->second.lock().get() != one) return;
    kept_.erase(place);
    tell_if_empty();
  }
  /// Only those who were here may come from now on.
  void close() {
    const guard hold(lock_);
    closing_ = true;
    tell_if_empty();
  }
  [[nodiscard]] bool is_closing() {
    const guard hold(lock_);
    return closing_;
  }

  /// Somebody who is greeted, and may be one of them soon: as long as this lives the room is not empty.
  class visit {
  public:
    explicit visit(std::shared_ptr<cloakroom> to) : room_(std::move(to)) {
      const guard hold(room_->lock_);
      ++room_->visits_;
    }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() {
      const guard hold(room_->lock_);
      --room_->visits_;
      room_->tell_if_empty();
    }

  private:
    std::shared_ptr<cloakroom> room_;
  };

private:
  void tell_if_empty() {
    if (!closing_ || visits_ != 0 || !kept_.empty() || on_empty_ == nullptr) return;
    std::exchange(on_empty_, nullptr)();
  }

  mutex lock_;
  std::function<void()> on_empty_;
  std::map<identity, std::weak_ptr<conversation>> kept_;
  std::size_t visits_ = 0;
  bool closing_ = false;
};

struct terms {
  std::chrono::milliseconds longest = std::chrono::milliseconds(0);  ///< without a connection; 0: it is not resumed
  std::size_t backlog = 0;                                           ///< bytes that are kept; 0: no limit
  std::chrono::milliseconds patience = std::chrono::seconds(10);     ///< of one attempt to come back
};

/// One side of it. Until both sides have agreed to resume it, it is the TCP connection, and what is said is on the wire
/// as it is; from then on it is in pieces. All on its strand.
class conversation : public std::enable_shared_from_this<conversation> {
public:
  /// Where the other side can be reached now.
  using endpoint = boost::asio::ip::tcp::endpoint;
  using finder = std::function<boost::asio::awaitable<std::vector<endpoint>>()>;

  conversation(tcp_socket first, terms how)
      : strand_(boost::asio::make_strand(first.get_executor())),
        way_(std::make_shared<tcp_socket>(std::move(first))),
        terms_(how),
        can_read_(strand_, timer::time_point::max()),
        can_write_(strand_, timer::time_point::max()),
        can_say_(strand_, timer::time_point::max()),
        can_hear_(strand_, timer::time_point::max()),
        deadline_(strand_),
        ear_(strand_),
        attempt_(strand_) {}
  conversation(const conversation&) = delete;
  conversation& operator=(const conversation&) = delete;

  /// The side that connected: it does so again. @param name  of what connects, which nobody else knows
  void comes_back_to(finder addresses, const identity& name) {
    addresses_ = std::move(addresses);
    identity_ = name;
  }
  /// The side that accepted: it may be come back to.
  void waits_in(std::shared_ptr<cloakroom> room) { room_ = std::move(room); }
  /// These bytes have come already.
  void begins_with(std::string bytes) { heard_ = std::move(bytes); }

  [[nodiscard]] const strand& on() const { return strand_; }
  [[nodiscard]] tcp_socket& first_way() { return *way_; }
  [[nodiscard]] const terms& how() const { return terms_; }
  [[nodiscard]] const identity& id() const { return identity_; }
  [[nodiscard]] bool is_plain() const { return stage_ == stage::plain; }
  [[nodiscard]] bool is_open() const { return stage_ == stage::plain ? way_->is_open() : !is_over() && !closed_; }
  /// Why it is over, in words.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] bool has_heard() const { return heard_from_ < heard_.size(); }

  /// Both sides have said that they will: from here on it is in pieces, in both directions.
  /// @param name  that the other side gives itself
  boost::asio::awaitable<void> resume(identity name, std::chrono::milliseconds longest) {
    const auto self = shared_from_this();
    terms_.longest = std::min(terms_.longest, longest);
    if (room_ != nullptr) {
      identity_ = name;
      // The other side may never have heard that it is known here, and begins anew.
      if (const auto before = room_->find(identity_)) {
        co_await boost::asio::co_spawn(before->on(), before->make_room(), boost::asio::use_awaitable);
      }
      if (!way_->is_open()) co_return;
      room_->put(identity_, self);
    }
    stage_ = stage::talking;
    talk();
  }
  /// A connection over which nothing has come for so long is given up for a new one.
  void give_up_after(std::chrono::milliseconds silence) {
    silence_ = silence;
    listen_for_silence();
  }

  /// Nothing is read or written any more; what was written is still said, as far as there is time.
  void close() {
    if (stage_ == stage::plain) {
      boost::system::error_code ignored;
      way_->close(ignored);
      notify_all();
      return;
    }
    if (std::exchange(closed_, true)) return;
    must_tell_ = true;
    if (is_unheard_of()) end();
    if (stage_ == stage::talking) set_deadline();
    notify_all();
  }

  // What reads and writes, and waits for `can_read_` and `can_write_` where that is not possible.
  [[nodiscard]] bool can_read() const { return has_heard() || no_more_comes_ || closed_ || !is_open(); }
  std::pair<boost::system::error_code, std::size_t> read(void* to, std::size_t size) {
    if (closed_ || (is_plain() && !is_open())) return {boost::asio::error::operation_aborted, 0};
    if (!has_heard()) {
      if (no_more_comes_) return {boost::asio::error::eof, 0};
      return {boost::asio::error::connection_reset, 0};
    }
    const auto count = std::min(size, heard_.size() - heard_from_);
    heard_.copy(static_cast<char*>(to), count, heard_from_);
    heard_from_ += count;
    if (!has_heard()) {
      heard_.clear();
      heard_from_ = 0;
      can_hear_.cancel();
    }
    return {{}, count};
  }
  [[nodiscard]] bool can_write() const { return room() > 0 || no_more_comes_ || is_over() || closed_; }
  std::pair<boost::system::error_code, std::size_t> write(const void* from, std::size_t size) {
    if (closed_) return {boost::asio::error::operation_aborted, 0};
    if (is_over() || no_more_comes_) return {boost::asio::error::broken_pipe, 0};
    const auto count = std::min(size, room());
    kept_.append(static_cast<const char*>(from), count);
    can_say_.cancel();
    return {{}, count};
  }
  timer& readable() { return can_read_; }
  timer& writable() { return can_write_; }

  /// The other side has come back by `with`, and says that it has received so many bytes.
  /// @return whether it was taken; if not, `with` was told so
  boost::asio::awaitable<bool> take_back(tcp_socket with, std::uint64_t received_there) {
    const auto self = shared_from_this();
    const auto next = std::make_shared<tcp_socket>(std::move(with));
    const bool knows = knows_of(received_there);
    if (!is_over() && !knows) fail("what came back says that it has received what was not sent");
    if (is_over()) {
      co_await refuse(next);
      co_return false;
    }
    // From here on nothing is heard any more by the way that there was, which may not know yet that it is lost.
    const auto turn = leave_way();
    way_ = next;
    if (!deadline_is_set_) set_deadline();
    const auto text = answer(true, received_);
    const auto [error, size] = co_await boost::asio::async_write(*next, boost::asio::buffer(text), quiet);
    if (turn != turn_) co_return true;  // it has come back once more, or is over
    if (error)
      lose_way(in_words(error));
    else
      go_on(received_there);
    co_return true;
  }
  static boost::asio::awaitable<void> refuse(std::shared_ptr<tcp_socket> way) {
    const auto text = answer(false, 0);
    static_cast<void>(co_await boost::asio::async_write(*way, boost::asio::buffer(text), quiet));
    boost::system::error_code ignored;
    way->shutdown(tcp_socket::shutdown_send, ignored);
    way->close(ignored);
  }

private:
  // Nobody knows whether the other side knows that this is here.
  [[nodiscard]] bool is_unheard_of() const { return room_ != nullptr && !was_spoken_to_; }
  // Ends if it is unheard of, and completes when whoever reads and writes has seen that.
  boost::asio::awaitable<void> make_room() {
    const auto self = shared_from_this();
    if (!is_unheard_of() || is_over()) co_return;
    fail("the other side has begun anew");
    while (!closed_) static_cast<void>(co_await can_say_.async_wait(quiet));
  }

  enum class stage : std::uint8_t { plain, talking, apart, over };

  [[nodiscard]] bool is_over() const { return stage_ == stage::over; }
  [[nodiscard]] std::size_t unconfirmed() const { return kept_.size() - kept_from_; }
  [[nodiscard]] std::uint64_t written() const { return confirmed_ + unconfirmed(); }
  [[nodiscard]] std::size_t room() const {
    if (terms_.backlog == 0) return largest_piece;
    // Of less than a piece the other side does not say that it has come.
    const auto most = std::max(terms_.backlog, 2 * largest_piece);
    return most - std::min(most, unconfirmed());
  }
  [[nodiscard]] bool knows_of(std::uint64_t received_there) const {
    return received_there >= confirmed_ && received_there <= most_said_;
  }
  void confirm(std::uint64_t received_there) {
    kept_from_ += static_cast<std::size_t>(received_there - confirmed_);
    confirmed_ = received_there;
    if (kept_from_ == kept_.size() || kept_from_ > kept_.size() / 2) {
      kept_.erase(0, kept_from_);
      kept_from_ = 0;
    }
    can_write_.cancel();
    if (closed_) can_say_.cancel();
  }
  void notify_all() {
    for (auto* bell : {&can_read_, &can_write_, &can_say_, &can_hear_}) bell->cancel();
  }

  // --- the way there is

  void talk() {
    boost::asio::co_spawn(strand_, hear_all(shared_from_this(), way_, turn_), boost::asio::detached);
    boost::asio::co_spawn(strand_, say_all(shared_from_this(), way_, turn_), boost::asio::detached);
  }
  void go_on(std::uint64_t received_there) {
    boost::system::error_code ignored;
    way_->set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    stage_ = stage::talking;
    confirm(received_there);
    said_ = received_there;
    told_ = received_;
    head_.clear();
    left_ = 0;
    has_said_no_more_ = false;
    if (closed_) {
      must_tell_ = true;  // and the deadline stays
    } else {
      deadline_.cancel();
      deadline_is_set_ = false;
    }
    talk();
    listen_for_silence();
  }
  /// @return the number of the next one
  unsigned leave_way() {
    boost::system::error_code ignored;
    way_->close(ignored);
    ear_.cancel();
    attempt_.cancel();
    notify_all();
    return ++turn_;
  }
  void lose_way(const std::string& why) {
    if (is_over()) return;
    if (no_more_comes_) return end();
    const auto turn = leave_way();
    reason_ = why;
    stage_ = stage::apart;
    set_deadline();
    if (addresses_) boost::asio::co_spawn(strand_, come_back(shared_from_this(), turn), boost::asio::detached);
  }
  void set_deadline() {
    deadline_is_set_ = true;
    // Who has said all, and knows that it has arrived, only wants the other side to know that, too.
    const bool has_done = closed_ && unconfirmed() == 0;
    const auto most = has_done ? std::min(terms_.longest, terms_.patience) : terms_.longest;
    deadline_.expires_after(most);
    deadline_.async_wait([self = shared_from_this(), most](const boost::system::error_code& error) {
      if (error || !self->deadline_is_set_) return;
      self->fail(self->reason_ + ", and it has not come back in " + std::to_string(most.count()) + " ms");
    });
  }
  void fail(const std::string& why) {
    if (is_over()) return;
    reason_ = why;
    end();
  }
  void end() {
    stage_ = stage::over;
    deadline_is_set_ = false;
    deadline_.cancel();
    leave_way();
    if (const auto room = std::exchange(room_, nullptr)) room->drop(identity_, this);
  }
  void listen_for_silence() {
    if (silence_.count() == 0 || stage_ != stage::talking) return;
    ear_.expires_after(silence_);
    ear_.async_wait([self = shared_from_this(), turn = turn_](const boost::system::error_code& error) {
      if (error || turn != self->turn_) return;
      self->lose_way("nothing has come from there for " + std::to_string(self->silence_.count()) + " ms");
    });
  }

  // --- what comes

  static boost::asio::awaitable<void> hear_all(std::shared_ptr<conversation> self, std::shared_ptr<tcp_socket> way,
                                               unsigned turn) {
    std::vector<char> bytes(largest_piece);
    for (;;) {
      while (turn == self->turn_ && !self->closed_ && self->heard_.size() - self->heard_from_ > 4 * largest_piece) {
        static_cast<void>(co_await self->can_hear_.async_wait(quiet));
      }
      if (turn != self->turn_) co_return;
      const auto [error, size] = co_await way->async_read_some(boost::asio::buffer(bytes), quiet);
      if (turn != self->turn_) co_return;
      if (error) co_return self->lose_way(in_words(error));
      self->listen_for_silence();
      self->hear(std::string_view(bytes.data(), size));
    }
  }
  void hear(std::string_view bytes) {
    while (!bytes.empty() && !is_over()) {
      if (left_ == 0) {
        const auto count = std::min(bytes.size(), piece_header - head_.size());
        head_.append(bytes.substr(0, count));
        bytes.remove_prefix(count);
        if (head_.size() == piece_header) begin_piece();
        continue;
      }
      const auto count = std::min(bytes.size(), left_);
      if (!closed_) heard_.append(bytes.substr(0, count));
      left_ -= count;
      received_ += count;
      bytes.remove_prefix(count);
    }
    can_read_.cancel();
    if (received_ - told_ >= largest_piece || closed_) can_say_.cancel();
  }
  void begin_piece() {
    wire::reader in(head_);
    const auto size = in.number_of<std::uint32_t>();
    const auto received_there = in.number_of<std::uint64_t>();
    head_.clear();
    was_spoken_to_ = true;
    if (!knows_of(received_there)) return fail("it says that it has received what was not sent");
    if (size != no_more && size > largest_piece) return fail("a piece is longer than one may be");
    confirm(received_there);
    if (size != no_more) {
      left_ = size;
      return;
    }
    no_more_comes_ = true;
    reason_ = "the other side closed it";
    if (has_said_no_more_) return end();
    notify_all();  // and it is told the same, so that it need not wait for who is not there any more
  }

  // --- what is said

  [[nodiscard]] bool says_no_more() const {
    return !has_said_no_more_ && (no_more_comes_ || (closed_ && unconfirmed() == 0));
  }
  [[nodiscard]] bool has_something_to_say() const {
    if (has_said_no_more_) return false;
    return said_ < written() || received_ - told_ >= largest_piece || (closed_ && received_ != told_) || must_tell_ ||
           says_no_more();
  }
  static boost::asio::awaitable<void> say_all(std::shared_ptr<conversation> self, std::shared_ptr<tcp_socket> way,
                                              unsigned turn) {
    std::string text;
    for (;;) {
      while (turn == self->turn_ && !self->has_something_to_say()) {
        static_cast<void>(co_await self->can_say_.async_wait(quiet));
      }
      if (turn != self->turn_) co_return;
      const bool is_last = self->says_no_more();
      self->next_piece(text, is_last);
      const auto [error, size] = co_await boost::asio::async_write(*way, boost::asio::buffer(text), quiet);
      if (turn != self->turn_) co_return;
      if (error) co_return self->lose_way(in_words(error));
      if (!is_last) continue;
      self->has_said_no_more_ = true;
      if (self->no_more_comes_) co_return self->end();
    }
  }
  void next_piece(std::string& text, bool is_last) {
    const auto from = kept_from_ + static_cast<std::size_t>(said_ - confirmed_);
    const auto size = is_last ? 0 : std::min(largest_piece, kept_.size() - from);
    text.clear();
    wire::writer out(text);
    out.put(is_last ? no_more : static_cast<std::uint32_t>(size));
    out.put(received_);
    text.append(kept_, from, size);
    said_ += size;
    most_said_ = std::max(most_said_, said_);
    told_ = received_;
    must_tell_ = false;
  }

  // --- coming back

  static std::string answer(bool is_known, std::uint64_t received_here) {
    std::string text(magic);
    wire::writer out(text);
    out.put(is_known);
    out.put(received_here);
    return text;
  }
  static boost::asio::awaitable<void> come_back(std::shared_ptr<conversation> self, unsigned turn) {
    auto pause = std::chrono::milliseconds(10);
    constexpr auto longest_pause = std::chrono::milliseconds(1000);
    const auto addresses = self->addresses_;
    for (;;) {
      const auto found = co_await addresses();
      for (const auto& where : found) {
        if (turn != self->turn_) co_return;
        if (co_await self->try_again(where, turn)) co_return;
      }
      if (turn != self->turn_) co_return;
      self->attempt_.expires_after(pause);
      static_cast<void>(co_await self->attempt_.async_wait(quiet));
      if (turn != self->turn_) co_return;
      pause = std::min(2 * pause, longest_pause);
    }
  }
  // @return whether there is nothing more to be tried
  boost::asio::awaitable<bool> try_again(endpoint where, unsigned turn) {
    const auto way = std::make_shared<tcp_socket>(strand_.get_inner_executor());
    way_ = way;
    attempt_.expires_after(terms_.patience);
    attempt_.async_wait([way](const boost::system::error_code& error) {
      boost::system::error_code ignored;
      if (!error) way->close(ignored);
    });
    const auto [error] = co_await way->async_connect(where, quiet);
    if (turn != turn_) co_return true;
    std::uint64_t received_there = 0;
    const auto said = error ? reply::none : co_await ask_to_go_on(way, received_there);
    if (turn != turn_) co_return true;
    attempt_.cancel();
    if (said == reply::none) {
      boost::system::error_code ignored;
      way->close(ignored);
      co_return false;
    }
    if (said == reply::yes) {
      ++turn_;
      go_on(received_there);
    } else {
      fail(reason_ + (said == reply::no ? ", and the other side does not know of it any more"
                                        : ", and what is there now is not what was there"));
    }
    co_return true;
  }
  enum class reply : std::uint8_t { none, yes, no, nonsense };
  boost::asio::awaitable<reply> ask_to_go_on(std::shared_ptr<tcp_socket> way, std::uint64_t& received_there) {
    std::string text(magic);
    wire::writer out(text);
    for (const auto half : identity_) out.put(half);
    out.put(received_);
    const auto [error, size] = co_await boost::asio::async_write(*way, boost::asio::buffer(text), quiet);
    if (error) co_return reply::none;
    std::array<char, magic.size() + 9> said{};
    const auto [why_not, read] = co_await boost::asio::async_read(*way, boost::asio::buffer(said), quiet);
    const std::string_view all(said.data(), read);
    if (all.substr(0, magic.size()) != magic.substr(0, read)) co_return reply::nonsense;
    if (why_not) co_return reply::none;
    wire::reader in(all.substr(magic.size()));
    const auto is_known = in.number_of<unsigned char>();
    received_there = in.number_of<std::uint64_t>();
    if (is_known > 1 || (is_known == 1 && !knows_of(received_there))) co_return reply::nonsense;
    co_return is_known == 1 ? reply::yes : reply::no;
  }

  strand strand_;
  std::shared_ptr<tcp_socket> way_;
  unsigned turn_ = 0;  // whoever waits for a way that there was before finds that it is another one now
  terms terms_;
  finder addresses_;
  std::shared_ptr<cloakroom> room_;
  identity identity_{};
  stage stage_ = stage::plain;
  bool closed_ = false;
  bool no_more_comes_ = false;
  bool was_spoken_to_ = false;
  bool has_said_no_more_ = false;
  std::string reason_;

  std::string kept_;             // what was written, from what is not known to have arrived,
  std::size_t kept_from_ = 0;    // which begins here;
  std::uint64_t confirmed_ = 0;  // so many bytes have
  std::uint64_t said_ = 0;       // by the way there is, and those that had arrived before
  std::uint64_t most_said_ = 0;  // by any
  std::string heard_;            // what has come and was not read: from
  std::size_t heard_from_ = 0;   // here
  std::uint64_t received_ = 0;   // in all
  std::uint64_t told_ = 0;       // of these the other side was told
  bool must_tell_ = false;       // at once
  std::string head_;             // the part of a piece's header that has come
  std::size_t left_ = 0;         // of a piece

  // Bells, which ring by being cancelled.
  timer can_read_, can_write_, can_say_, can_hear_;
  timer deadline_;  // of the time without a connection, and after the end
  bool deadline_is_set_ = false;
  timer ear_;
  timer attempt_;
  std::chrono::milliseconds silence_{0};
};

/// What a `link` reads from and writes to.
class stream {
public:
  using executor_type = boost::asio::any_io_executor;
  using lowest_layer_type = stream;

  explicit stream(std::shared_ptr<conversation> one) : one_(std::move(one)) {}

  [[nodiscard]] executor_type get_executor() const { return one_->on(); }
  [[nodiscard]] stream& lowest_layer() { return *this; }
  [[nodiscard]] bool is_open() const { return one_->is_open(); }
  void close(boost::system::error_code&) { one_->close(); }

  [[nodiscard]] const strand& own_strand() const { return one_->on(); }
  /// For how long, in ms, this side would do without a connection.
  [[nodiscard]] std::uint64_t bears() const { return static_cast<std::uint64_t>(one_->how().longest.count()); }
  [[nodiscard]] const identity& id() const { return one_->id(); }
  [[nodiscard]] const std::string& reason() const { return one_->reason(); }
  [[nodiscard]] bool is_resumed() const { return !one_->is_plain(); }
  [[nodiscard]] boost::asio::awaitable<void> resume(const identity& name, std::uint64_t longest) {
    return one_->resume(name, std::chrono::milliseconds(std::min(longest, bears())));
  }
  void give_up_after(std::chrono::milliseconds silence) { one_->give_up_after(silence); }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& to, Token&& token) {
    const bool is_direct = one_->is_plain() && !one_->has_heard();
    return is_direct ? one_->first_way().async_read_some(to, std::forward<Token>(token))
                     : boost::asio::async_compose<Token, void(boost::system::error_code, std::size_t)>(
                           transfer<true, Buffers>{one_, to}, token, one_->on());
  }
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& from, Token&& token) {
    return one_->is_plain() ? one_->first_way().async_write_some(from, std::forward<Token>(token))
                            : boost::asio::async_compose<Token, void(boost::system::error_code, std::size_t)>(
                                  transfer<false, Buffers>{one_, from}, token, one_->on());
  }

private:
  // Waits for a bell of the conversation, as often as it takes: so what waits belongs to the executor's context, and
  // is destroyed with it.
  template <bool Reads, class Buffers>
  struct transfer {
    std::shared_ptr<conversation> one;
    Buffers where;
    bool has_begun = false;

    template <class Self>
    void operator()(Self& self, const boost::system::error_code& = {}) {
      // What completes at once must not do so in the call that begins it.
      if (!std::exchange(has_begun, true)) return boost::asio::post(one->on(), std::move(self));
      // As of a socket, nothing is read or written at once.
      if (boost::asio::buffer_size(where) == 0) return self.complete({}, 0);
      if constexpr (Reads) {
        if (!one->can_read()) return one->readable().async_wait(std::move(self));
        const boost::asio::mutable_buffer first = *boost::asio::buffer_sequence_begin(where);
        const auto [error, size] = one->read(first.data(), first.size());
        self.complete(error, size);
      } else {
        if (!one->can_write()) return one->writable().async_wait(std::move(self));
        const boost::asio::const_buffer first = *boost::asio::buffer_sequence_begin(where);
        const auto [error, size] = one->write(first.data(), first.size());
        self.complete(error, size);
      }
    }
  };

  std::shared_ptr<conversation> one_;
};

}  // namespace harrier::runtime::resuming
