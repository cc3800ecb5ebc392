#include <harrier/cli/main.hpp>

#ifdef HARRIER_HAS_SUBJECTS
#include "subjects/catalogue.hpp"
#endif

int main(int argc, char** argv) {
#ifdef HARRIER_HAS_SUBJECTS
  return harrier::main(argc, argv, harrier::subjects::catalogue());
#else
  return harrier::main(argc, argv, {});
#endif
}
