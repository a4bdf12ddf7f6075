#include "app/cli/commands.h"
#include "app/cli/run.h"

namespace ranklint::app {

int server_command(Io& io, const Engine& engine) {
  if (!engine.serve || !io.read_some) return fail(io, "this build has no language server");
  return engine.serve(engine, io);
}

}  // namespace ranklint::app
