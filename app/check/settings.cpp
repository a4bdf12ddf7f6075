#include "app/check/settings.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <future>

#include "app/cache/store.h"
#include "app/check/source_notes.h"
#include "app/config/selectors.h"
#include "app/files/compile_database.h"
#include "app/files/paths.h"
#include "app/files/repository.h"
#include "app/git/excludes.h"

namespace ranklint::app {

namespace {

constexpr std::string_view kNoCache = "RANKLINT_NO_CACHE", kCacheFolder = "RANKLINT_CACHE_DIR";

bool is_set(const Io& io, std::string_view name) {
  const std::optional<std::string> value = io.environment(std::string(name));
  return value && !value->empty();
}

// NO_COLOR and its opposites speak for `auto` only: a flag is nearer than the environment.
bool wants_color(const CheckOptions& options, const Io& io) {
  if (options.color != "auto") return options.color == "always";
  if (!options.output_file.empty()) return false;
  if (is_set(io, "NO_COLOR")) return false;
  for (const char* name : {"FORCE_COLOR", "CLICOLOR_FORCE"})
    if (is_set(io, name) && *io.environment(name) != "0") return true;
  return io.out_is_terminal && io.environment("TERM").value_or("") != "dumb";
}

// Where the search for a configuration starts: the folder of the first path.
std::string first_folder(const CheckOptions& options, const Io& io) {
  std::string path = options.paths.empty() ? "." : options.paths.front();
  if (path == "-") path = options.stdin_filename.empty() ? "./stdin.py" : options.stdin_filename;
  const std::string absolute = absolute_path(path, io.cwd);
  std::error_code ignored;
  return std::filesystem::is_directory(absolute, ignored) ? absolute : std::string(parent_of(absolute));
}

// The rule that was meant: one whose name goes on, else the most similar.
std::string rule_like(const std::string& selector, std::span<const Rule> rules) {
  for (const Rule& rule : rules)
    if (selector.size() > 3 && rule.info->id.starts_with(selector))
      return "; did you mean `" + std::string(rule.info->id) + "`?";
  return did_you_mean(selector, rule_names(rules));
}

std::optional<Error> check_selectors(const std::vector<std::string>& selectors, const char* flag,
                                     std::span<const Rule> rules) {
  for (const std::string& selector : selectors)
    if (!names_a_rule(selector, rules))
      return Error{.message = std::string(flag) + ": no rule is called `" + selector + "`" +
                              rule_like(selector, rules) + " (`ranklint rules` lists them)",
                   .path = {}};
  return std::nullopt;
}

// What the report's file is called says its format, unless the flag does.
Result<std::optional<OutputFormat>> format_of_file(const CheckOptions& options) {
  constexpr std::array<std::pair<std::string_view, OutputFormat>, 6> kEndings{{{".html", OutputFormat::Html},
                                                                               {".htm", OutputFormat::Html},
                                                                               {".svg", OutputFormat::Svg},
                                                                               {".sarif", OutputFormat::Sarif},
                                                                               {".json", OutputFormat::Json},
                                                                               {".jsonl", OutputFormat::JsonLines}}};
  if (options.output_format) return std::optional<OutputFormat>();
  for (const auto& [ending, format] : kEndings)
    if (options.output_file.ends_with(ending)) return std::optional<OutputFormat>(format);
  if (options.output_file.ends_with(".xml"))
    return Error{.message = options.output_file +
                            ": JUnit and Checkstyle both are XML; say which by --output-format junit or checkstyle",
                 .path = {}};
  return std::optional<OutputFormat>();
}

void add_patterns(IgnorePatterns& patterns, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) patterns.add_line(line);
}

DiscoveryOptions discovery_of(const CheckOptions& options, const Config& config, const Io& io) {
  DiscoveryOptions discovery;
  discovery.cwd = absolute_path(io.cwd, "");
  discovery.excludes = IgnorePatterns(config.path.empty() ? discovery.cwd : config.folder);
  discovery.default_excludes = options.exclude.empty() && !config.exclude;
  add_patterns(discovery.excludes,
               options.exclude.empty() ? config.exclude.value_or(std::vector<std::string>{}) : options.exclude);
  add_patterns(discovery.excludes, config.extend_exclude);
  add_patterns(discovery.excludes, options.extend_exclude);
  discovery.force_exclude = options.force_exclude;
  discovery.respect_gitignore = !options.no_respect_gitignore && config.respect_gitignore.value_or(true);
  if (discovery.respect_gitignore)
    discovery.git_excludes =
        std::async(std::launch::deferred, git_excludes_file, first_folder(options, io), io.environment).share();
  return discovery;
}

// A flag comes before the environment, and the environment before the configuration. Where none of them names a folder
// and the top of the project is not known, nothing is kept.
std::string cache_folder_of(const CheckOptions& options, const Config& config, const Io& io) {
  if (options.no_cache) return "";
  if (!options.cache_dir.empty()) return absolute_path(options.cache_dir, io.cwd);
  if (const std::string_view variable = cache_variable(io); !variable.empty())
    return variable == kNoCache ? "" : absolute_path(*io.environment(std::string(variable)), io.cwd);
  if (!config.cache_dir.empty()) return config.cache_dir;
  const std::string top = top_of_project(first_folder(options, io), absolute_path(io.cwd, ""), kind_on_disk);
  return top.empty() ? "" : top + "/.ranklint_cache";
}

std::vector<PerFileIgnore> per_file_ignores_of(const Config& config) {
  std::vector<PerFileIgnore> all;
  for (const auto& [pattern, selectors] : config.per_file_ignores) {
    PerFileIgnore ignore{.pattern = IgnorePatterns(config.folder), .selectors = selectors};
    ignore.pattern.add_line(pattern);
    all.push_back(std::move(ignore));
  }
  return all;
}

}  // namespace

bool Settings::selected(const RuleInfo& rule, const std::string& absolute) const {
  const bool always_on = rule.id == kUnreadable;
  if (!is_selected(rule, always_on ? std::span<const std::string>() : select, ignore)) return false;
  return std::none_of(per_file_ignores.begin(), per_file_ignores.end(), [&](const PerFileIgnore& entry) {
    return !is_selected(rule, {}, entry.selectors) && entry.pattern.leaves_out(absolute, false);
  });
}

bool Settings::is_ignored(const RuleInfo& rule, const std::string& absolute) const {
  return !is_selected(rule, {}, ignore) ||
         std::any_of(per_file_ignores.begin(), per_file_ignores.end(), [&](const PerFileIgnore& entry) {
           return !is_selected(rule, {}, entry.selectors) && entry.pattern.leaves_out(absolute, false);
         });
}

std::string config_path_of(const CheckOptions& options, const Io& io) {
  if (options.isolated) return "";
  return options.config.empty() ? find_config(first_folder(options, io)) : absolute_path(options.config, io.cwd);
}

Result<Config> config_of(const CheckOptions& options, const Io& io, std::span<const Rule> rules) {
  const std::string found = config_path_of(options, io);
  if (found.empty()) return Config{};
  return load_config(found, shown_path(found, io.cwd), rules);
}

Result<std::vector<std::string>> rule_files_of(const CheckOptions& options, const Io& io) {
  std::vector<std::string> files;
  if (const std::string config = config_path_of(options, io); !config.empty()) {
    Result<std::vector<std::string>> named = load_rule_files(config, shown_path(config, io.cwd));
    if (!named) return named;
    files = std::move(named).value();
  }
  for (const std::string& path : options.rules) files.push_back(absolute_path(path, io.cwd));
  return files;
}

std::string_view cache_variable(const Io& io) {
  return is_set(io, kNoCache) ? kNoCache : is_set(io, kCacheFolder) ? kCacheFolder : std::string_view();
}

std::vector<std::string> files_besides_sources(const CheckOptions& options, const Settings& settings, const Io& io) {
  std::vector<std::string> files = settings.models;
  files.push_back(settings.baseline);
  files.push_back(config_path_of(options, io));
  if (const Result<std::vector<std::string>> rules = rule_files_of(options, io))
    files.insert(files.end(), rules.value().begin(), rules.value().end());
  std::erase(files, "");
  return files;
}

bool is_configuration(std::string_view name) {
  return name == "ranklint.toml" || name == ".ranklint.toml" || name == "pyproject.toml" ||
         name == kCompileDatabaseName;
}

Result<Settings> settings_of(const CheckOptions& options, const Io& io, std::span<const Rule> rules) {
  if (auto error = check_selectors(options.select, "--select", rules)) return *error;
  if (auto error = check_selectors(options.ignore, "--ignore", rules)) return *error;
  Result<Config> loaded = config_of(options, io, rules);
  if (!loaded) return loaded.error();
  const Config& config = loaded.value();

  Settings settings;
  settings.config_path = config.path;
  settings.select = options.select.empty() ? config.select : options.select;
  settings.ignore = config.ignore;
  settings.ignore.insert(settings.ignore.end(), options.ignore.begin(), options.ignore.end());
  settings.per_file_ignores = per_file_ignores_of(config);
  // The parser has checked the words.
  settings.min_severity =
      options.min_severity ? *severity_of(*options.min_severity) : config.min_severity.value_or(settings.min_severity);
  settings.min_confidence = options.min_confidence ? *confidence_of(*options.min_confidence)
                                                   : config.min_confidence.value_or(settings.min_confidence);
  Result<std::optional<OutputFormat>> by_name = format_of_file(options);
  if (!by_name) return by_name.error();
  settings.format = options.output_format ? *format_of(*options.output_format)
                                          : by_name->value_or(config.output_format.value_or(settings.format));
  settings.color = wants_color(options, io);
  settings.discovery = discovery_of(options, config, io);
  settings.models = config.models;
  for (const std::string& path : options.models) settings.models.push_back(absolute_path(path, io.cwd));
  settings.src = config.src;
  for (const std::string& path : options.src) settings.src.push_back(absolute_path(path, io.cwd));
  settings.build_folder =
      options.build_folder.empty() ? config.compile_commands : absolute_path(options.build_folder, io.cwd);
  settings.baseline = options.baseline.empty() ? config.baseline : absolute_path(options.baseline, io.cwd);
  if (options.no_baseline) settings.baseline.clear();
  settings.cache_folder = cache_folder_of(options, config, io);
  for (const std::string& folder : options.lowered) {
    settings.lowered.push_back(absolute_path(folder, io.cwd));
    if (!is_store(settings.lowered.back()))
      return Error{.message = "is no folder that `ranklint lower` wrote", .path = folder};
  }
  settings.fail_on_unread = options.fail_on_unread || config.fail_on_unread.value_or(false);
  settings.strict = options.strict || config.strict.value_or(false);
  return settings;
}

}  // namespace ranklint::app
