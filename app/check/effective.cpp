#include "app/check/effective.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/config/schema.h"
#include "app/files/paths.h"

namespace ranklint::app {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

constexpr auto kFlags = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"select", "--select"},
    {"ignore", "--ignore"},
    {"min-severity", "--min-severity"},
    {"min-confidence", "--min-confidence"},
    {"output-format", "--output-format"},
    {"exclude", "--exclude"},
    {"extend-exclude", "--extend-exclude"},
    {"respect-gitignore", "--no-respect-gitignore"},
    {"fail-on-unread", "--fail-on-unread"},
    {"strict", "--strict"},
    {"src", "--src"},
    {"models", "--models"},
    {"rules", "--rules"},
    {"baseline", "--baseline"},
    {"cache-dir", "--cache-dir"},
    {"compile-commands", "--compile-commands"},
});

class Effective {
 public:
  Effective(const CheckOptions& options, const Config& config, const Settings& settings, Texts rule_files,
            std::string_view cache_variable)
      : options_(options),
        config_(config),
        settings_(settings),
        rule_files_(std::move(rule_files)),
        cache_variable_(cache_variable) {}

  EffectiveValue of(const std::string& key) const {
    EffectiveValue out{.key = key, .value = value(key), .source = {}};
    const std::string place = place_of(key);
    const bool has_flag = is_flagged(key);
    const std::string flag(flag_given(key));
    if (has_flag && !place.empty() && is_joined(key))
      out.source = place + ", " + flag;
    else if (key == "cache-dir" && !has_flag && !cache_variable_.empty())
      out.source = cache_variable_;
    else
      out.source = has_flag ? flag : place.empty() ? "default" : place;
    return out;
  }

 private:
  // A flag that says that there is none counts, too.
  std::string_view flag_given(std::string_view key) const {
    if (key == "baseline" && options_.no_baseline) return "--no-baseline";
    if (key == "cache-dir" && options_.no_cache) return "--no-cache";
    return flag_of(key);
  }

  std::string place_of(std::string_view key) const {
    auto at = config_.places.find(key);
    if (at == config_.places.end() && key == "src") at = config_.places.find("roots");
    if (at == config_.places.end()) return "";
    return shown_path(config_.path, cwd()) + ":" + std::to_string(at->second.line) + ":" +
           std::to_string(at->second.column);
  }

  const std::string& cwd() const { return settings_.discovery.cwd; }

  // Whether the flag adds to what the file says.
  static bool is_joined(std::string_view key) {
    constexpr std::array<std::string_view, 5> kJoined{"ignore", "extend-exclude", "src", "models", "rules"};
    return std::find(kJoined.begin(), kJoined.end(), key) != kJoined.end();
  }

  bool is_flagged(std::string_view key) const {
    const CheckOptions& o = options_;
    const std::array<std::pair<std::string_view, bool>, kFlags.size()> given{{
        {"select", !o.select.empty()},
        {"ignore", !o.ignore.empty()},
        {"min-severity", o.min_severity.has_value()},
        {"min-confidence", o.min_confidence.has_value()},
        {"output-format", o.output_format.has_value()},
        {"exclude", !o.exclude.empty()},
        {"extend-exclude", !o.extend_exclude.empty()},
        {"respect-gitignore", o.no_respect_gitignore},
        {"fail-on-unread", o.fail_on_unread},
        {"strict", o.strict},
        {"src", !o.src.empty()},
        {"models", !o.models.empty()},
        {"rules", !o.rules.empty()},
        {"baseline", !o.baseline.empty() || o.no_baseline},
        {"cache-dir", !o.cache_dir.empty() || o.no_cache},
        {"compile-commands", !o.build_folder.empty()},
    }};
    return std::any_of(given.begin(), given.end(),
                       [&](const auto& entry) { return entry.first == key && entry.second; });
  }

  OrderedJson shown(Texts paths) const {
    for (std::string& path : paths) path = shown_path(path, cwd());
    return paths;
  }

  std::optional<OrderedJson> path(const std::string& absolute) const {
    return absolute.empty() ? std::nullopt : std::optional<OrderedJson>(shown_path(absolute, cwd()));
  }

  std::optional<OrderedJson> value(std::string_view key) const {
    if (key == "select") return settings_.select.empty() ? std::nullopt : std::optional<OrderedJson>(settings_.select);
    if (key == "ignore") return settings_.ignore;
    if (key == "min-severity") return name_of_severity(settings_.min_severity);
    if (key == "min-confidence") return name_of_confidence(settings_.min_confidence);
    if (key == "output-format") return name_of_format(settings_.format);
    if (key == "exclude") return excludes();
    if (key == "extend-exclude") return extended_excludes();
    if (key == "respect-gitignore") return settings_.discovery.respect_gitignore;
    if (key == "fail-on-unread") return settings_.fail_on_unread;
    if (key == "strict") return settings_.strict;
    if (key == "src") return shown(settings_.src);
    if (key == "models") return shown(settings_.models);
    if (key == "rules") return shown(rule_files_);
    if (key == "baseline") return path(settings_.baseline);
    if (key == "cache-dir") return path(settings_.cache_folder);
    if (key == "compile-commands") return path(settings_.build_folder);
    if (key == "per-file-ignores") return per_file_ignores();
    return std::nullopt;
  }

  std::optional<OrderedJson> excludes() const {
    if (!options_.exclude.empty()) return options_.exclude;
    return config_.exclude ? std::optional<OrderedJson>(*config_.exclude) : std::nullopt;
  }

  OrderedJson extended_excludes() const {
    Texts all = config_.extend_exclude;
    all.insert(all.end(), options_.extend_exclude.begin(), options_.extend_exclude.end());
    return all;
  }

  OrderedJson per_file_ignores() const {
    OrderedJson table = OrderedJson::object();
    for (const auto& [pattern, selectors] : config_.per_file_ignores) table[pattern] = selectors;
    return table;
  }

  const CheckOptions& options_;
  const Config& config_;
  const Settings& settings_;
  Texts rule_files_;
  std::string_view cache_variable_;
};

}  // namespace

std::string_view flag_of(std::string_view key) {
  for (const auto& [name, flag] : kFlags)
    if (name == key) return flag;
  return "";
}

Result<std::vector<EffectiveValue>> effective_values(const CheckOptions& options, const Io& io,
                                                     std::span<const Rule> rules) {
  const Result<Config> config = config_of(options, io, rules);
  if (!config) return config.error();
  const Result<Settings> settings = settings_of(options, io, rules);
  if (!settings) return settings.error();
  Result<Texts> files = rule_files_of(options, io);
  if (!files) return files.error();
  const Effective effective(options, config.value(), settings.value(), std::move(files).value(), cache_variable(io));
  std::vector<EffectiveValue> values;
  const OrderedJson schema = OrderedJson::parse(config_schema());
  for (const auto& [key, about] : schema["properties"].items())
    if (key != "roots") values.push_back(effective.of(key));  // the other name of `src`
  return values;
}

}  // namespace ranklint::app
