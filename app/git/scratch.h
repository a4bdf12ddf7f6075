// A temporary folder that does not outlive the program.
#pragma once

#include <string>

namespace ranklint::app {

// A folder that goes with this value, and also where a signal ends the program: SIGINT, SIGTERM or SIGHUP, unless
// it is ignored or has another handler. Where the program is killed, the folder goes with the next that is made.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  const std::string& path() const { return path_; }  // absolute; empty when none could be made

 private:
  std::string path_;
  int lock_ = -1;  // held while it is in use
};

}  // namespace ranklint::app
