"""What `scripts/check-includes --self-test` writes into a folder, and what it must say of it: (file, text[, complaint])."""

RIGHT = [
    ("include/harrier/core/a.hpp", "#include <vector>\n#include <fmt/core.h>\n"),
    ("include/harrier/core/b.hpp", "#include <harrier/core/a.hpp>\n"),
    ("include/harrier/native/a.hpp", '#include "harrier/core/a.hpp"\n'),
    ("include/harrier/explore/a.hpp", "#include <harrier/core/a.hpp>\n#include <harrier/ordering/a.hpp>\n"),
    ("include/harrier/harrier.hpp", "#include <harrier/explore/a.hpp>\n#include <harrier/native/a.hpp>\n"),
    ("include/harrier/gtest.hpp", "#include <gtest/gtest.h>\n#include <harrier/harrier.hpp>\n"),
    ("src/engine/a.cpp", '#include "own.hpp"\n#include "../ordering/own.hpp"\n'),
    ("src/engine/own.hpp", ""),
    ("src/ordering/own.hpp", ""),
    ("src/isolation/own.hpp", "#include <harrier/explore/a.hpp>\n#include <harrier/report/a.hpp>\n"),
    ("src/distributed/a.cpp", '#include "../isolation/own.hpp"\n'),
    ("src/adapter/reexecution/own.hpp", ""),
    ("src/adapter/caf/a.cpp", '#include <caf/all.hpp>\n#include "../reexecution/own.hpp"\n'),
    ("src/analyse/a.cpp", "#include <clang-c/Index.h>\n#include <harrier/core/a.hpp>\n"),
    ("src/cli/a.cpp", "#include <harrier/harrier.hpp>\n#include <CLI/CLI.hpp>\n"),
    ("src/cli/own.hpp", ""),
    ("src/CMakeLists.txt", "harrier_library(harrier HEADERS harrier.hpp LINKS harrier::native)\n"),
    ("src/ordering/CMakeLists.txt", 'set(files a.cpp "${CMAKE_CURRENT_SOURCE_DIR}/b.cpp") # (\n'
     'harrier_library(ordering HEADERS ordering/a.hpp SOURCES ${files} LINKS harrier::core ${OTHERS})\n'),
    ("src/protocol/CMakeLists.txt", "file(CONFIGURE OUTPUT e.cpp CONTENT [=[ ../cli/a.cpp ( ]=])\n"
     'target_sources(x PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/e.cpp")\n'),
    ("src/cli/CMakeLists.txt", "add_executable(harrier $<IF:$<TARGET_EXISTS:harrier::subjects>,a.cpp,b.cpp>)\n"),
    ("tests/engine/CMakeLists.txt", "set(read a.cpp)\nlist(TRANSFORM read PREPEND ${harrier_SOURCE_DIR}/src/engine/)\n"
     "add_custom_command(OUTPUT m.cpp DEPENDS ${read})\nadd_library(differential ../litmus/random_program.cpp)\n"),
    ("tests/protocol/fuzz/CMakeLists.txt", "set(s a b)\nlist(TRANSFORM s PREPEND ${harrier_SOURCE_DIR}/src/protocol/)\n"
     "list(TRANSFORM s APPEND .cpp)\nadd_executable(fuzzer ${s})\n"),
    ("src/adapter/caf/CMakeLists.txt", "set(version v1)\nharrier_library(caf SOURCES a.cpp ${version}/b.cpp LINKS harrier::reexecution)\n"),
]

# Each wrong in its line 2.
WRONG = [
    ("include/harrier/core/w.hpp", "\n#include <harrier/native/a.hpp>\n", "core may not see native"),
    ("include/harrier/ordering/w.hpp", "\n#  include <harrier/engine/a.hpp>\n", "ordering may not see engine"),
    ("include/harrier/report/w.hpp", '\n#include "../native/a.hpp"\n', "report may not see native"),
    ("include/harrier/explain/w.hpp", "\n#include <harrier/engine/a.hpp>\n", "explain may not see engine"),
    ("include/harrier/explore/w.hpp", "\n#include <harrier/harrier.hpp>\n", "explore may not see umbrella"),
    ("include/harrier/engine/w.hpp", '\n#include "../../../src/engine/own.hpp"\n', "not installed"),
    ("include/harrier/core/x.hpp", "\n#include <harrier/nowhere/a.hpp>\n", "nowhere is no floor"),
    ("include/harrier/web/w.hpp", "\n#include <harrier/isolation/a.hpp>\n", "web may not see isolation"),
    ("include/harrier/gtest/w.hpp", "\n#include <harrier/cli/main.hpp>\n", "gtest may not see cli"),
    ("src/native/w.cpp", "\n#include <harrier/property/a.hpp>\n", "native may not see property"),
    ("src/report/w.cpp", '\n#include "engine/own.hpp"\n', "report may not see engine"),
    ("src/report/v.cpp", "\n#include <clang-c/Index.h>\n", "only analyse may include"),
    ("src/report/x.cpp", "\n#include <gtest/gtest.h>\n", "only gtest may include"),
    ("src/isolation/w.cpp", '\n#include "../cli/own.hpp"\n', "isolation may not see cli"),
    ("src/adapter/reexecution/w.cpp", "\n#include <harrier/adapter/caf/a.hpp>\n", "adapter/reexecution may not see adapter/caf"),
    ("src/isolation/CMakeLists.txt", "\nharrier_library(isolation SOURCES a.cpp ../cli/a.cpp LINKS harrier::explore)\n",
     "src/isolation may not compile a file of another folder (../cli/a.cpp)"),
    ("src/core/CMakeLists.txt", "\ntarget_sources(harrier_core PRIVATE ${harrier_SOURCE_DIR}/src/native/world.cpp)\n",
     "src/core may not compile"),
    ("src/native/CMakeLists.txt", "set(files ../core/a.cpp)\nadd_executable(command EXCLUDE_FROM_ALL a.cpp ${files})\n",
     "src/native may not compile"),
    ("src/engine/CMakeLists.txt", "\nharrier_library(engine SOURCES a.cpp ${found_elsewhere})\n", "cannot be read here"),
    ("src/explore/CMakeLists.txt", "\nharrier_library(explore HEADERS engine/a.hpp)\n", "explore may not install engine/a.hpp"),
    ("src/report/CMakeLists.txt", "\nharrier_library(report PRIVATE_LINKS harrier::isolation)\n",
     "report may not see isolation"),
    ("src/property/CMakeLists.txt", "\ntarget_link_libraries(harrier_property PRIVATE $<TARGET_NAME_IF_EXISTS:harrier_cli>)\n",
     "property may not see cli"),
    ("src/web/CMakeLists.txt", "file(CONFIGURE CONTENT [=[ ( ]=]) # (\nharrier_library(web SOURCES ../cli/a.cpp)\n",
     "src/web may not compile"),
    ("src/nowhere/CMakeLists.txt", "\nharrier_library(nowhere)\n", "nowhere is no floor"),
    ("tests/native/CMakeLists.txt", "\nharrier_test(native SOURCES ../../src/native/world.cpp)\n", "may not compile"),
    ("tests/protocol/CMakeLists.txt", "\nadd_executable(x ${harrier_SOURCE_DIR}/src/protocol/a.cpp)\n", "may not compile"),
    ("bench/CMakeLists.txt", "\nadd_executable(bench ../tests/litmus/a.cpp)\n", "bench may not compile"),
    ("subjects/CMakeLists.txt", "\nadd_library(subjects $<$<CONFIG:Debug>:../src/cli/list.cpp>)\n", "subjects may not compile"),
]

# Floors that see one another, or one that is none.
WRONG_ARROWS = [{"a": ["b"], "b": ["a"]}, {"a": ["a"]}, {"a": ["b"], "b": ["c"], "c": ["b"]}, {"a": ["nowhere"]}]
RIGHT_ARROWS = [{"a": ["b", "c"], "b": ["c"], "c": []}]
