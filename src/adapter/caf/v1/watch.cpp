#include "watch.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>
#include <caf/mailbox_element.hpp>
#include <utility>

#include "../run_of.hpp"
#include "interposed_caf.hpp"

namespace harrier::caf_adapter {
namespace {

/// The lock that it takes first is CAF's own, though it is compiled with the program.
template <class Function>
auto with_lock_of_caf(Function does) {
  auto* const r = run::current();
  if (r != nullptr) r->next_lock_is_of_caf(true);
  struct until_done {
    run* r;
    ~until_done() {
      if (r != nullptr) r->next_lock_is_of_caf(false);
    }
  };
  const until_done done{r};
  return does();
}

class watching final : public caf::attachable {
public:
  explicit watching(watch_ptr of) : of_(std::move(of)) {}

  void actor_exited(const caf::error& reason, caf::scheduler* by) override {
    tell_end(of_->observed(), of_->observer(), by, [this, &reason] {
      return caf::make_mailbox_element(nullptr, caf::make_message_id(),
                                       caf::action{caf::make_counted<word_of_end>(of_, reason)});
    });
  }
  bool matches(const token& what) override {
    return what.subtype == token_of_watch && what.ptr == static_cast<const void*>(of_.get());
  }

private:
  watch_ptr of_;
};

class stops_watching final : public caf::detail::atomic_ref_counted, public caf::disposable::impl {
public:
  explicit stops_watching(watch_ptr of) : of_(std::move(of)) {}

  void dispose() override {
    if (of_->is_disposed()) return;
    of_->dispose();
    stop_watching(*of_);
  }
  [[nodiscard]] bool disposed() const noexcept override { return of_->is_disposed(); }
  void ref_disposable() const noexcept override { ref(); }
  void deref_disposable() const noexcept override { deref(); }

private:
  watch_ptr of_;
};

}  // namespace

watch::~watch() {
  with_lock_of_caf([this] { function_ = nullptr; });
}

void watch::call(const caf::error& reason) {
  const bool is_wanted = with_lock_of_caf([&] { return function_->set_reason(reason); });
  if (is_wanted) with_lock_of_caf([this] { function_->resume(nullptr, 0); });
}

void watch::dispose() {
  with_lock_of_caf([this] { function_->dispose(); });
}

bool watch::is_disposed() const {
  return with_lock_of_caf([this] { return function_->disposed(); });
}

caf::attachable_ptr make_attachable(watch_ptr of) { return std::make_unique<watching>(std::move(of)); }

caf::disposable make_disposable(watch_ptr of) {
  return caf::disposable{caf::make_counted<stops_watching>(std::move(of))};
}

}  // namespace harrier::caf_adapter
