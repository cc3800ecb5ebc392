// Prints docs/combinations.md.
#include <cstdio>

#include "combinations.hpp"

int main() { std::fputs(harrier::combinations::page().c_str(), stdout); }
