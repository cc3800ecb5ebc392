// etcd: entries that replaced others while those were being stored are never stored.
//
// Source: etcd-io/etcd#1690. The node hands entries that are not stable to the application, which says when they are
// stored. Meanwhile a new leader overwrites them; the word of the application is then taken for the new ones, which are
// never handed out.
// Repaired: it is compared with the term of the entries, too.
#include "entries.hpp"

namespace zoo_etcd_advance {

struct node;

struct storage {
  int stored_term = 0;

  void store(harrier::self& self, int term, harrier::ref<node> of);
};

struct node {
  bool compares_terms;
  harrier::ref<storage> disk;
  int term_of_entry = 0;
  bool is_stable = true;

  void append(harrier::self& self, int term) {
    if (term < term_of_entry) return;
    term_of_entry = term;
    is_stable = false;
    if (!is_handing_out) hand_out(self);
  }
  void advance(harrier::self& self, int term) {
    is_handing_out = false;
    is_stable = is_stable || !compares_terms || term == term_of_entry;
    if (!is_stable) hand_out(self);
  }

  bool is_handing_out = false;

private:
  void hand_out(harrier::self& self) {
    is_handing_out = true;
    self.send<&storage::store>(disk, term_of_entry, self.me<node>());
  }
};

void storage::store(harrier::self& self, int term, harrier::ref<node> of) {
  stored_term = term;
  self.send<&node::advance>(of, term);
}

}  // namespace zoo_etcd_advance

harrier::catalogue_entry harrier::subjects::zoo::etcd_advance() {
  using namespace zoo_etcd_advance;
  return entry("etcd-advance", "entries that replaced others while those were being stored are never stored",
               [](variant as) {
                 auto tested = make_program([as](self& leaders) {
                   const auto n = leaders.create<node>(as == variant::fixed, leaders.create<storage>());
                   leaders.send<&node::append>(n, 1);
                   leaders.send<&node::append>(n, 2);
                 });
                 return specified(std::move(tested),
                                  {eventually("what is in the log is stored", [](view<node> n, view<storage> s) {
                                    return n->term_of_entry == s->stored_term;
                                  })});
               });
}
