// A function with all that it calls inside it is faster where a call for each element is dear; but instrumented, it
// keeps the compiler busy for most of a minute, and there are many of them in the tests.
#pragma once

#if !defined(NDEBUG) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HARRIER_AS_ONE_FUNCTION
#else
#define HARRIER_AS_ONE_FUNCTION [[gnu::flatten]]
#endif
