// What is wrong with a Raft: the seams of raft.hpp.
#pragma once

enum class bug {
  none,
  pysyncobj_166,
  pysyncobj_167a,
  pysyncobj_167b,
  pysyncobj_169,
  wraft_5,
  wraft_7,
  daosraft_70,
  raftos_25,
  raftos_26,
  raftos_27,
  raftos_30,
  xraft_33,
  votes_twice,    ///< a server forgets whom it voted for
  votes_for_any,  ///< a server votes for who lacks entries that it has
  commits_alone,  ///< one copy too few is a majority
  reads_alone,    ///< a leader answers a read without asking whether it still leads
  answers_early,  ///< a leader answers a write before a majority has it
};
