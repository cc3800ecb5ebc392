#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <harrier/distributed/broker.hpp>

#include "nats.hpp"

/// NATS, as far as runs need it. Nothing else includes it.
namespace harrier::distributed {

template <const auto& Destroy>
struct destroyed_by {
  template <class T>
  void operator()(T* what) const {
    static_cast<void>(Destroy(what));
  }
};
using message = std::unique_ptr<natsMsg, destroyed_by<natsMsg_Destroy>>;
using subscription = std::unique_ptr<natsSubscription, destroyed_by<natsSubscription_Destroy>>;

[[nodiscard]] inline std::string_view text_of(const natsMsg* m) {
  return {natsMsg_GetData(m), static_cast<std::size_t>(natsMsg_GetDataLength(m))};
}
[[nodiscard]] inline std::string subject_of(const natsMsg* m) { return natsMsg_GetSubject(m); }

/// A connection that comes back by itself when the server does. Its threads block
/// SIGINT and SIGTERM as the thread that makes it does.
///
/// NATS has times in milliseconds and in nanoseconds, as numbers: they are durations here.
class connection {
public:
  using milliseconds = std::chrono::milliseconds;

  /// @throws error  there is no server within `patience` seconds, or no JetStream.
  explicit connection(const broker_address& at, double patience = 5);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection();

  /// Bytes of the largest message.
  [[nodiscard]] std::size_t largest_message() const;
  /// Why nothing may have been answered: what is the matter, and what to do.
  [[nodiscard]] std::string why_silent() const;
  [[nodiscard]] bool is_connected() const;

  /// @name Of the moment: nobody keeps it. What cannot be sent is lost.
  /// @{
  void tell(const std::string& subject, std::string_view text);
  [[nodiscard]] subscription listen(const std::string& subject);
  /// The next message within that time; null: none.
  [[nodiscard]] static message next(const subscription& from, milliseconds within);
  void flush();
  /// @}

  /// @name What JetStream keeps in files
  /// @{

  /// Makes stream `name` of `subject` if it is not there. @param is_queue  what is acknowledged is deleted.
  /// @throws error  it cannot be made, or what is there under that name is something else.
  void make_stream(const std::string& name, const std::string& subject, bool is_queue);
  /// Makes the consumer by which workers share a queue, if it is not there.
  void make_consumer(const std::string& stream, const std::string& name,
                     std::chrono::duration<double> acknowledge_within);
  void delete_stream(const std::string& name);
  /// @return whether it is kept; otherwise `why_not` says why.
  [[nodiscard]] bool keep(const std::string& subject, std::string_view bytes);
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  struct stream_state {
    std::uint64_t messages = 0, first = 0, last = 0;
  };
  /// Nothing: there is no such stream; throws nothing where there is no answer, but sets `answered`.
  [[nodiscard]] std::optional<stream_state> state_of(const std::string& stream, bool& answered);
  struct queue_state {
    std::uint64_t waiting = 0, in_hands = 0;
  };
  [[nodiscard]] std::optional<queue_state> state_of_queue(const std::string& stream, const std::string& consumer);
  /// Message number `number`; null: it is not there or cannot be read, or no answer came.
  [[nodiscard]] message at(const std::string& stream, std::uint64_t number, bool& answered);
  /// To fetch from a queue. Null: it is not there, or no answer came.
  [[nodiscard]] subscription take_from(const std::string& subject, const std::string& stream,
                                       const std::string& consumer);
  /// The next of the queue within that time; null: none. `broken`: the
  /// subscription is of no use any more.
  [[nodiscard]] static message fetch(const subscription& queue, milliseconds within, bool& broken);
  /// What was fetched is done with, is still worked at, or is for another: after `delay`.
  static void acknowledge(natsMsg* fetched);
  static void keep_hold_of(natsMsg* fetched);
  static void hand_back(natsMsg* fetched, milliseconds delay);
  /// @}

private:
  [[nodiscard]] bool is_there(const jsStreamConfig& wanted);

  std::unique_ptr<natsConnection, destroyed_by<natsConnection_Destroy>> nats_;
  std::unique_ptr<jsCtx, destroyed_by<jsCtx_Destroy>> jetstream_;
  std::string url_;
  std::string why_not_;
};

}  // namespace harrier::distributed
