// What a run says when a signal ends it that a bug of ours has raised.
#pragma once

#include "analyzer/base/current_work.h"

namespace ranklint::app {

// While it lives, the process says what it was at before such a signal ends it.
class LastWord {
 public:
  LastWord();

 private:
  SignalStack stack_;
};

}  // namespace ranklint::app
