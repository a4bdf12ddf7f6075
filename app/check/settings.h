// What holds in a run: flags over the configuration file over defaults.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/base/result.h"
#include "app/check/engine.h"
#include "app/check/io.h"
#include "app/check/options.h"
#include "app/config/config.h"
#include "app/files/discover.h"

namespace ranklint::app {

struct PerFileIgnore {
  IgnorePatterns pattern;
  std::vector<std::string> selectors;
};

struct Settings {
  std::string config_path;  // empty: none
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::vector<PerFileIgnore> per_file_ignores;
  Severity min_severity = Severity::Warning;
  Confidence min_confidence = Confidence::Likely;
  OutputFormat format = OutputFormat::Full;
  bool color = false;
  DiscoveryOptions discovery;
  std::vector<std::string> models;   // absolute
  std::vector<std::string> src;      // absolute
  std::string build_folder;          // absolute; empty: not given
  std::string baseline;              // absolute; empty: none
  std::string cache_folder;          // absolute; empty: none
  bool fail_on_unread = false;       // a file that was not read makes the run fail
  bool strict = false;               // so does all else that was not checked
  std::vector<std::string> lowered;  // absolute: folders that `ranklint lower` wrote
  std::string top;                   // absolute: the top of the project, where it is known; empty: it is looked for

  // Whether the rule is on in a file. `unreadable-source` stays on until it is ignored by name: that a file was
  // not checked must not be lost because one looks for something else.
  bool selected(const RuleInfo& rule, const std::string& absolute_path) const;
  // Whether a rule that is on by default is ignored in a file, even if other settings select it.
  bool is_ignored(const RuleInfo& rule, const std::string& absolute_path) const;
};

// The configuration file that counts; empty: none.
std::string config_path_of(const CheckOptions& options, const Io& io);

// What the configuration file of a run says; nothing of it where there is none.
Result<Config> config_of(const CheckOptions& options, const Io& io, std::span<const Rule> rules);

// The files of declarative rules that hold, absolute: what the configuration names, then `--rules`.
Result<std::vector<std::string>> rule_files_of(const CheckOptions& options, const Io& io);

// The variable of the environment that says where the cache lies, or that there is none; empty: none does.
std::string_view cache_variable(const Io& io);

// What a run reads besides sources, absolute: its configuration, rules, models, baseline. What is named and not there,
// too.
std::vector<std::string> files_besides_sources(const CheckOptions& options, const Settings& settings, const Io& io);

// Whether a file of this name says how sources are read, wherever it lies.
bool is_configuration(std::string_view name);

Result<Settings> settings_of(const CheckOptions& options, const Io& io, std::span<const Rule> rules);

}  // namespace ranklint::app
