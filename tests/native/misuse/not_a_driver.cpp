// expect: a driver is a function that takes harrier::self&
#include <harrier/harrier.hpp>
const auto result = harrier::explore([](int) {});
