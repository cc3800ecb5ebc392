#include "broker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <harrier/core/error.hpp>

namespace harrier::distributed {
namespace {

using std::chrono::milliseconds;
constexpr auto answer_within = milliseconds(2000);

/// Times of JetStream's configurations are nanoseconds; those of calls are milliseconds.
std::int64_t in_nanoseconds(std::chrono::duration<double> time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

std::string said(natsStatus status) {
  natsStatus last = NATS_OK;
  const char* more = nats_GetLastError(&last);
  if (last == status && more != nullptr && *more != '\0')
    return fmt::format("{} ({})", natsStatus_GetText(status), more);
  return natsStatus_GetText(status);
}

void check(natsStatus status, const std::string& what) {
  if (status != NATS_OK) throw error(fmt::format("{}: {}", what, said(status)));
}

/// Without user, password and token, since messages end up in the logs of others.
std::string without_secrets(const std::string& url) {
  std::string shown;
  for (std::size_t begin = 0; begin < url.size();) {  // several servers may be named, with commas between them
    const auto end = std::min(url.find(',', begin), url.size());
    const auto one = url.substr(begin, end - begin);
    const auto scheme = one.find("://");
    const auto at = one.rfind('@');
    const bool has_secrets = scheme != std::string::npos && at != std::string::npos && at > scheme;
    shown += has_secrets ? one.substr(0, scheme + 3) + one.substr(at + 1) : one;
    if (end < url.size()) shown += ',';
    begin = end + 1;
  }
  return shown;
}

using connection_options = std::unique_ptr<natsOptions, destroyed_by<natsOptions_Destroy>>;

connection_options options_for(const broker_address& at) {
  natsOptions* made = nullptr;
  check(natsOptions_Create(&made), "cannot use NATS");
  connection_options options(made);
  check(natsOptions_SetURL(made, at.url.c_str()), fmt::format("--broker {}", without_secrets(at.url)));
  natsOptions_SetName(made, "harrier");
  natsOptions_SetTimeout(made, 2000);
  natsOptions_SetMaxReconnect(made, -1);
  natsOptions_SetReconnectWait(made, 200);
  natsOptions_SetReconnectJitter(made, 50, 50);
  natsOptions_SetSendAsap(made, true);
  natsOptions_SetPingInterval(made, 5000);
  natsOptions_SetErrorHandler(
      made, [](natsConnection*, natsSubscription*, natsStatus, void*) {}, nullptr);  // the default one prints
  if (at.url.starts_with("tls://")) check(natsOptions_SetSecure(made, true), "--broker tls://");
  if (!at.credentials.empty())
    check(natsOptions_SetUserCredentialsFromFiles(made, at.credentials.c_str(), nullptr),
          fmt::format("--broker-creds {}", at.credentials));
  if (!at.ca.empty())
    check(natsOptions_LoadCATrustedCertificates(made, at.ca.c_str()), fmt::format("--broker-ca {}", at.ca));
  if (at.certificate.empty() != at.key.empty())
    throw error("--broker-cert and --broker-key go together: a certificate and its key");
  if (!at.certificate.empty())
    check(natsOptions_LoadCertificatesChain(made, at.certificate.c_str(), at.key.c_str()),
          fmt::format("--broker-cert {}", at.certificate));
  return options;
}

template <class T, const auto& Destroy>
using held = std::unique_ptr<T, destroyed_by<Destroy>>;

}  // namespace

connection::connection(const broker_address& at, double patience) : url_(without_secrets(at.url)) {
  const auto options = options_for(at);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience);
  for (;;) {
    natsConnection* made = nullptr;
    const auto status = natsConnection_Connect(&made, options.get());
    nats_.reset(made);
    if (status == NATS_OK) break;
    if (status == NATS_CONNECTION_AUTH_FAILED || status == NATS_SSL_ERROR || status == NATS_INVALID_ARG)
      throw error(fmt::format(
          "the broker at {} cannot be talked to: {}; who may is told by user and password in its URL, --broker-creds, "
          "--broker-cert with --broker-key, and --broker-ca",
          url_, said(status)));
    if (std::chrono::steady_clock::now() >= until)
      throw error(
          fmt::format("cannot connect to the broker at {}: {}; `nats-server -js` starts one", url_, said(status)));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  jsOptions how;
  jsOptions_Init(&how);
  how.Wait = answer_within.count();
  jsCtx* made = nullptr;
  check(natsConnection_JetStream(&made, nats_.get(), &how), "cannot use JetStream");
  jetstream_.reset(made);
}

connection::~connection() = default;

std::size_t connection::largest_message() const {
  return static_cast<std::size_t>(natsConnection_GetMaxPayload(nats_.get()));
}

void connection::tell(const std::string& subject, std::string_view text) {
  static_cast<void>(natsConnection_Publish(nats_.get(), subject.c_str(), text.data(), static_cast<int>(text.size())));
}

subscription connection::listen(const std::string& subject) {
  natsSubscription* made = nullptr;
  check(natsConnection_SubscribeSync(&made, nats_.get(), subject.c_str()), "cannot listen to " + subject);
  return subscription(made);
}

bool connection::is_connected() const { return natsConnection_Status(nats_.get()) == NATS_CONN_STATUS_CONNECTED; }

std::string connection::why_silent() const {
  if (!is_connected()) return fmt::format("the broker at {} cannot be reached; it is looked for again and again", url_);
  return fmt::format(
      "the broker at {} is there, but its JetStream does not answer; it stops for good when its disk is full: see that "
      "there is room, then kill -9 the nats-server and start it again with the same files",
      url_);
}

message connection::next(const subscription& from, milliseconds within) {
  natsMsg* m = nullptr;
  if (natsSubscription_NextMsg(&m, from.get(), within.count()) != NATS_OK) return nullptr;
  return message(m);
}

void connection::flush() { static_cast<void>(natsConnection_FlushTimeout(nats_.get(), 1000)); }

/// Whether there is such a stream. Another one of that name might forget, or keep what is none of the run's.
bool connection::is_there(const jsStreamConfig& wanted) {
  jsStreamInfo* info = nullptr;
  if (js_GetStreamInfo(&info, jetstream_.get(), wanted.Name, nullptr, nullptr) != NATS_OK) return false;
  const held<jsStreamInfo, jsStreamInfo_Destroy> freed(info);
  const auto& found = *info->Config;
  const bool is_same = found.SubjectsLen == 1 && std::string_view(found.Subjects[0]) == wanted.Subjects[0] &&
                       found.Retention == wanted.Retention && found.Storage == wanted.Storage &&
                       found.Discard == wanted.Discard && found.MaxMsgs <= 0 && found.MaxBytes <= 0 &&
                       found.MaxAge == 0 && found.MaxMsgSize <= 0 && found.MaxMsgsPerSubject <= 0 && !found.NoAck;
  if (!is_same)
    throw error(fmt::format(
        "stream {0} at the broker at {1} was not made by harrier: it forgets, or keeps other messages; delete it "
        "(`nats stream rm {0}`), or give another name with --run",
        wanted.Name, url_));
  return true;
}

void connection::make_stream(const std::string& name, const std::string& subject, bool is_queue) {
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  const char* subjects[] = {subject.c_str()};
  config.Name = name.c_str();
  config.Subjects = subjects;
  config.SubjectsLen = 1;
  config.Retention = is_queue ? js_WorkQueuePolicy : js_LimitsPolicy;
  config.Storage = js_FileStorage;
  config.Discard = js_DiscardNew;
  config.Replicas = 1;
  if (is_there(config)) return;
  jsErrCode code{};
  const auto status = js_AddStream(nullptr, jetstream_.get(), &config, nullptr, &code);
  if (status == NATS_NO_RESPONDERS || code == JSNotEnabledErr || code == JSNotEnabledForAccountErr)
    throw error(fmt::format("the broker at {} has no JetStream; start it with -js", url_));
  check(status, fmt::format("the broker at {} cannot make stream {}", url_, name));
}

void connection::make_consumer(const std::string& stream, const std::string& name,
                               std::chrono::duration<double> acknowledge_within) {
  jsConsumerConfig config;
  jsConsumerConfig_Init(&config);
  config.Durable = name.c_str();
  config.AckPolicy = js_AckExplicit;
  config.DeliverPolicy = js_DeliverAll;
  config.AckWait = in_nanoseconds(acknowledge_within);
  config.MaxDeliver = -1;
  config.MaxAckPending = 100'000;
  config.MaxWaiting = 10'000;
  jsErrCode code{};
  check(js_AddConsumer(nullptr, jetstream_.get(), stream.c_str(), &config, nullptr, &code),
        fmt::format("the broker at {} cannot share stream {}", url_, stream));
}

void connection::delete_stream(const std::string& name) {
  static_cast<void>(js_DeleteStream(jetstream_.get(), name.c_str(), nullptr, nullptr));
}

bool connection::keep(const std::string& subject, std::string_view bytes) {
  jsErrCode code{};
  const auto status = js_Publish(nullptr, jetstream_.get(), subject.c_str(), bytes.data(),
                                 static_cast<int>(bytes.size()), nullptr, &code);
  if (status == NATS_OK) return true;
  const bool said_why =
      status != NATS_TIMEOUT && status != NATS_NO_RESPONDERS && status != NATS_CONNECTION_DISCONNECTED;
  why_not_ = said_why ? said(status) : why_silent();
  return false;
}

std::optional<connection::stream_state> connection::state_of(const std::string& stream, bool& answered) {
  jsStreamInfo* info = nullptr;
  const auto status = js_GetStreamInfo(&info, jetstream_.get(), stream.c_str(), nullptr, nullptr);
  answered = status == NATS_OK || status == NATS_NOT_FOUND;
  if (status != NATS_OK) return {};
  const held<jsStreamInfo, jsStreamInfo_Destroy> freed(info);
  return stream_state{info->State.Msgs, info->State.FirstSeq, info->State.LastSeq};
}

std::optional<connection::queue_state> connection::state_of_queue(const std::string& stream,
                                                                  const std::string& consumer) {
  jsConsumerInfo* info = nullptr;
  if (js_GetConsumerInfo(&info, jetstream_.get(), stream.c_str(), consumer.c_str(), nullptr, nullptr) != NATS_OK)
    return {};
  const held<jsConsumerInfo, jsConsumerInfo_Destroy> freed(info);
  return queue_state{info->NumPending, static_cast<std::uint64_t>(info->NumAckPending)};
}

message connection::at(const std::string& stream, std::uint64_t number, bool& answered) {
  natsMsg* m = nullptr;
  jsErrCode code{};
  const auto status = js_GetMsg(&m, jetstream_.get(), stream.c_str(), number, nullptr, &code);
  answered = status == NATS_OK || status == NATS_NOT_FOUND || code != 0;
  return message(status == NATS_OK ? m : nullptr);
}

subscription connection::take_from(const std::string& subject, const std::string& stream, const std::string& consumer) {
  jsSubOptions how;
  jsSubOptions_Init(&how);
  how.Stream = stream.c_str();
  how.Consumer = consumer.c_str();
  natsSubscription* made = nullptr;
  if (js_PullSubscribe(&made, jetstream_.get(), subject.c_str(), consumer.c_str(), nullptr, &how, nullptr) != NATS_OK)
    return nullptr;
  return subscription(made);
}

message connection::fetch(const subscription& queue, milliseconds within, bool& broken) {
  natsMsgList list{};
  const auto status = natsSubscription_Fetch(&list, queue.get(), 1, within.count(), nullptr);
  broken = status != NATS_OK && status != NATS_TIMEOUT;
  message first;
  if (status == NATS_OK && list.Count > 0) first.reset(std::exchange(list.Msgs[0], nullptr));
  natsMsgList_Destroy(&list);
  return first;
}

void connection::acknowledge(natsMsg* fetched) { static_cast<void>(natsMsg_Ack(fetched, nullptr)); }
void connection::keep_hold_of(natsMsg* fetched) { static_cast<void>(natsMsg_InProgress(fetched, nullptr)); }
void connection::hand_back(natsMsg* fetched, milliseconds delay) {
  static_cast<void>(natsMsg_NakWithDelay(fetched, delay.count(), nullptr));
}

}  // namespace harrier::distributed
