// Debian's libolm as it is installed, in an actor: one end of an encrypted conversation.
#pragma once

#include <olm/olm.h>

#include <harrier/harrier.hpp>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Memory in which the library makes one of its objects.
template <class T>
struct in_memory {
  std::vector<std::size_t> memory;
  T* object = nullptr;

  in_memory(std::size_t bytes, T* (*make)(void*))
      : memory(bytes / sizeof(std::size_t) + 1), object(make(memory.data())) {}
};

/// All that there is of a person: what a program that uses libolm would write to its disk.
struct saved {
  std::string account;
  std::string session;  ///< empty: there is none
  std::uint64_t drawn = 0;
  int answers = 0;
  std::set<std::string> read;
  std::vector<harrier::ref<class person>> other;
};

class person {
public:
  static constexpr bool rebuilt = true;

  /// Answers what it reads, so many times.
  person(const std::string& name, int answers);
  person(const person&) = delete;
  person& operator=(const person&) = delete;

  /// Publishes a key, by which the other one can begin.
  void meet(harrier::self& me, harrier::ref<person> other);
  void begin(harrier::self& me, harrier::ref<person> other, const std::string& identity, const std::string& key);
  void say(harrier::self& me, const std::string& text);
  bool accepts(harrier::handler<&person::say>) const { return !state_.session.empty(); }
  /// `text` is what `bytes` should be when it is decrypted.
  void take(harrier::self& me, const std::string& text, std::size_t type, const std::string& bytes);

  /// @name The library can save all that it knows: that is a copy, what stands for it, and what is left after a crash
  /// @{
  std::unique_ptr<person> clone() const { return std::make_unique<person>(name_, state_); }
  const saved& fingerprint() const { return state_; }
  const saved& survives() const { return state_; }
  void on_restart(harrier::self& me, const saved& what);
  person(const std::string& name, const saved& what) : name_(name) { load(what); }
  /// @}

  const std::set<std::string>& has_read() const { return state_.read; }

private:
  void load(const saved& what);
  void save();
  void open(const std::string& bytes);
  std::string random(std::size_t bytes);
  std::string decrypted(std::size_t type, const std::string& bytes);

  std::string name_;
  in_memory<OlmAccount> account_{olm_account_size(), olm_account};
  in_memory<OlmSession> session_{olm_session_size(), olm_session};
  bool talks_ = false;
  saved state_;
};
