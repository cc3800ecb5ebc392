#include <array>

#include <harrier/report/export.hpp>

namespace harrier {

std::span<const export_format> export_formats() {
  static constexpr std::array<export_format, 5> all = {{{"mermaid", to_mermaid},
                                                        {"plantuml", to_plantuml},
                                                        {"shiviz", to_shiviz},
                                                        {"dot", to_dot},
                                                        {"perfetto", to_perfetto}}};
  return all;
}

}  // namespace harrier
