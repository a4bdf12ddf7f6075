#include "app/cli/commands.h"

namespace ranklint::app {

int server_command(Io& io, const Engine& engine) {
  if (!engine.serve || !io.read_some) return fail(io, "this build has no language server");
  if (io.out_is_terminal)
    io.err << "ranklint: this is the language server, which an editor starts and talks to on standard input and "
              "output; Ctrl-D ends it\n";
  return engine.serve(engine, io);
}

}  // namespace ranklint::app
