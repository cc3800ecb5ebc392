# The actor library CAF, 0.17 (Debian's libcaf-dev has no CMake files) or 1.1: target CAF::core. CAF_ROOT or CMAKE_PREFIX_PATH say
# where, for one that is not the system's.
include(FindPackageHandleStandardArgs)

find_path(CAF_INCLUDE_DIR caf/all.hpp)
find_library(CAF_core_LIBRARY caf_core)
mark_as_advanced(CAF_INCLUDE_DIR CAF_core_LIBRARY)
if(CAF_INCLUDE_DIR)
  file(STRINGS "${CAF_INCLUDE_DIR}/caf/config.hpp" number REGEX "^#define CAF_VERSION [0-9]+")
  if(number)
    string(REGEX MATCH "[0-9]+$" number "${number}")
    math(EXPR major "${number} / 10000")
    math(EXPR minor "${number} / 100 % 100")
    math(EXPR patch "${number} % 100")
    set(CAF_VERSION "${major}.${minor}.${patch}")
  else()
    file(STRINGS "${CAF_INCLUDE_DIR}/caf/detail/build_config.hpp" CAF_VERSION REGEX "^#define CAF_VERSION_STR ")
    string(REGEX MATCH "[0-9.]+" CAF_VERSION "${CAF_VERSION}")
  endif()
endif()
find_package_handle_standard_args(CAF REQUIRED_VARS CAF_core_LIBRARY CAF_INCLUDE_DIR VERSION_VAR CAF_VERSION HANDLE_VERSION_RANGE)
if(CAF_FOUND AND NOT TARGET CAF::core)
  add_library(CAF::core SHARED IMPORTED)
  set_target_properties(CAF::core PROPERTIES
    IMPORTED_LOCATION "${CAF_core_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CAF_INCLUDE_DIR}")
endif()
