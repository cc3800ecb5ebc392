#pragma once

#include <filesystem>
#include <string>

/// Places from which something is loaded, executed or believed: no other user may be able to write there.
///
/// Who may is judged as ssh and sudo do. The file, each folder on the way to it and each symbolic link belong to this
/// user, to root, or to the owner of this very executable file, who could do anything anyway; and nobody else may write
/// to them. A folder with the sticky bit, like /tmp, may be on the way, since what somebody has there no other can
/// replace. A group that is only its user's own is nobody else.
namespace harrier {

/// Who else could put something else at `path`, as part of a sentence: `/a is owned by user 12`; empty: nobody.
/// What is not there yet is judged by the folders that are.
[[nodiscard]] std::string who_else_can_write(const std::filesystem::path& path);

/// @param what    of what the place is: `the cache of compiled modules`.
/// @param advice  what to do else.
/// @throws error  somebody else can.
void require_trusted(const std::filesystem::path& path, const std::string& what, const std::string& advice);

/// Whether `link` was made by somebody who could be meaning harm: in a folder where everybody may, by another than this
/// user, root and the folder's owner.
[[nodiscard]] bool is_link_of_another(const std::filesystem::path& link);

/// Makes the folder, and those on the way that are not there, for this user alone. @throws error, as require_trusted
/// too.
void make_trusted_folder(const std::filesystem::path& folder, const std::string& what, const std::string& advice);

/// A folder for this user alone in the one for temporary files, gone with this object.
class private_folder {
public:
  /// @throws error  it cannot be made, or the one for temporary files is not to be trusted.
  private_folder();
  /// In another one. @pre that is to be trusted
  explicit private_folder(const std::filesystem::path& inside);
  private_folder(const private_folder&) = delete;
  private_folder& operator=(const private_folder&) = delete;
  ~private_folder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// A program by name, as a shell finds it in $PATH: the first that is in no place where others can write, nor in one
/// that depends on where one is.
struct program_file {
  std::filesystem::path path;  ///< empty: there is none
  std::string passed_over;     ///< why one that came before was not taken; empty: none did

  /// `; ...` for the end of a message that says that there is none.
  [[nodiscard]] std::string why_not() const { return passed_over.empty() ? "" : "; not taken: " + passed_over; }
};
/// @param name  with a slash it is a path, which is taken at its word.
[[nodiscard]] program_file find_trusted_program(const std::string& name);

}  // namespace harrier
