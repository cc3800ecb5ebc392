#include "cg_checked_1.hpp"
#include "cg_checked_2.hpp"
#include "cg_checked_4.hpp"
#include "cg_checked_8.hpp"
#include "cg_strict_1.hpp"
#include "cg_strict_2.hpp"
#include "cg_strict_4.hpp"
#include "cg_strict_8.hpp"
#include "measure.hpp"
#include "team.hpp"

namespace npb {

template <>
const std::vector<module_run<cg>>& module_runs() {
  static const std::vector<module_run<cg>> all{
      {way::strict, 1, over_module<cg_strict_1::cg, cg>}, {way::checked, 1, over_module<cg_checked_1::cg, cg>},
      {way::strict, 2, over_module<cg_strict_2::cg, cg>}, {way::checked, 2, over_module<cg_checked_2::cg, cg>},
      {way::strict, 4, over_module<cg_strict_4::cg, cg>}, {way::checked, 4, over_module<cg_checked_4::cg, cg>},
      {way::strict, 8, over_module<cg_strict_8::cg, cg>}, {way::checked, 8, over_module<cg_checked_8::cg, cg>},
  };
  return all;
}

}  // namespace npb
