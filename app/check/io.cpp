#include "app/check/io.h"

namespace ranklint::app {

int fail(Io& io, const std::string& message) {
  io.err << "ranklint: " << message << (message.ends_with('\n') ? "" : "\n");
  return kFailure;
}

int fail(Io& io, const Error& error) {
  std::string place = error.path;
  if (error.line != 0) place += ":" + std::to_string(error.line) + ":" + std::to_string(error.column);
  return fail(io, place.empty() ? error.message : place + ": " + error.message);
}

}  // namespace ranklint::app
