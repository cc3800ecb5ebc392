// The executable `harrier` of a build without programs.
#include <harrier/cli/main.hpp>

int main(int argc, char** argv) { return harrier::main(argc, argv, {}); }
