#include "restarting.hpp"

#include <utility>

#include <harrier/native/storage.hpp>

namespace harrier::detail {
namespace {

thread_local bool restarts = false;

}  // namespace

restarting::restarting(bool is_so) : before_(std::exchange(restarts, is_so)) {}
restarting::~restarting() { restarts = before_; }

bool is_restarting() { return restarts; }

}  // namespace harrier::detail
