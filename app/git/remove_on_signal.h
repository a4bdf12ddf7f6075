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

// From now on the folder goes when such a signal ends the program; a signal that is ignored, or that has another
// handler, does not remove it. The caller is the thread that waits for the work in the folder: it stops while the
// folder goes, so that nothing is reported from a folder half gone. Not for more than a few folders at a time: more
// stay.
void remove_on_signal(const std::string& folder);

// The opposite.
void keep_on_signal(const std::string& folder);

}  // namespace ranklint::app
