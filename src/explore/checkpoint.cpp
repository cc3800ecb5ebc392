// A checkpoint: a line that says what the file is, the subject, the content, and
// 128 bits that stand for all before them.
#include "checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <streambuf>

#include <harrier/core/error.hpp>

#include "../core/base/trusted_place.hpp"

namespace harrier {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view first_line = "harrier checkpoint 3\n";

/// XXH3 of what goes by.
class running_hash {
public:
  running_hash() : state_(XXH3_createState(), XXH3_freeState) { XXH3_128bits_reset(state_.get()); }
  void add(const char* bytes, std::size_t size) { XXH3_128bits_update(state_.get(), bytes, size); }
  [[nodiscard]] fingerprint value() const {
    const auto digest = XXH3_128bits_digest(state_.get());
    return {digest.low64, digest.high64};
  }

private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

/// What a chain of links leads to is written, and the links stay.
std::string end_of_links(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_symlink(path, ignored)) return path;
  if (is_link_of_another(path))
    throw error(
        fmt::format("cannot write the checkpoint {}: it is a link that another user made in a folder that is shared; "
                    "give another file",
                    path));
  const auto target = fs::weakly_canonical(path, ignored);
  return ignored ? path : target.string();
}

/// A file that comes into being when it is complete.
class whole_file : private std::streambuf {
public:
  explicit whole_file(const std::string& path) : path_(end_of_links(path)), part_(path_ + ".XXXXXX"), stream_(this) {
    require_place_for_file(path_);
    file_ = mkostemp(part_.data(), O_CLOEXEC);
    if (file_ < 0) fail();
    struct stat old {};
    const auto mask = umask(0);
    umask(mask);
    static_cast<void>(fchmod(file_, ::stat(path_.c_str(), &old) == 0 ? old.st_mode & 07777U : 0644U & ~mask));
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;
  ~whole_file() override {
    if (file_ >= 0) close(file_);
    if (!part_.empty()) unlink(part_.c_str());
  }

  std::ostream& stream() { return stream_; }
  /// @throws error
  void finish() {
    flush();
    const auto all = hash_.value();
    write_all(reinterpret_cast<const char*>(&all), sizeof all);
    if (failed_ != 0) errno = failed_, fail();
    if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail();
    if (close(std::exchange(file_, -1)) != 0) fail();
    if (rename(part_.c_str(), path_.c_str()) != 0) fail();
    part_.clear();
    sync_folder();
  }

private:
  [[noreturn]] void fail() const {
    throw error(fmt::format("cannot write the checkpoint {}: {}; give another file, or make room", path_,
                            std::strerror(errno)));
  }
  /// A rename that is lost with the power is never half done: no failure.
  void sync_folder() const {
    auto folder = fs::path(path_).parent_path();
    if (folder.empty()) folder = ".";
    const int opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    static_cast<void>(fsync(opened));
    close(opened);
  }
  int_type overflow(int_type next) override {
    flush();
    if (next != traits_type::eof()) sputc(traits_type::to_char_type(next));
    return 0;
  }
  void flush() {
    const auto size = static_cast<std::size_t>(pptr() - pbase());
    hash_.add(pbase(), size);
    write_all(pbase(), size);
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }
  void write_all(const char* bytes, std::size_t size) {
    while (size > 0 && failed_ == 0) {
      const auto written = ::write(file_, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        failed_ = errno;
        return;
      }
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  std::string path_, part_;
  int file_ = -1;
  int failed_ = 0;
  std::array<char, 1 << 16> buffer_{};
  running_hash hash_;
  std::ostream stream_;
};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw error(fmt::format("cannot resume {}: {}", path, why));
}

/// What is at `path`, if it is no file. To open a pipe may be to wait for ever, and a device may have no end.
std::string what_is_no_file(const std::string& path) {
  std::error_code ignored;
  switch (fs::status(path, ignored).type()) {
    case fs::file_type::directory: return "a folder";
    case fs::file_type::fifo: return "a pipe";
    case fs::file_type::socket: return "a socket";
    case fs::file_type::block:
    case fs::file_type::character: return "a device";
    default: return {};
  }
}

/// @throws error unless it can be one that write_checkpoint wrote.
std::ifstream open_checkpoint(const std::string& path) {
  if (const auto what = what_is_no_file(path); !what.empty())
    refuse(path, fmt::format("it is {}; --checkpoint FILE writes one", what));
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, fmt::format("{}; --checkpoint FILE writes one", std::strerror(errno)));
  return file;
}

/// @throws error unless the file is one that write_checkpoint wrote, to its end.
void check_whole(const std::string& path, std::ifstream& file) {
  std::string start(first_line.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  if (start.empty()) refuse(path, "it is empty; --checkpoint FILE writes one");
  if (start != first_line && !first_line.starts_with(start))
    refuse(path, "it is not a checkpoint of this version of harrier");
  running_hash hash;
  hash.add(start.data(), start.size());
  const auto size = fs::file_size(path);
  auto left = size < start.size() + sizeof(fingerprint) ? 0 : size - start.size() - sizeof(fingerprint);
  std::vector<char> buffer(1 << 16);
  while (left > 0 &&
         file.read(buffer.data(), static_cast<std::streamsize>(std::min<std::uintmax_t>(left, buffer.size())))) {
    hash.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
    left -= static_cast<std::uintmax_t>(file.gcount());
  }
  fingerprint written;
  file.read(reinterpret_cast<char*>(&written), sizeof written);
  if (!file || written != hash.value())
    refuse(path, "it is damaged: its end, or something in it, is not as it was written");
  // Who changes it can make what was never searched pass for explored.
  if (const auto who = who_else_can_write(path); !who.empty())
    refuse(path, "another user could have changed it: " + who + "; copy it to a folder that only you can write to");
  file.clear();
  file.seekg(static_cast<std::streamoff>(first_line.size()));
}

std::string difference(const std::string& name, const std::string* there, const std::string* here) {
  const auto value = [](const std::string* text) { return text == nullptr ? std::string("not given") : *text; };
  return fmt::format("{} is {} there and {} here", name, value(there), value(here));
}

std::map<std::string, std::string> read_subject(archive_reader& from) {
  std::map<std::string, std::string> subject;
  from.list([&] {
    const auto name = from.text();
    subject[name] = from.text();
  });
  return subject;
}

}  // namespace

std::string build_of_this_binary() {
  std::string id;
  const auto look = [](dl_phdr_info* object, std::size_t, void* found) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& part = object->dlpi_phdr[i];
      if (part.p_type != PT_NOTE) continue;
      const auto* at = reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr);
      const auto* const end = at + part.p_memsz;
      const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
      while (at + sizeof(ElfW(Nhdr)) <= end) {
        ElfW(Nhdr) note;
        std::memcpy(&note, at, sizeof note);
        const auto* const name = at + sizeof note;
        const auto* const content = name + padded(note.n_namesz);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
          for (std::size_t b = 0; b < note.n_descsz; ++b)
            *static_cast<std::string*>(found) += fmt::format("{:02x}", static_cast<unsigned char>(content[b]));
        at = content + padded(note.n_descsz);
      }
    }
    return 1;  // the executable is the first; no other
  };
  dl_iterate_phdr(look, &id);
  if (!id.empty()) return id;
  running_hash hash;  // linked without a build id
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::vector<char> buffer(1 << 16);
  while (self.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || self.gcount() > 0)
    hash.add(buffer.data(), static_cast<std::size_t>(self.gcount()));
  return fmt::format("{:016x}{:016x}", hash.value().high, hash.value().low);
}

void require_place_for_file(const std::string& path) {
  std::error_code ignored;
  if (const auto there = fs::status(path, ignored); fs::exists(there) && !fs::is_regular_file(there))
    throw error(fmt::format("--checkpoint {}: a folder, a pipe or a device is there; give the name of a file", path));
}

void write_checkpoint(const std::string& path, const checkpoint_subject& subject,
                      const std::function<void(archive_writer&)>& content) {
  whole_file file(path);
  file.stream() << first_line;
  archive_writer to(file.stream());
  to.list(subject, [&](const auto& of) {
    to.text(of.first);
    to.text(of.second);
  });
  content(to);
  file.finish();
}

std::string said_by_checkpoint(const std::string& path, std::string_view name) {
  auto file = open_checkpoint(path);
  check_whole(path, file);
  archive_reader from(file);
  return read_subject(from)[std::string(name)];
}

std::string engine_of_checkpoint(const std::string& path) { return said_by_checkpoint(path, engine_of_subject); }

void read_checkpoint(const std::string& path, const checkpoint_subject& subject,
                     const std::function<void(archive_reader&)>& content) {
  auto file = open_checkpoint(path);
  check_whole(path, file);
  archive_reader from(file);
  const auto there = read_subject(from);
  const std::map<std::string, std::string> here(subject.begin(), subject.end());
  std::vector<std::string> different;
  const auto value_in = [](const auto& all, const std::string& name) {
    const auto found = all.find(name);
    return found == all.end() ? nullptr : &found->second;
  };
  for (const auto& [name, value] : subject)
    if (const auto* other = value_in(there, name); other == nullptr || *other != value)
      different.push_back(difference(name, other, &value));
  for (const auto& [name, value] : there)
    if (value_in(here, name) == nullptr) different.push_back(difference(name, &value, nullptr));
  if (!different.empty())
    refuse(path, fmt::format("it belongs to another search; {}. Without --resume the search starts from the beginning",
                             fmt::join(different, ", ")));
  content(from);
}

}  // namespace harrier
