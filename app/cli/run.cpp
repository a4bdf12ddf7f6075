#include "app/cli/run.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "analyzer/base/contain.h"
#include "app/check/broken.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/config/selectors.h"
#include "app/files/paths.h"

namespace ranklint::app {

namespace {

int dispatch(const Command& command, Io& io, const Engine& engine) {
  struct Visitor {
    Io& io;
    const Engine& engine;
    int operator()(const CheckOptions& o) const { return check_command(o, io, engine); }
    int operator()(const BaselineOptions& o) const { return baseline_command(o, io, engine); }
    int operator()(const ConfigOptions& o) const { return config_command(o, io, engine); }
    int operator()(const TraceOptions& o) const { return trace_command(o, io, engine); }
    int operator()(const LowerOptions& o) const { return lower_command(o, io, engine); }
    int operator()(const CleanOptions& o) const { return clean_command(o, io, engine); }
    int operator()(const CompletionsOptions& o) const { return completions_command(o, io, engine); }
    int operator()(const ManualOptions&) const { return manual_command(io); }
    int operator()(const RulesOptions& o) const { return rules_command(o, io, engine); }
    int operator()(const RuleOptions& o) const { return rule_command(o, io, engine); }
    int operator()(const IrOptions& o) const { return ir_command(o, io, engine); }
    int operator()(const ServerOptions&) const { return server_command(io, engine); }
    int operator()(const VersionOptions&) const { return version_command(io); }
  };
  return std::visit(Visitor{io, engine}, command);
}

bool is_command(const std::string& word) {
  const std::vector<std::string>& names = command_names();
  return word == "help" || std::find(names.begin(), names.end(), word) != names.end();
}

bool is_path(const std::string& word, const Io& io) {
  std::error_code ignored;
  return word == "-" || std::filesystem::exists(absolute_path(word, io.cwd), ignored) || word == "/";
}

int run_parsed(std::vector<std::string> args, Io& io, const Engine& engine) {
  if (!args.empty() && !is_command(args[0]) && (args[0] == "-" || !args[0].starts_with('-'))) {
    if (!is_path(args[0], io))
      return fail(io, "`" + args[0] + "` is neither a command nor a path" + did_you_mean(args[0], command_names()));
    args.insert(args.begin(), "check");
  }
  const auto parsed = parse_arguments(std::move(args));
  if (const auto* command = std::get_if<Command>(&parsed)) return dispatch(*command, io, engine);
  const auto& usage = std::get<UsageMessage>(parsed);
  if (usage.is_error) return fail(io, usage.text);
  io.out << usage.text;
  return kClean;
}

}  // namespace

// Nothing below throws by intent; a bug that shows outside of what is judged, and what a library or the end of memory
// throws, still ends in a sentence.
int run(const std::vector<std::string>& args, Io& io, const Engine& engine) {
  int status = kFailure;
  if (const std::optional<std::string> what = contain([&] { status = run_parsed(args, io, engine); }))
    return fail(io, "internal error: " + *what + "\nranklint: " + std::string(kWhatToSend));
  return status;
}

}  // namespace ranklint::app
