// Waits until something changes in folders (inotify). Folders are watched, not files: an editor that saves writes
// another file and moves it into place, and a new file has to be seen as well.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "analyzer/base/result.h"

namespace ranklint::app {

class Watcher {
 public:
  // Whether a change to a name in a folder is worth waking up for.
  using Matters = std::function<bool(const std::string& folder, std::string_view name, bool is_folder)>;

  static Result<Watcher> open();
  Watcher(Watcher&& other) noexcept;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher();

  // Watches these folders, absolute, and no others. One that is not there is passed over; that the system allows no
  // more of them is an error.
  std::optional<Error> watch(const std::set<std::string>& folders);

  // Sleeps until something that matters has changed since the last call (or since it is watched), and then until
  // nothing has for `quiet`: saving many files is one change. False: `stop` became readable.
  bool wait(const Matters& matters, std::chrono::milliseconds quiet, int stop) const;

 private:
  explicit Watcher(int fd) : fd_(fd) {}
  bool read_events(const Matters& matters) const;

  int fd_ = -1;
  std::map<int, std::string> folders_;  // by the number that the system gave
};

}  // namespace ranklint::app
