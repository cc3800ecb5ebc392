#include "catalogue.hpp"

#include "entries.hpp"

namespace harrier::subjects {

std::vector<catalogue_entry> catalogue() {
  return {
      registry(),
      server(),
  };
}

}  // namespace harrier::subjects
