// The command line over the client/server program alone.
#include "entries.hpp"

int main(int argc, char** argv) { return harrier::main(argc, argv, {harrier::subjects::server()}); }
