// `ranklint completions SHELL` and `ranklint man`.
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/run.h"
#include "app/cli/version.h"
#include "app/shell/completions.h"
#include "app/shell/manual.h"

namespace ranklint::app {

int completions_command(const CompletionsOptions& options, Io& io, const Engine& engine) {
  std::vector<std::string> rules{"ALL"};
  for (const Rule& rule : engine.rules) rules.emplace_back(rule.info->id);
  for (const Rule& rule : engine.rules) rules.emplace_back(rule.info->code);
  const auto script = completion_script(options.shell, describe_commands(), rules);
  if (!script) return fail(io, "there are no completions for `" + options.shell + "`");
  io.out << *script;
  return kClean;
}

int manual_command(Io& io) {
  io.out << manual_page(describe_commands(), RANKLINT_VERSION);
  return kClean;
}

}  // namespace ranklint::app
