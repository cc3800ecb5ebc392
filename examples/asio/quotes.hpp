#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

/// Knows what shares cost, and takes a while to say it.
template <class Clock>
class market {
public:
  using timer = boost::asio::basic_waitable_timer<Clock>;
  using duration = typename Clock::duration;

  market(boost::asio::any_io_executor strand, duration takes) : strand_(std::move(strand)), takes_(takes) {}

  /// @param reply  is called on the market's strand
  void ask(int share, std::function<void(int price)> reply) {
    boost::asio::post(strand_, [this, share, reply = std::move(reply)] {
      const auto looks_up = std::make_shared<timer>(strand_, takes_);
      looks_up->async_wait([looks_up, share, reply](boost::system::error_code) { reply(100 + share); });
    });
  }

private:
  boost::asio::any_io_executor strand_;
  duration takes_;
};

/// How a broker knows that a reply came in time.
enum class trusts { cancel, expiry };

/// Asks for the prices of some shares, one after the other, and waits for each so long and no longer.
template <class Clock>
class broker : public std::enable_shared_from_this<broker<Clock>> {
public:
  using timer = boost::asio::basic_waitable_timer<Clock>;
  using time_point = typename Clock::time_point;
  using duration = typename Clock::duration;
  /// A price, or none in time; and when it was asked for.
  using tell = std::function<void(int share, std::optional<int> price, time_point asked_at)>;

  broker(boost::asio::any_io_executor strand, market<Clock>& asks, duration patience, trusts what, tell told)
      : strand_(std::move(strand)),
        deadline_(strand_),
        market_(asks),
        patience_(patience),
        trusts_(what),
        tell_(std::move(told)) {}

  /// To be called on its strand.
  void ask_for(int shares) {
    shares_ = shares;
    ask_next();
  }

private:
  void ask_next() {
    if (++share_ > shares_) return;
    is_waiting_ = true;
    asked_at_ = Clock::now();
    deadline_.expires_after(patience_);
    deadline_.async_wait([self = this->shared_from_this()](boost::system::error_code cancelled) {
      if (!cancelled) self->give_up();
    });
    market_.ask(share_, [self = this->shared_from_this(), share = share_](int price) {
      boost::asio::post(self->strand_, [self, share, price] { self->answered(share, price); });
    });
  }
  void answered(int share, int price) {
    if (!is_waiting_ || share != share_) return;  // it was given up
    deadline_.cancel();
    done(price);
  }
  void give_up() {
    if (!is_waiting_) return;
    if (trusts_ == trusts::expiry && Clock::now() < deadline_.expiry()) return;  // that was for the share before
    done({});
  }
  void done(std::optional<int> price) {
    is_waiting_ = false;
    tell_(share_, price, asked_at_);
    ask_next();
  }

  boost::asio::any_io_executor strand_;
  timer deadline_;
  market<Clock>& market_;
  duration patience_;
  trusts trusts_;
  tell tell_;
  int shares_ = 0;
  int share_ = 0;
  bool is_waiting_ = false;
  time_point asked_at_ = {};
};
