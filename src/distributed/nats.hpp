#pragma once

#include <nats/nats.h>

#include "../core/base/late_library.hpp"

/// The functions of libnats that are used here, under their own names. They are found in the library when they are
/// called: a binary that is linked to it loads it, and OpenSSL with it, whenever it starts, which takes as long as all
/// the rest of the start, and few runs have a broker.
namespace harrier::distributed {

struct libnats {
  static constexpr auto file = HARRIER_LIBNATS;  // it stays: its threads may run until the end
  static constexpr auto name = "NATS";
  static constexpr auto if_missing = "--broker needs NATS, whose library cannot be loaded";
  static constexpr auto package = "libnats3.4";
};

#define HARRIER_FROM_NATS(name) inline constexpr late_function<libnats, decltype(::name)> name(#name)
HARRIER_FROM_NATS(jsConsumerConfig_Init);
HARRIER_FROM_NATS(jsConsumerInfo_Destroy);
HARRIER_FROM_NATS(jsCtx_Destroy);
HARRIER_FROM_NATS(jsOptions_Init);
HARRIER_FROM_NATS(jsStreamConfig_Init);
HARRIER_FROM_NATS(jsStreamInfo_Destroy);
HARRIER_FROM_NATS(jsSubOptions_Init);
HARRIER_FROM_NATS(js_AddConsumer);
HARRIER_FROM_NATS(js_AddStream);
HARRIER_FROM_NATS(js_DeleteStream);
HARRIER_FROM_NATS(js_GetConsumerInfo);
HARRIER_FROM_NATS(js_GetMsg);
HARRIER_FROM_NATS(js_GetStreamInfo);
HARRIER_FROM_NATS(js_Publish);
HARRIER_FROM_NATS(js_PullSubscribe);
HARRIER_FROM_NATS(natsConnection_Connect);
HARRIER_FROM_NATS(natsConnection_Destroy);
HARRIER_FROM_NATS(natsConnection_FlushTimeout);
HARRIER_FROM_NATS(natsConnection_GetMaxPayload);
HARRIER_FROM_NATS(natsConnection_JetStream);
HARRIER_FROM_NATS(natsConnection_Publish);
HARRIER_FROM_NATS(natsConnection_Status);
HARRIER_FROM_NATS(natsConnection_SubscribeSync);
HARRIER_FROM_NATS(natsMsgList_Destroy);
HARRIER_FROM_NATS(natsMsg_Ack);
HARRIER_FROM_NATS(natsMsg_Destroy);
HARRIER_FROM_NATS(natsMsg_GetData);
HARRIER_FROM_NATS(natsMsg_GetDataLength);
HARRIER_FROM_NATS(natsMsg_GetSubject);
HARRIER_FROM_NATS(natsMsg_InProgress);
HARRIER_FROM_NATS(natsMsg_NakWithDelay);
HARRIER_FROM_NATS(natsOptions_Create);
HARRIER_FROM_NATS(natsOptions_Destroy);
HARRIER_FROM_NATS(natsOptions_LoadCATrustedCertificates);
HARRIER_FROM_NATS(natsOptions_LoadCertificatesChain);
HARRIER_FROM_NATS(natsOptions_SetErrorHandler);
HARRIER_FROM_NATS(natsOptions_SetMaxReconnect);
HARRIER_FROM_NATS(natsOptions_SetName);
HARRIER_FROM_NATS(natsOptions_SetPingInterval);
HARRIER_FROM_NATS(natsOptions_SetReconnectJitter);
HARRIER_FROM_NATS(natsOptions_SetReconnectWait);
HARRIER_FROM_NATS(natsOptions_SetSecure);
HARRIER_FROM_NATS(natsOptions_SetSendAsap);
HARRIER_FROM_NATS(natsOptions_SetTimeout);
HARRIER_FROM_NATS(natsOptions_SetURL);
HARRIER_FROM_NATS(natsOptions_SetUserCredentialsFromFiles);
HARRIER_FROM_NATS(natsStatus_GetText);
HARRIER_FROM_NATS(natsSubscription_Destroy);
HARRIER_FROM_NATS(natsSubscription_Fetch);
HARRIER_FROM_NATS(natsSubscription_NextMsg);
HARRIER_FROM_NATS(nats_GetLastError);
#undef HARRIER_FROM_NATS

}  // namespace harrier::distributed
