// What the flags say, per command; a value that was not given is empty, so that the configuration can fill it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ranklint::app {

struct CheckOptions {
  bool verify = false;          // run the witnesses
  bool only_confirmed = false;  // `ranklint verify`: only what a run confirmed counts for the exit status
  std::vector<std::string> paths;
  std::string stdin_filename;
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::optional<std::string> min_severity;
  std::optional<std::string> min_confidence;
  std::optional<std::string> output_format;
  std::string output_file;
  std::string color = "auto";
  std::string config;
  bool isolated = false;
  std::vector<std::string> src;  // read, not reported
  std::vector<std::string> exclude;
  std::vector<std::string> extend_exclude;
  bool force_exclude = false;
  bool no_respect_gitignore = false;
  unsigned threads = 0;
  bool statistics = false;
  bool exit_zero = false;
  bool fail_on_unread = false;
  bool strict = false;
  bool show_incomplete = false;
  bool quiet = false;
  bool verbose = false;
  bool show_suppressed = false;
  std::vector<std::string> models;
  std::vector<std::string> rules;  // files
  std::string build_folder;
  std::string baseline;
  bool no_baseline = false;
  std::string cache_dir;
  bool no_cache = false;
  std::vector<std::string> lowered;  // folders
  std::string new_from_rev;
  bool staged = false;
  bool fix = false;
  bool unsafe_fixes = false;
  bool diff = false;
  bool watch = false;
  std::string add_ignore;  // the reason; empty: not asked for
};

struct BaselineOptions {
  enum class Action { Create, Update, Prune };
  Action action = Action::Create;
  CheckOptions check;
};

struct ConfigOptions {
  enum class Action { Show, Explain, Schema };
  Action action = Action::Show;
  std::string key;  // to explain
  bool json = false;
  CheckOptions check;  // a run for which the configuration is asked
};

struct TraceOptions {
  std::string folder;  // of the dumps, or one dump
  std::string output_format = "text";
  bool no_check = false;
  CheckOptions check;  // of the sources that the job ran
};

// Reads files for later checks.
struct LowerOptions {
  std::string output;  // the folder that they are put into
  CheckOptions check;  // which files, and how they are read
};

// Removes the cache.
struct CleanOptions {
  CheckOptions check;  // of which project
};

struct CompletionsOptions {
  std::string shell;
};

struct ManualOptions {};

struct ServerOptions {};

struct RulesOptions {
  std::vector<std::string> selectors;  // empty: all
  std::string output_format = "text";
  std::vector<std::string> rules;  // files
};

struct RuleOptions {
  std::string name;
  std::vector<std::string> rules;  // files
};

struct IrOptions {
  std::string file;
  std::string function;
  bool locations = false;
  std::string build_folder;
};

}  // namespace ranklint::app
