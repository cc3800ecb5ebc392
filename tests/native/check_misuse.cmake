# Compiles SOURCE (syntax only) and looks at what the compiler says: it must say what the file's first line expects,
# or accept a file that expects that.
file(STRINGS "${SOURCE}" first LIMIT_COUNT 1)
string(REPLACE "|" ";" flags "${FLAGS}")
execute_process(COMMAND "${COMPILER}" ${flags} -std=c++20 -fsyntax-only "${SOURCE}"
                RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(first MATCHES "expect-accepted")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "should compile, but:\n${said}")
  endif()
  return()
endif()
string(REGEX REPLACE "^// expect: " "" expected "${first}")
if(status EQUAL 0)
  message(FATAL_ERROR "compiles, but should be rejected with: ${expected}")
elseif(NOT said MATCHES "${expected}")
  message(FATAL_ERROR "is rejected without saying '${expected}':\n${said}")
endif()
