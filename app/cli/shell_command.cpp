// `ranklint completions SHELL` and `ranklint man`.
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/version.h"
#include "app/config/schema.h"
#include "app/shell/completions.h"
#include "app/shell/manual.h"

namespace ranklint::app {

namespace {

// Where a key of the configuration is wanted, the keys.
void offer_keys(CommandDescription& command, const nlohmann::ordered_json& keys) {
  for (FlagDescription& flag : command.flags)
    if (flag.value == "KEY")
      for (const auto& [key, about] : keys.items()) flag.choices.push_back(key);
  for (CommandDescription& sub : command.commands) offer_keys(sub, keys);
}

}  // namespace

int completions_command(const CompletionsOptions& options, Io& io, const Engine& engine) {
  std::vector<std::string> rules{"ALL"};
  for (const Rule& rule : engine.rules) rules.emplace_back(rule.info->id);
  for (const Rule& rule : engine.rules) rules.emplace_back(rule.info->code);
  CommandDescription program = describe_commands();
  offer_keys(program, nlohmann::ordered_json::parse(config_schema())["properties"]);
  const auto script = completion_script(options.shell, program, rules);
  if (!script) return fail(io, "there are no completions for `" + options.shell + "`");
  io.out << *script;
  return kClean;
}

int manual_command(Io& io) {
  io.out << manual_page(describe_commands(), RANKLINT_VERSION);
  return kClean;
}

}  // namespace ranklint::app
