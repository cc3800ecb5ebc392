#pragma once

#include <set>
#include <string>

/// What the samples note at the ends of their executions.
std::set<std::string>& noted();
