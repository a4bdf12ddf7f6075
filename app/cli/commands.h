// One function per command: options in, exit status out.
#pragma once

#include "app/check/engine.h"
#include "app/check/io.h"
#include "app/check/options.h"

namespace ranklint::app {

int check_command(const CheckOptions& options, Io& io, const Engine& engine);
int baseline_command(const BaselineOptions& options, Io& io, const Engine& engine);
int config_command(const ConfigOptions& options, Io& io, const Engine& engine);
int trace_command(const TraceOptions& options, Io& io, const Engine& engine);
int lower_command(const LowerOptions& options, Io& io, const Engine& engine);
int clean_command(const CleanOptions& options, Io& io, const Engine& engine);
int completions_command(const CompletionsOptions& options, Io& io, const Engine& engine);
int manual_command(Io& io);
int rules_command(const RulesOptions& options, Io& io, const Engine& builtin);
int rule_command(const RuleOptions& options, Io& io, const Engine& builtin);
int ir_command(const IrOptions& options, Io& io, const Engine& engine);
int server_command(Io& io, const Engine& engine);
int version_command(Io& io);

}  // namespace ranklint::app
