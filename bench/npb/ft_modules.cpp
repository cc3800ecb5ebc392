#include "ft_checked_1.hpp"
#include "ft_checked_2.hpp"
#include "ft_checked_4.hpp"
#include "ft_checked_8.hpp"
#include "ft_strict_1.hpp"
#include "ft_strict_2.hpp"
#include "ft_strict_4.hpp"
#include "ft_strict_8.hpp"
#include "measure.hpp"
#include "team.hpp"

namespace npb {

template <>
const std::vector<module_run<ft>>& module_runs() {
  static const std::vector<module_run<ft>> all{
      {way::strict, 1, over_module<ft_strict_1::ft, ft>}, {way::checked, 1, over_module<ft_checked_1::ft, ft>},
      {way::strict, 2, over_module<ft_strict_2::ft, ft>}, {way::checked, 2, over_module<ft_checked_2::ft, ft>},
      {way::strict, 4, over_module<ft_strict_4::ft, ft>}, {way::checked, 4, over_module<ft_checked_4::ft, ft>},
      {way::strict, 8, over_module<ft_strict_8::ft, ft>}, {way::checked, 8, over_module<ft_checked_8::ft, ft>},
  };
  return all;
}

}  // namespace npb
