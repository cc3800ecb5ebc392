// The executable `harrier` with the catalogue of programs that comes with it.
#include <harrier/cli/main.hpp>

#include "subjects/catalogue.hpp"

int main(int argc, char** argv) { return harrier::main(argc, argv, harrier::subjects::catalogue()); }
