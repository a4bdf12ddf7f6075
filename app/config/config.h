// The configuration file: `ranklint.toml`, or `[tool.ranklint]` in pyproject.toml. docs/configuration.md is its page.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/base/result.h"
#include "app/report/report.h"
#include "rules/rule.h"

namespace ranklint::app {

struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
};

// What the file says; what it does not mention is empty, so that it differs from flags and defaults.
struct Config {
  std::string path = {};    // of the file; empty when there is none
  std::string folder = {};  // absolute; what its relative paths and patterns start from
  std::vector<std::string> select = {};
  std::vector<std::string> ignore = {};
  std::optional<Severity> min_severity = {};
  std::optional<Confidence> min_confidence = {};
  std::optional<std::vector<std::string>> exclude = {};
  std::vector<std::string> extend_exclude = {};
  std::vector<std::pair<std::string, std::vector<std::string>>> per_file_ignores = {};  // pattern, selectors
  std::optional<bool> respect_gitignore = {};
  std::optional<bool> fail_on_unread = {};
  std::optional<bool> strict = {};
  std::vector<std::string> models = {};  // absolute
  std::vector<std::string> rules = {};   // absolute
  std::vector<std::string> src = {};     // absolute
  std::optional<OutputFormat> output_format = {};
  std::string compile_commands = {};                           // absolute; the folder where they lie
  std::string baseline = {};                                   // absolute
  std::string cache_dir = {};                                  // absolute
  std::map<std::string, LineColumn, std::less<>> places = {};  // where each key that it has stands
};

// The keys that are read, sorted.
std::vector<std::string> config_keys();

// The nearest file that holds a configuration, from an absolute folder upwards; empty when there is none. In a
// folder, ranklint.toml comes before .ranklint.toml before pyproject.toml.
std::string find_config(const std::string& start);

// Reads a file; pyproject.toml counts only its `[tool.ranklint]`. An unknown key, rule or value is an error that
// says where it stands and what could have been meant.
Result<Config> load_config(const std::string& absolute_path, const std::string& shown_path,
                           std::span<const Rule> rules);

// Only the files of rules that it names, absolute: its selectors can be read when these are known.
Result<std::vector<std::string>> load_rule_files(const std::string& absolute_path, const std::string& shown_path);

// The same from text.
Result<Config> parse_config(std::string_view text, const std::string& absolute_path, const std::string& shown_path,
                            std::span<const Rule> rules);

// Names as flags and files write them.
std::optional<OutputFormat> format_of(std::string_view name);  // "jsonl" and "json-lines" are one
std::optional<Severity> severity_of(std::string_view name);
std::optional<Confidence> confidence_of(std::string_view name);
std::string_view name_of_severity(Severity severity);
std::string_view name_of_confidence(Confidence confidence);
std::string_view name_of_format(OutputFormat format);

}  // namespace ranklint::app
