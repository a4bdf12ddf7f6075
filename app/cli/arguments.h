// The flags of every command, declared to the parser.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/check/options.h"
#include "app/shell/description.h"

namespace ranklint::app {

struct VersionOptions {};

// What the user asked for.
using Command = std::variant<CheckOptions, BaselineOptions, ConfigOptions, TraceOptions, LowerOptions, CleanOptions,
                             CompletionsOptions, ManualOptions, RulesOptions, RuleOptions, IrOptions, ServerOptions,
                             VersionOptions>;

// What to say instead of running a command: help, or what is wrong with the arguments.
struct UsageMessage {
  std::string text;
  bool is_error = false;
};

std::variant<Command, UsageMessage> parse_arguments(std::vector<std::string> args);

// What the parser knows, as data.
CommandDescription describe_commands();

// The names of the commands.
const std::vector<std::string>& command_names();

}  // namespace ranklint::app
