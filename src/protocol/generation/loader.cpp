// Generated modules as shared objects, cached by content. The compiler is run without a shell.
#include <harrier/protocol/module.hpp>

#include <dlfcn.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include <harrier/core/fingerprint.hpp>

#include "../../core/base/trusted_place.hpp"
#include "../process.hpp"
#include "embedded.hpp"

namespace harrier::protocol {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_file(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) throw compiler_error(fmt::format("cannot write {}", file.string()));
}

// The program and the arguments that go before ours.
std::vector<std::string> compiler() {
  constexpr auto advice = "; the definition can be checked without compiling";
  if (const char* chosen = std::getenv("CXX"); chosen != nullptr && *chosen != '\0') {
    std::istringstream in(chosen);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    const auto program = words.empty() ? program_file() : find_trusted_program(words[0]);
    if (program.path.empty())
      throw compiler_error(fmt::format("there is no compiler `{}` ($CXX){}{}", chosen, advice, program.why_not()));
    words[0] = program.path.string();
    return words;
  }
  std::string why_not;
  for (const auto* name : {"c++", "g++", "clang++"}) {
    const auto program = find_trusted_program(name);
    if (!program.path.empty()) return {program.path.string()};
    if (why_not.empty()) why_not = program.why_not();
  }
  throw compiler_error(fmt::format(
      "there is no C++ compiler (c++, g++, clang++ or $CXX) to compile the module with{}{}", advice, why_not));
}

// Another version of the compiler is another file.
std::string fingerprint(const std::string& program) {
  std::error_code problem;
  const auto file = fs::canonical(program, problem);
  const auto size = fs::file_size(file, problem);
  const auto time = fs::last_write_time(file, problem).time_since_epoch().count();
  return fmt::format("{} {} {}", file.string(), size, time);
}

std::string hash_of_text(std::string_view text) {
  const auto hash = hash_bytes(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.low, hash.high);
}

/// Without the environment's word for it. Empty: there is none.
fs::path home_of_user() {
  const passwd* const user = getpwuid(geteuid());
  return user == nullptr || user->pw_dir == nullptr ? fs::path() : fs::path(user->pw_dir);
}

constexpr auto cache_of_modules = "the cache of compiled modules";
constexpr auto where_else = "set XDG_CACHE_HOME to a folder that only you can write to";

/// Where modules are kept. What is there is executed, so nobody else may write to it. Nothing: there is no home.
std::optional<fs::path> cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (cache != nullptr && *cache == '/') {
    folder = cache;
  } else {
    const auto of_user = home != nullptr && *home == '/' ? fs::path(home) : home_of_user();
    std::error_code ignored;
    if (!of_user.is_absolute() || !fs::is_directory(of_user, ignored)) return {};
    folder = of_user / ".cache";
  }
  folder = folder / "harrier" / "protocol";
  try {
    make_trusted_folder(folder, cache_of_modules, where_else);
  } catch (const compiler_error&) {
    throw;
  } catch (const error& e) {
    throw compiler_error(e.what());
  }
  return folder;
}

std::string source_of(const generated_module& module) {
  // Calls are only tried: without the standard's clocks it is compiled in half of the time.
  return fmt::format(
      "#define HARRIER_WITHOUT_LIMITS\n#include \"module.hpp\"\n#include "
      "<harrier/protocol/probe.hpp>\n\nHARRIER_PROBE({})\n",
      module.class_name);
}

void compile(const std::vector<std::string>& program, const generated_module& module, const fs::path& cache,
             const fs::path& target) {
  const private_folder scratch(cache);
  for (const auto& header : internal::embedded_headers) {
    const auto file = scratch.path() / header.name;
    fs::create_directories(file.parent_path());
    write_file(file, header.text);
  }
  write_file(scratch.path() / "module.hpp", module.code);
  write_file(scratch.path() / "probe.cpp", source_of(module));
  auto command = program;
  for (const auto* flag : {"-std=c++20", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-I"})
    command.emplace_back(flag);
  command.push_back(scratch.path().string());
  for (const auto& word :
       {(scratch.path() / "probe.cpp").string(), std::string("-o"), (scratch.path() / "module.so").string()}) {
    command.push_back(word);
  }
  const auto log = scratch.path() / "log";
  if (internal::run(command, "/dev/null", log) != 0) {
    throw compiler_error(
        fmt::format("{} does not compile the module; the definition can be checked without "
                    "compiling\n{}",
                    program[0], read_file(log).substr(0, 4000)));
  }
  fs::permissions(scratch.path() / "module.so", fs::perms::owner_all);  // whatever the umask is
  fs::rename(scratch.path() / "module.so", target);
}

}  // namespace

loaded_module load(const generated_module& module) {
  const auto program = compiler();
  std::string content = module.code + source_of(module);
  for (const auto& header : internal::embedded_headers) content += header.text;
  for (const auto& word : program) content += word + '\n';
  content += fingerprint(program[0]);
  const auto kept = cache_folder();
  std::optional<private_folder> for_now;
  if (!kept) for_now.emplace();
  const auto cache = kept ? *kept : for_now->path();
  const auto target = cache / (hash_of_text(content) + ".so");
  loaded_module result;
  result.cached_ = fs::exists(target) && who_else_can_write(target).empty();
  if (!result.cached_) compile(program, module, cache, target);
  void* library = dlopen(target.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr && result.cached_) {  // a damaged file: once more
    compile(program, module, cache, target);
    result.cached_ = false;
    library = dlopen(target.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) throw compiler_error(fmt::format("cannot load the compiled module: {}", dlerror()));
  result.library_ = std::shared_ptr<void>(library, dlclose);
  using entry = const harrier_probe* (*)();
  const auto probe = reinterpret_cast<entry>(dlsym(library, "harrier_probe_of_module"));
  if (probe == nullptr) throw compiler_error(fmt::format("{} is not a compiled module", target.string()));
  result.probe_ = probe();
  return result;
}

}  // namespace harrier::protocol
