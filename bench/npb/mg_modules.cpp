#include "measure.hpp"
#include "mg_checked_1.hpp"
#include "mg_checked_2.hpp"
#include "mg_checked_4.hpp"
#include "mg_checked_8.hpp"
#include "mg_strict_1.hpp"
#include "mg_strict_2.hpp"
#include "mg_strict_4.hpp"
#include "mg_strict_8.hpp"
#include "team.hpp"

namespace npb {

template <>
const std::vector<module_run<mg>>& module_runs() {
  static const std::vector<module_run<mg>> all{
      {way::strict, 1, over_module<mg_strict_1::mg, mg>}, {way::checked, 1, over_module<mg_checked_1::mg, mg>},
      {way::strict, 2, over_module<mg_strict_2::mg, mg>}, {way::checked, 2, over_module<mg_checked_2::mg, mg>},
      {way::strict, 4, over_module<mg_strict_4::mg, mg>}, {way::checked, 4, over_module<mg_checked_4::mg, mg>},
      {way::strict, 8, over_module<mg_strict_8::mg, mg>}, {way::checked, 8, over_module<mg_checked_8::mg, mg>},
  };
  return all;
}

}  // namespace npb
