// What is tried with raft.hpp, a row for each bug. Read README.md beside this file.
#pragma once

#include <cstdint>
#include <harrier/harrier.hpp>
#include <string>
#include <vector>

#include "bugs.hpp"

/// How an implementation works, right or wrong, and what is tried with it unless the command line says otherwise.
struct variant {
  std::string name;
  bug has = bug::none;
  std::int64_t nodes = 2;
  std::int64_t requests = 1;     ///< that each server is sent, which takes them while it leads
  std::int64_t compactions = 0;  ///< how often each server drops the part of its log that is committed
  std::int64_t terms = 1;        ///< no server begins another one
  bool pipelines = false;        ///< what was sent is not sent again before the follower asks for it
  bool retries = false;          ///< when a follower misses something, it is sent at once, not with the next heartbeat
  bool pre_votes = false;        ///< a server asks who would vote for it before it begins a term
  harrier::delivery network = harrier::delivery::unordered;
  harrier::faults may_happen = {};
  std::int64_t clients = 0;   ///< that each ask another server for something and wait for its answer
  bool is_specified = false;  ///< what must hold is what safety.hpp says, beside what handlers check
};

inline const std::vector<variant>& variants() {
  using enum harrier::delivery;
  static const std::vector<variant> all = {
      {.name = "fixed", .terms = 2, .may_happen = {.timeouts = 2}, .is_specified = true},
      {.name = "votes-twice", .has = bug::votes_twice, .terms = 1, .may_happen = {.timeouts = 2}, .is_specified = true},
      {.name = "votes-for-any",
       .has = bug::votes_for_any,
       .nodes = 3,
       .terms = 2,
       .network = fifo,
       .may_happen = {.timeouts = 1},
       .is_specified = true},
      {.name = "commits-alone",
       .has = bug::commits_alone,
       .nodes = 3,
       .terms = 2,
       .network = fifo,
       .may_happen = {.timeouts = 1},
       .is_specified = true},
      {.name = "clients",
       .requests = 0,
       .terms = 2,
       .network = fifo,
       .may_happen = {.timeouts = 2},
       .clients = 2,
       .is_specified = true},
      {.name = "reads-alone",
       .has = bug::reads_alone,
       .nodes = 3,
       .requests = 0,
       .terms = 2,
       .network = fifo,
       .may_happen = {.timeouts = 1},
       .clients = 2,
       .is_specified = true},
      {.name = "answers-early",
       .has = bug::answers_early,
       .nodes = 3,
       .requests = 0,
       .terms = 2,
       .network = fifo,
       .may_happen = {.timeouts = 1},
       .clients = 2,
       .is_specified = true},
      {.name = "pysyncobj-166",
       .has = bug::pysyncobj_166,
       .terms = 2,
       .pipelines = true,
       .network = fifo,
       .may_happen = {.timeouts = 1}},
      {.name = "pysyncobj-167a",
       .has = bug::pysyncobj_167a,
       .requests = 4,
       .pipelines = true,
       .network = fifo,
       .may_happen = {.lose = 1, .timeouts = 1}},
      {.name = "pysyncobj-167b",
       .has = bug::pysyncobj_167b,
       .requests = 4,
       .pipelines = true,
       .network = fifo,
       .may_happen = {.lose = 1, .timeouts = 3}},
      {.name = "pysyncobj-169",
       .has = bug::pysyncobj_169,
       .terms = 2,
       .pipelines = true,
       .network = fifo,
       .may_happen = {.timeouts = 2}},
      {.name = "wraft-5", .has = bug::wraft_5, .nodes = 3, .requests = 2, .compactions = 1, .retries = true},
      {.name = "wraft-7", .has = bug::wraft_7, .requests = 2, .compactions = 1, .retries = true},
      {.name = "daosraft-70",
       .has = bug::daosraft_70,
       .terms = 2,
       .pre_votes = true,
       .network = fifo,
       .may_happen = {.timeouts = 1}},
      {.name = "raftos-25", .has = bug::raftos_25, .may_happen = {.timeouts = 1}},
      {.name = "raftos-26", .has = bug::raftos_26, .may_happen = {.timeouts = 1}},
      {.name = "raftos-27", .has = bug::raftos_27, .terms = 2, .may_happen = {.timeouts = 1}},
      {.name = "raftos-30", .has = bug::raftos_30, .terms = 2, .may_happen = {.lose = 1, .timeouts = 1}},
      {.name = "xraft-33", .has = bug::xraft_33, .nodes = 3, .requests = 0, .terms = 2, .may_happen = {.timeouts = 2}},
  };
  return all;
}
