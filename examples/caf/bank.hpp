#pragma once

#include <caf/all.hpp>

using deposit_atom = caf::atom_constant<caf::atom("deposit")>;
using withdraw_atom = caf::atom_constant<caf::atom("withdraw")>;
using pay_atom = caf::atom_constant<caf::atom("pay")>;

struct account_state {
  static constexpr const char* name = "account";
  int balance = 0;
};

inline caf::behavior account(caf::stateful_actor<account_state>* self) {
  return {[=](deposit_atom, int amount) { self->state.balance += amount; },
          [=](withdraw_atom, int amount) {
            const bool is_enough = self->state.balance >= amount;
            if (is_enough) self->state.balance -= amount;
            return is_enough;
          }};
}

struct clearing_state {
  static constexpr const char* name = "clearing_house";
};

/// Takes orders for the account, which answers them itself.
inline caf::behavior clearing_house(caf::stateful_actor<clearing_state>* self, const caf::actor& to) {
  return {[=](deposit_atom, int amount) { return self->delegate(to, deposit_atom::value, amount); }};
}

/// When an employer says that it has paid.
enum class says { early, in_time };

struct employer_state {
  static constexpr const char* name = "employer";
};

inline caf::behavior employer(caf::stateful_actor<employer_state>* self, const caf::actor& through, says when) {
  if (when == says::early)  // the bug: the order is sent, the money is not there
    return {[=](pay_atom, int wages) { self->send(through, deposit_atom::value, wages); }};
  return {[=](pay_atom, int wages) { return self->delegate(through, deposit_atom::value, wages); }};
}

struct employee_state {
  static constexpr const char* name = "employee";
};

inline void employee(caf::stateful_actor<employee_state>* self, const caf::actor& works_for) {
  self->request(works_for, caf::infinite, pay_atom::value, 50).then([] {});
}

/// Ann and Bob have one account, get 50 each, and then owe 100. @return whether the rent is paid.
inline bool first_of_the_month(caf::actor_system& system, says when) {
  caf::scoped_actor self{system};
  const auto shared = self->spawn(account);
  const auto office = self->spawn(employer, self->spawn(clearing_house, shared), when);
  const auto ann = self->spawn(employee, office);
  const auto bob = self->spawn(employee, office);
  self->wait_for(ann, bob);
  bool is_paid = false;
  self->request(shared, caf::infinite, withdraw_atom::value, 100)
      .receive([&](bool went_well) { is_paid = went_well; }, [](const caf::error&) {});
  return is_paid;
}
