#pragma once

namespace harrier {

enum class leak_report { standard_error, nowhere };

/// Whether LeakSanitizer finds memory to which nothing points any more; false
/// where it is not in the program. Some ten milliseconds.
bool leaks_memory(leak_report to);

}  // namespace harrier
