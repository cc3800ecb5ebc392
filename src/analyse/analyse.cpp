#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <harrier/analyse/analyse.hpp>
#include <harrier/core/error.hpp>

#include "cursors.hpp"
#include "program.hpp"

extern "C" [[gnu::weak]] void __lsan_disable();
extern "C" [[gnu::weak]] void __lsan_enable();

namespace harrier {
namespace {

/// What Clang does not give back of some sources is not ours to free: a build with sanitizers does not look for it,
/// which it can do within one thread only.
class no_leak_check {
public:
  no_leak_check() {
    if (__lsan_disable == nullptr) return;
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    __lsan_disable();
  }
  no_leak_check(const no_leak_check&) = delete;
  no_leak_check& operator=(const no_leak_check&) = delete;
  ~no_leak_check() {
    if (__lsan_enable != nullptr) __lsan_enable();
  }
};

struct closes_index {
  void operator()(void* index) const { clang::disposeIndex(index); }
};
struct closes_unit {
  void operator()(CXTranslationUnit unit) const { clang::disposeTranslationUnit(unit); }
};
using parsed_unit = std::unique_ptr<std::remove_pointer_t<CXTranslationUnit>, closes_unit>;

parsed_unit parse(CXIndex index, const analysis_request& request) {
  namespace fs = std::filesystem;
  auto flags = request.flags;
  if (std::none_of(flags.begin(), flags.end(), [](const std::string& f) { return f.substr(0, 5) == "-std="; }))
    flags.emplace_back("-std=c++20");
  // GCC's own flags are none of Clang's, and what Clang alone warns of is not asked here.
  for (const auto* flag : {"-xc++", "-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument", "-w"})
    flags.emplace_back(flag);
  std::vector<const char*> raw;
  for (const auto& flag : flags) raw.push_back(flag.c_str());
  const auto file = fs::absolute(request.file).lexically_normal().string();
  const auto header = request.but_for.empty() ? "" : fs::absolute(request.but_for).lexically_normal().string();
  CXUnsavedFile empty{header.c_str(), "", 0};
  CXTranslationUnit unit = nullptr;
  const auto failed =
      clang::parseTranslationUnit2(index, file.c_str(), raw.data(), static_cast<int>(raw.size()), &empty,
                                   request.but_for.empty() ? 0 : 1, CXTranslationUnit_KeepGoing, &unit);
  if (failed != CXError_Success) throw error("libclang cannot read " + request.file + " with these flags");
  return parsed_unit(unit);
}

/// Clang alone minds that a header of harrier's asks what a type could be converted to, if that type is in a namespace
/// without a name. Everything has been read by then.
bool is_about_linkage(const std::string& error) {
  return error.find("type does not have linkage") != std::string::npos;
}

std::vector<source_remark> errors_of(CXTranslationUnit unit) {
  std::vector<source_remark> all;
  const unsigned count = clang::getNumDiagnostics(unit);
  for (unsigned i = 0; i < count; ++i) {
    const auto d = clang::getDiagnostic(unit, i);
    auto what = clang::text(clang::getDiagnosticSpelling(d));
    if (clang::getDiagnosticSeverity(d) >= CXDiagnostic_Error && !is_about_linkage(what)) {
      CXFile file = nullptr;
      unsigned line = 0;
      clang::getFileLocation(clang::getDiagnosticLocation(d), &file, &line, nullptr, nullptr);
      all.push_back({{file == nullptr ? std::string() : clang::text(clang::getFileName(file)), line}, std::move(what)});
    }
    clang::disposeDiagnostic(d);
  }
  return all;
}

}  // namespace

analysed_source analyse(const analysis_request& request) {
  if (!std::filesystem::is_regular_file(request.file)) throw error("there is no file " + request.file);
  const no_leak_check of_clang;
  const std::unique_ptr<void, closes_index> index(clang::createIndex(0, 0));
  const auto unit = parse(index.get(), request);
  analysed_source result;
  result.errors = errors_of(unit.get());
  if (result.errors.empty()) result.handlers = clang::actor_program(unit.get()).handlers();
  return result;
}

}  // namespace harrier
