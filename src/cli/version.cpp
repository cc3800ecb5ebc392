#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "extensions.hpp"

namespace harrier {

/// Of the sources, as cmake/write_commit.cmake found it; empty: unknown. In a
/// file of its own, which alone is compiled anew after a commit.
const char* commit_built_from();

namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string standard_library() {
#if defined(_LIBCPP_VERSION)
  return fmt::format("libc++ {}", _LIBCPP_VERSION);
#else
  return fmt::format("libstdc++ {}", _GLIBCXX_RELEASE);
#endif
}

std::string built_by() {
  std::vector<std::string> words = {compiler(), standard_library()};
  if (const std::string type = HARRIER_BUILD_TYPE; !type.empty()) words.push_back(type);
#if defined(__SANITIZE_ADDRESS__)
  words.push_back("AddressSanitizer");
#endif
#if defined(HARRIER_NO_INVARIANTS)
  words.push_back("no checks of invariants");
#endif
  return fmt::format("{}", fmt::join(words, ", "));
}

struct optional_part {
  std::string name;
  bool is_there;
};

std::vector<optional_part> parts(const extensions& more) {
  const std::string caf = HARRIER_CAF_VERSION;
  return {{"protocols", more.add_commands != nullptr},
          {"brokers", more.at_broker != nullptr},
          {"analyse", more.reads_sources != nullptr},
          {"pages", more.makes_pages != nullptr},
          {caf.empty() ? "CAF" : "CAF " + caf, !caf.empty()}};
}

std::string names_of(const std::vector<optional_part>& all, bool there) {
  std::vector<std::string> names;
  for (const auto& part : all)
    if (part.is_there == there) names.push_back(part.name);
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string version_line() { return "harrier " HARRIER_VERSION; }

std::string version_text(const extensions& more) {
  const std::string commit = commit_built_from();
  const auto all = parts(more);
  return fmt::format("{}\nbuilt from  {}\nbuilt by    {}\nbuilt in    {}\nleft out    {}", version_line(),
                     commit.empty() ? "sources without a commit" : "commit " + commit, built_by(), names_of(all, true),
                     names_of(all, false));
}

}  // namespace harrier
