#include "app/check/last_word.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "app/check/broken.h"

namespace ranklint::app {
namespace {

// Nothing here but what POSIX lets a signal handler call.
void say(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

std::string_view name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV (perhaps the stack has no room left)";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    default: return "SIGABRT";
  }
}

void handle(int signal) {
  say("ranklint: internal error: ");
  say(name_of(signal));
  if (const CurrentWork* work = CurrentWork::innermost()) {
    say(" in the stage \"");
    say(work->stage);
    say("\" of ");
    say(work->path);
    if (!work->function.empty()) say(", function `");
    say(work->function);
    if (!work->function.empty()) say("`");
  }
  say("\nranklint: ");
  say(kWhatToSend);
  say("\n");
  ::raise(signal);  // its handler is the system's again (SA_RESETHAND)
}

}  // namespace

LastWord::LastWord() {
  struct sigaction action{};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND) | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
}

}  // namespace ranklint::app
