#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <harrier/core/exploration.hpp>
#include <harrier/report/json.hpp>

#include "explore_request.hpp"

namespace harrier {

/// The program that was explored, with smaller numbers for its parameters.
struct smaller_program {
  std::map<std::string, std::int64_t> changed;  ///< the parameters that have other values, with these
  std::size_t deliveries = 0;                   ///< that lead to the finding there
};

/// The finding that is shown first. @pre there is one
const finding& first_shown(const exploration& result);

/// Makes the program that was asked for with other values of its parameters. @throws error for values without one.
using remake_program = std::function<program(const std::map<std::string, std::string>& parameters)>;

/// Looks for the smallest numbers with which the first finding of `result` is there, too: tries for each parameter the
/// values from the least on that is not below 0, ever further apart beyond the first of them, the others being as they
/// are, until none can be made smaller. A finding is the same if it seems to have the same cause (causes_of). Each
/// program that is tried is made and searched as `request` says, in a child process, for 2,000 executions at most; all
/// together take no longer than `--minimise` allows. One that cannot be made, whatever comes of it, is no candidate.
/// @return nothing where none is smaller and as short, or nobody looked: without a finding that can be had again, or
///         time for it
std::optional<smaller_program> smaller_with(const exploration& result, const chosen_program& explored,
                                            const explore_request& request, const remake_program& remake);

/// `smaller numbers show it, too: n=2 (here n=3), in 4 deliveries instead of 6`
///
/// @param deliveries  that lead to the finding in `explored`
std::string sentence_of(const smaller_program& smaller, const chosen_program& explored, std::size_t deliveries);

/// `{"parameters": {"n": 2}, "deliveries": 4}`
json_value to_json(const smaller_program& smaller);

}  // namespace harrier
