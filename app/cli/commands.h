// One function per command: options in, exit status out.
#pragma once

#include "analyzer/base/result.h"
#include "app/cli/engine.h"
#include "app/cli/io.h"
#include "app/cli/options.h"

namespace ranklint::app {

int check_command(const CheckOptions& options, Io& io, const Engine& engine);
int baseline_command(const BaselineOptions& options, Io& io, const Engine& engine);
int config_command(const ConfigOptions& options, Io& io, const Engine& engine);
int trace_command(const TraceOptions& options, Io& io, const Engine& engine);
int completions_command(const CompletionsOptions& options, Io& io, const Engine& engine);
int manual_command(Io& io);
int rules_command(const RulesOptions& options, Io& io, const Engine& builtin);
int rule_command(const RuleOptions& options, Io& io, const Engine& builtin);
int ir_command(const IrOptions& options, Io& io, const Engine& engine);
int server_command(Io& io, const Engine& engine);
int version_command(Io& io);

// Says what is wrong, as "ranklint: path:line:column: message", and returns the exit status for it.
int fail(Io& io, const Error& error);
int fail(Io& io, const std::string& message);

}  // namespace ranklint::app
