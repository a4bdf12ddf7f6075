// Folders that are removed when SIGINT, SIGTERM or SIGHUP ends the program.
#pragma once

#include <csignal>
#include <string>

namespace ranklint::app {

// While it lives these signals wait, for this thread.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

// From now on the folder goes when such a signal ends the program; one that is ignored, or handled by somebody else, is
// left to that. To be called by the thread that waits for what is done in the folder: it is stopped where it is while
// the folder goes, so that nothing is reported from a folder half gone. Not for more than a few folders at a time: more
// stay.
void remove_on_signal(const std::string& folder);

// The opposite.
void keep_on_signal(const std::string& folder);

}  // namespace ranklint::app
