#pragma once

#include <cstdint>
#include <memory>

#include <harrier/engine/search_context.hpp>

namespace harrier {

class archive_writer;
class archive_reader;

/// By whom a search is made. What one worker makes need not be ready for others, so an engine may be faster at it.
enum class made_by : std::uint8_t {
  one,      ///< once, until it ends or is stopped; nothing is written down, so save() and load() are not called
  several,  ///< at the same time, and again when all were stopped; what is left can be written down
};

/// A search: by one worker, or by several that share it, each in a thread and with
/// a system of its own. It can be written down while nobody works, to be gone on
/// with later or elsewhere. Where what makes one says so, one worker at a time only.
///
/// Errors: what a program's code throws leaves work() of the worker that ran it;
/// the search can then only be destroyed.
class shared_search {
public:
  shared_search() = default;
  shared_search(const shared_search&) = delete;
  shared_search& operator=(const shared_search&) = delete;
  virtual ~shared_search() = default;

  /// Explores, with the others who call it at the same time, until nothing is left
  /// or `s.watcher` stops. What this worker had left is then handed back, and its
  /// system is where it began. While it has nothing to do it polls its watcher.
  virtual void work(search_context& s) = 0;
  /// Whether everything is explored. @pre nobody works
  [[nodiscard]] virtual bool is_explored() const = 0;
  /// Writes down what is left. @pre nobody works
  virtual void save(archive_writer& to) const = 0;
  /// What `save` wrote, of a search of the same program by the same engine and
  /// options, is what is left. @pre nobody has worked yet
  /// @throws error  it is not.
  virtual void load(archive_reader& from) = 0;
  /// Adds what the engine has to say of its search, beside what its watchers
  /// counted. @pre nobody works
  virtual void conclude(exploration& /*result*/) const {}
};

/// All of it, by one worker. @return whether it came to its end
inline bool explore_alone(search_context& s, shared_search& all) {
  all.work(s);
  return all.is_explored();
}
inline bool explore_alone(search_context& s, const std::unique_ptr<shared_search>& all) {
  return explore_alone(s, *all);
}

}  // namespace harrier
