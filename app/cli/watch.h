// `ranklint check --watch`: a check, and another after each change.
//
// What is watched is found before a check begins, so that a change during it is not lost. Every check is a whole one,
// by the configuration as it is then.
#pragma once

#include <functional>

#include "app/check/engine.h"
#include "app/check/io.h"
#include "app/check/options.h"

namespace ranklint::app {

// Runs `check` until the user ends it (Ctrl-C, SIGTERM) or Io::stop_fd is readable; the last check's status.
int watch_sources(const CheckOptions& options, Io& io, const Engine& engine, const std::function<int()>& check);

}  // namespace ranklint::app
