#include "adapter.hpp"

namespace {

constexpr std::string_view no_secret = "pickles are not secret here";

void require(std::size_t result, const char* error) {
  if (result == olm_error()) throw std::runtime_error(error);
}

/// What is quoted after `name`, in a text such as {"curve25519":"...","ed25519":"..."}
std::string quoted_after(const std::string& text, std::string_view name) {
  const auto from = text.find('"', text.find(name) + name.size() + 1) + 1;
  return text.substr(from, text.find('"', from) - from);
}

}  // namespace

person::person(const std::string& name, int answers) : name_(name) {
  state_.answers = answers;
  auto bytes = random(olm_create_account_random_length(account_.object));
  require(olm_create_account(account_.object, bytes.data(), bytes.size()), "olm_create_account");
  save();
}

void person::meet(harrier::self& me, harrier::ref<person> other) {
  state_.other = {other};
  auto* const account = account_.object;
  auto bytes = random(olm_account_generate_one_time_keys_random_length(account, 1));
  require(olm_account_generate_one_time_keys(account, 1, bytes.data(), bytes.size()), olm_account_last_error(account));
  std::string identity(olm_account_identity_keys_length(account), '\0');
  require(olm_account_identity_keys(account, identity.data(), identity.size()), olm_account_last_error(account));
  std::string keys(olm_account_one_time_keys_length(account), '\0');
  require(olm_account_one_time_keys(account, keys.data(), keys.size()), olm_account_last_error(account));
  olm_account_mark_keys_as_published(account);
  save();
  me.sync();
  me.send<&person::begin>(other, me.me<person>(), quoted_after(identity, "\"curve25519\""),
                          quoted_after(keys, "\"AAAAAQ\""));
}

void person::begin(harrier::self&, harrier::ref<person> other, const std::string& identity, const std::string& key) {
  state_.other = {other};
  auto bytes = random(olm_create_outbound_session_random_length(session_.object));
  require(olm_create_outbound_session(session_.object, account_.object, identity.data(), identity.size(), key.data(),
                                      key.size(), bytes.data(), bytes.size()),
          olm_session_last_error(session_.object));
  talks_ = true;
  save();
}

void person::say(harrier::self& me, const std::string& text) {
  auto* const session = session_.object;
  const auto type = olm_encrypt_message_type(session);
  auto bytes = random(olm_encrypt_random_length(session));
  std::string sent(olm_encrypt_message_length(session, text.size()), '\0');
  require(olm_encrypt(session, text.data(), text.size(), bytes.data(), bytes.size(), sent.data(), sent.size()),
          olm_session_last_error(session));
  save();
  me.sync();
  me.send<&person::take>(state_.other.front(), text, type, sent);
}

void person::take(harrier::self& me, const std::string& text, std::size_t type, const std::string& bytes) {
  if (!talks_) open(bytes);
  const bool is_new = !state_.read.contains(text);
  const auto got = decrypted(type, bytes);
  me.check(is_new || got.empty(), "nothing is read twice");
  if (!is_new) return save();
  me.check(!got.empty(), "what arrives can be read");
  me.check(got.empty() || got == text, "what is read was written");
  if (!got.empty()) state_.read.insert(text);
  save();
  me.sync();
  if (state_.answers > 0 && !got.empty()) {
    --state_.answers;
    say(me, name_ + std::to_string(state_.answers));
  }
}

/// The first message is of the one who began.
void person::open(const std::string& bytes) {
  auto message = bytes;
  require(olm_create_inbound_session(session_.object, account_.object, message.data(), message.size()),
          olm_session_last_error(session_.object));
  require(olm_remove_one_time_keys(account_.object, session_.object), olm_account_last_error(account_.object));
  talks_ = true;
}

/// Empty: it cannot be. Both functions destroy the message that they are given.
std::string person::decrypted(std::size_t type, const std::string& bytes) {
  auto message = bytes;
  const auto most = olm_decrypt_max_plaintext_length(session_.object, type, message.data(), message.size());
  if (most == olm_error()) return {};
  std::string text(most, '\0');
  message = bytes;
  const auto size = olm_decrypt(session_.object, type, message.data(), message.size(), text.data(), text.size());
  return size == olm_error() ? std::string() : text.substr(0, size);
}

void person::on_restart(harrier::self&, const saved& what) { load(what); }

void person::load(const saved& what) {
  state_ = what;
  auto account = what.account;
  auto session = what.session;
  require(olm_unpickle_account(account_.object, no_secret.data(), no_secret.size(), account.data(), account.size()),
          "olm_unpickle_account");
  talks_ = !session.empty();
  if (talks_)
    require(olm_unpickle_session(session_.object, no_secret.data(), no_secret.size(), session.data(), session.size()),
            "olm_unpickle_session");
}

void person::save() {
  state_.account.resize(olm_pickle_account_length(account_.object));
  require(olm_pickle_account(account_.object, no_secret.data(), no_secret.size(), state_.account.data(),
                             state_.account.size()),
          "olm_pickle_account");
  if (!talks_) return;
  state_.session.resize(olm_pickle_session_length(session_.object));
  require(olm_pickle_session(session_.object, no_secret.data(), no_secret.size(), state_.session.data(),
                             state_.session.size()),
          "olm_pickle_session");
}

/// Never the same twice, and always the same again: the library is given its random numbers.
std::string person::random(std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += name_ + std::to_string(state_.drawn++) + ' ';
  return all.substr(0, bytes);
}
