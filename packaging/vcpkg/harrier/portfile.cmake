# An overlay port of the sources that it stands in: vcpkg install harrier --overlay-ports=HARRIER/packaging/vcpkg
# In a registry, vcpkg_from_git says where they are instead.
cmake_path(GET CURRENT_PORT_DIR PARENT_PATH SOURCE_PATH)
cmake_path(GET SOURCE_PATH PARENT_PATH SOURCE_PATH)
cmake_path(GET SOURCE_PATH PARENT_PATH SOURCE_PATH)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    command-line HARRIER_BUILD_CLI
    command-line HARRIER_BUILD_SUBJECTS
    gtest HARRIER_BUILD_GTEST
    protocol HARRIER_BUILD_PROTOCOL
    transport HARRIER_BUILD_TRANSPORT)

# What the folders need is found at configuration, so without its feature a floor is not looked at.
set(FOLDERS core native ordering engine replay explain explore src)
if("command-line" IN_LIST FEATURES)
  list(APPEND FOLDERS report isolation by_hand cli subjects)
endif()
if("gtest" IN_LIST FEATURES)
  list(APPEND FOLDERS gtest)
endif()
if("protocol" IN_LIST FEATURES)
  list(APPEND FOLDERS property protocol_runtime protocol)
endif()
if("transport" IN_LIST FEATURES)
  list(APPEND FOLDERS transport)
endif()

vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    "-DHARRIER_FOLDERS=${FOLDERS}"
    "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}"
    -DHARRIER_BUILD_ANALYSE=OFF
    -DHARRIER_BUILD_CAF=OFF
    -DHARRIER_BUILD_DISTRIBUTED=OFF
    -DHARRIER_BUILD_EXAMPLES=OFF
    -DHARRIER_BUILD_TESTS=OFF
    -DHARRIER_BUILD_WEB=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/harrier)
vcpkg_fixup_pkgconfig()
if("command-line" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES harrier AUTO_CLEAN)
endif()

file(REMOVE_RECURSE
  "${CURRENT_PACKAGES_DIR}/debug/include"
  "${CURRENT_PACKAGES_DIR}/debug/share"
  "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
