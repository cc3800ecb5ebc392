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
};
