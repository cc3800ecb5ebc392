#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/system.hpp>

namespace harrier {

class scripted;

/// What a delivery of one kind of message does. Kinds are called by small
/// letters, actors by digits; '0' is the driver.
struct letter {
  char name;
  char to;
  /// The letters that it sends, in order.
  std::string sends = {};
  /// The actors that it creates. All others are there from the start.
  std::string creates = {};
  /// The letter that it sends as a call; the actor then takes only the answer.
  char calls = 0;
  /// The letter with which it answers the call that it was.
  char answers = 0;
  /// Of how many values it draws one, for each draw.
  std::vector<std::uint64_t> draws = {};
  /// Its actor takes nothing more; and the execution ends.
  bool destroys = false;
  bool fails = false;
  /// Its payload has to be destroyed.
  bool is_heavy = false;
  /// It is no message of the program, but befalls its receiver, at most so often.
  std::uint32_t budget = 0;
  /// Whether an actor that has taken those letters accepts it; if not given, any does.
  std::function<bool(const std::string& taken)> accepted = {};
  /// What else it does, after all of the above but calls, destroys and fails.
  std::function<void(scripted&)> also = {};
};

struct script {
  /// What the driver sends.
  std::string starts;
  std::vector<letter> letters;
  /// What is taken before the exploration begins.
  std::string before = {};
};

/// A system whose program is a table. The state of an actor is what it has
/// taken, each letter followed by the values that it drew: "ab1c".
///
/// Under delivery::mailbox_interleaved the arrival of letter a is called 'A',
/// and the news that all has arrived '.'.
class scripted final : public system {
public:
  /// In its initial configuration at once: it lives on the stack.
  explicit scripted(script program, delivery model = delivery::unordered);
  ~scripted() override {
    watch().attach(nullptr);  // tests let go of monitors first
    take_back_everything();
  }

  /// @name For tests
  /// @{

  /// Delivers the oldest pending message of each of these names, one after the
  /// other. @throws std::logic_error if there is none, or it is not deliverable.
  void take(std::string_view names);
  /// The same for one, whose draws follow `code`.
  void take_drawing(char name, std::uint64_t code);
  /// Lets arrive what is on its way.
  void settle();
  void undo_all();

  /// The oldest message of that name, pending, or delivered or pending; no_message if there is none.
  [[nodiscard]] message_slot pending_of(char name) const;
  [[nodiscard]] message_slot first_of(char name) const;
  /// The last explored step that took a message of that name.
  [[nodiscard]] step_index step_of(char name) const;
  [[nodiscard]] char name_of(message_slot m) const;
  [[nodiscard]] actor_slot slot_of_actor(char name) const;

  /// Whether the letter's own condition lets its receiver take it now, the delivery model aside.
  [[nodiscard]] bool is_accepted(message_slot m) const;
  /// In the order of the cloud.
  [[nodiscard]] std::string deliverable_names() const;
  [[nodiscard]] std::string pending_names() const;
  /// What an actor has taken.
  [[nodiscard]] std::string taken_by(char actor) const;
  /// Everything that can be asked of the configuration and the way to it, as text.
  [[nodiscard]] std::string dump() const;
  /// How many payloads there are that have to be destroyed.
  [[nodiscard]] long heavy_payloads() const { return weight_.use_count() - 1; }
  /// @}
  /// @name For letter::also
  /// @{
  void send(char name);
  /// Withdraws the oldest pending message of that name to the running actor.
  void cancel(char name) { withdraw(pending_of(name)); }
  std::uint64_t draw(std::uint64_t arity);
  void complain(const std::string& what) { record_finding(finding_kind::assertion, what, "script", 1); }
  /// Changes what all copies of the running actor's state share: a mistake.
  void scribble();
  /// @}

private:
  void begin() override;
  [[nodiscard]] bool takes(message_slot m, step_index e) const override;
  struct local;
  struct parcel;
  class letter_type;
  class local_type;

  void create(char name);
  message_slot post_letter(char name, actor_slot to);
  void act(step& s);
  void take_back(const step& s);
  void settle_call(const letter& l, message_slot request);
  [[nodiscard]] const letter& letter_of(char name) const;
  [[nodiscard]] const local& local_of(actor_slot a) const;

  static const letter_type a_letter, an_accident;
  static const local_type an_actor;

  script program_;
  std::shared_ptr<int> weight_ = std::make_shared<int>(0);
};

}  // namespace harrier
