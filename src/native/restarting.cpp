#include "restarting.hpp"

#include <utility>

namespace harrier::detail {
namespace {

thread_local auto stage = restart_stage::none;

}  // namespace

restarting::restarting(restart_stage now) : before_(std::exchange(stage, now)) {}
restarting::~restarting() { stage = before_; }

restart_stage stage_of_restart() { return stage; }

}  // namespace harrier::detail
