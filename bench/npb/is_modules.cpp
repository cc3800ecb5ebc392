#include "is_checked_1.hpp"
#include "is_checked_2.hpp"
#include "is_checked_4.hpp"
#include "is_checked_8.hpp"
#include "is_strict_1.hpp"
#include "is_strict_2.hpp"
#include "is_strict_4.hpp"
#include "is_strict_8.hpp"
#include "measure.hpp"
#include "team.hpp"

namespace npb {

template <>
const std::vector<module_run<is>>& module_runs() {
  static const std::vector<module_run<is>> all{
      {way::strict, 1, over_module<is_strict_1::is, is>}, {way::checked, 1, over_module<is_checked_1::is, is>},
      {way::strict, 2, over_module<is_strict_2::is, is>}, {way::checked, 2, over_module<is_checked_2::is, is>},
      {way::strict, 4, over_module<is_strict_4::is, is>}, {way::checked, 4, over_module<is_checked_4::is, is>},
      {way::strict, 8, over_module<is_strict_8::is, is>}, {way::checked, 8, over_module<is_checked_8::is, is>},
  };
  return all;
}

}  // namespace npb
