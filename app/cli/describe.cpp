#include "app/cli/describe.h"

#include <CLI/CLI.hpp>

namespace ranklint::app {

namespace {

// CLI11 puts the words of a check after the name of the value: "LEVEL:{info,warning,error}".
FlagDescription described_flag(const CLI::Option& option) {
  FlagDescription flag{.names = {},
                       .about = option.get_description(),
                       .value = option.get_type_name(),
                       .choices = {},
                       .is_required = option.get_required()};
  for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  if (const size_t open = flag.value.find(":{"); open != std::string::npos && flag.value.ends_with('}')) {
    std::string words = flag.value.substr(open + 2, flag.value.size() - open - 3);
    for (size_t comma = 0; !words.empty(); words.erase(0, comma + 1)) {
      comma = words.find(',');
      flag.choices.push_back(words.substr(0, comma));
      if (comma == std::string::npos) break;
    }
  }
  flag.value.erase(std::min(flag.value.find(':'), flag.value.size()));
  if (const size_t blank = flag.value.find(' '); blank != std::string::npos) flag.value.erase(blank);
  return flag;
}

}  // namespace

CommandDescription describe(const CLI::App& app) {
  CommandDescription command{.name = app.get_name(),
                             .aliases = app.get_aliases(),
                             .about = app.get_description(),
                             .footer = app.get_footer(),
                             .flags = {},
                             .commands = {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) command.flags.push_back(described_flag(*option));
  for (const CLI::App* sub : app.get_subcommands({})) command.commands.push_back(describe(*sub));
  while (command.footer.starts_with('\n')) command.footer.erase(0, 1);
  return command;
}

}  // namespace ranklint::app
