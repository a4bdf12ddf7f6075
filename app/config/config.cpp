#include "app/config/config.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "analyzer/base/confidence_words.h"
#include "analyzer/base/toml.h"
#include "app/config/selectors.h"
#include "app/files/paths.h"
#include "app/files/read.h"
#include "app/report/format_names.h"
#include "rules/severity_words.h"

namespace ranklint::app {

namespace {

constexpr uint64_t kLargestConfigBytes = uint64_t{1} << 20;
constexpr std::array<std::string_view, 3> kFileNames{"ranklint.toml", ".ranklint.toml", "pyproject.toml"};

bool is_pyproject(std::string_view path) { return name_in(path) == "pyproject.toml"; }

// Reads the keys one by one; the first thing that is wrong is kept as the error.
class Reader {
 public:
  Reader(Config& config, const std::string& shown, std::span<const Rule> rules)
      : config_(config), shown_(shown), rules_(rules) {}

  std::optional<Error> read(const toml::table& table) {
    for (const auto& [key, value] : table) {
      read_key(key, value);
      if (error_) break;
    }
    return error_;
  }

  // One key only; what else the table holds is not looked at.
  std::optional<Error> read(const toml::table& table, std::string_view only) {
    for (const auto& [key, value] : table)
      if (key.str() == only) read_key(key, value);
    return error_;
  }

  static std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Key& known : kKeys) all.emplace_back(known.name);
    return all;
  }

 private:
  using Handler = void (Reader::*)(std::string_view key, const toml::node& value);
  struct Key {
    std::string_view name;
    Handler handler;
  };
  static const std::array<Key, 18> kKeys;

  void read_key(const toml::key& key, const toml::node& value) {
    for (const Key& known : kKeys) {
      if (known.name != key.str()) continue;
      const toml::source_position at = key.source().begin;
      config_.places.emplace(known.name, LineColumn{at.line, at.column});
      return (this->*known.handler)(key.str(), value);
    }
    // In pyproject.toml the table is where we are already.
    const bool is_outer_table = key.str() == "tool" && value.is_table();
    fail(key.source(),
         "unknown key `" + std::string(key.str()) + "`" +
             (is_outer_table
                  ? "; the table [tool.ranklint] is for pyproject.toml, in a file of its own the keys stand without it"
                  : did_you_mean(key.str(), names())));
  }

  void fail(const toml::source_region& where, std::string message) {
    if (error_) return;
    error_ =
        Error{.message = std::move(message), .path = shown_, .line = where.begin.line, .column = where.begin.column};
  }

  std::string text(std::string_view key, const toml::node& value) {
    if (const auto* string = value.as_string()) return string->get();
    fail(value.source(), "`" + std::string(key) + "` must be a string");
    return "";
  }

  std::vector<std::string> texts(std::string_view key, const toml::node& value) {
    const toml::array* array = value.as_array();
    if (array == nullptr) {
      fail(value.source(),
           "`" + std::string(key) + "` must be a list of strings, as in " + std::string(key) + " = [\"...\"]");
      return {};
    }
    std::vector<std::string> all;
    for (const toml::node& element : *array) all.push_back(text(key, element));
    return all;
  }

  std::vector<std::string> selectors(std::string_view key, const toml::node& value) {
    std::vector<std::string> all = texts(key, value);
    for (size_t i = 0; !error_ && i < all.size(); ++i)
      if (!names_a_rule(all[i], rules_))
        fail(value.as_array()->get(i)->source(), "no rule is called `" + all[i] + "`" +
                                                     did_you_mean(all[i], rule_names(rules_)) +
                                                     " (`ranklint rules` lists them)");
    return all;
  }

  std::vector<std::string> paths(std::string_view key, const toml::node& value) {
    std::vector<std::string> all = texts(key, value);
    for (std::string& path : all) path = absolute_path(path, config_.folder);
    return all;
  }

  template <typename Table>
  auto word(std::string_view key, const toml::node& value, const Table& table) {
    const std::string name = text(key, value);
    const auto found = meaning_of(table, name);
    if (!found && !error_) fail_word(key, value, name, table);
    return found;
  }

  template <typename Table>
  void fail_word(std::string_view key, const toml::node& value, const std::string& name, const Table& table) {
    std::string message = "`" + name + "` is no value of `" + std::string(key) + "`; it is one of";
    for (const auto& entry : table) message.append(" ").append(entry.text);
    fail(value.source(), std::move(message));
  }

  void read_select(std::string_view key, const toml::node& value) { config_.select = selectors(key, value); }
  void read_ignore(std::string_view key, const toml::node& value) { config_.ignore = selectors(key, value); }
  void read_min_severity(std::string_view key, const toml::node& value) {
    config_.min_severity = word(key, value, kSeverityWords);
  }
  void read_min_confidence(std::string_view key, const toml::node& value) {
    config_.min_confidence = word(key, value, kConfidenceWords);
  }
  void read_exclude(std::string_view key, const toml::node& value) { config_.exclude = texts(key, value); }
  void read_extend_exclude(std::string_view key, const toml::node& value) {
    config_.extend_exclude = texts(key, value);
  }
  void read_per_file_ignores(std::string_view key, const toml::node& value) {
    const toml::table* table = value.as_table();
    if (table == nullptr)
      return fail(value.source(), "`" + std::string(key) + "` must be a table of pattern = [rules]");
    for (const auto& [pattern, rules] : *table)
      config_.per_file_ignores.emplace_back(std::string(pattern.str()), selectors(pattern.str(), rules));
  }
  std::optional<bool> truth(std::string_view key, const toml::node& value) {
    if (const auto* flag = value.as_boolean()) return flag->get();
    fail(value.source(), "`" + std::string(key) + "` must be true or false");
    return std::nullopt;
  }
  void read_respect_gitignore(std::string_view key, const toml::node& value) {
    config_.respect_gitignore = truth(key, value);
  }
  void read_fail_on_unread(std::string_view key, const toml::node& value) {
    config_.fail_on_unread = truth(key, value);
  }
  void read_strict(std::string_view key, const toml::node& value) { config_.strict = truth(key, value); }
  void read_models(std::string_view key, const toml::node& value) { config_.models = paths(key, value); }
  void read_rules(std::string_view key, const toml::node& value) { config_.rules = paths(key, value); }
  void read_src(std::string_view key, const toml::node& value) { config_.src = paths(key, value); }
  void read_compile_commands(std::string_view key, const toml::node& value) {
    config_.compile_commands = absolute_path(text(key, value), config_.folder);
  }
  void read_baseline(std::string_view key, const toml::node& value) {
    config_.baseline = absolute_path(text(key, value), config_.folder);
  }
  void read_cache_dir(std::string_view key, const toml::node& value) {
    config_.cache_dir = absolute_path(text(key, value), config_.folder);
  }
  void read_output_format(std::string_view key, const toml::node& value) {
    config_.output_format = word(key, value, kFormatNames);
  }

  Config& config_;
  const std::string& shown_;
  std::span<const Rule> rules_;
  std::optional<Error> error_;
};

const std::array<Reader::Key, 18> Reader::kKeys{{
    {"baseline", &Reader::read_baseline},
    {"cache-dir", &Reader::read_cache_dir},
    {"compile-commands", &Reader::read_compile_commands},
    {"exclude", &Reader::read_exclude},
    {"extend-exclude", &Reader::read_extend_exclude},
    {"fail-on-unread", &Reader::read_fail_on_unread},
    {"ignore", &Reader::read_ignore},
    {"min-confidence", &Reader::read_min_confidence},
    {"min-severity", &Reader::read_min_severity},
    {"models", &Reader::read_models},
    {"output-format", &Reader::read_output_format},
    {"per-file-ignores", &Reader::read_per_file_ignores},
    {"respect-gitignore", &Reader::read_respect_gitignore},
    {"roots", &Reader::read_src},
    {"rules", &Reader::read_rules},
    {"select", &Reader::read_select},
    {"src", &Reader::read_src},
    {"strict", &Reader::read_strict},
}};

// The table that is ours; null when the file has none.
const toml::table* own_table(const toml::table& root, bool pyproject) {
  return pyproject ? root["tool"]["ranklint"].as_table() : &root;
}

}  // namespace

std::optional<OutputFormat> format_of(std::string_view name) { return meaning_of(kFormatNames, name); }
std::optional<Severity> severity_of(std::string_view name) { return meaning_of(kSeverityWords, name); }
std::optional<Confidence> confidence_of(std::string_view name) { return meaning_of(kConfidenceWords, name); }
std::string_view name_of_severity(Severity severity) { return text_of(kSeverityWords, severity); }
std::string_view name_of_confidence(Confidence confidence) { return text_of(kConfidenceWords, confidence); }
std::string_view name_of_format(OutputFormat format) { return text_of(kFormatNames, format); }

Result<Config> parse_config(std::string_view text, const std::string& absolute, const std::string& shown,
                            std::span<const Rule> rules) {
  const toml::parse_result parsed = toml::parse(text, shown);
  if (parsed.failed()) {
    const toml::source_position at = parsed.error().source().begin;
    return Error{
        .message = std::string(parsed.error().description()), .path = shown, .line = at.line, .column = at.column};
  }
  Config config{.path = absolute, .folder = std::string(parent_of(absolute))};
  if (const toml::table* table = own_table(parsed.table(), is_pyproject(absolute)))
    if (std::optional<Error> error = Reader(config, shown, rules).read(*table)) return *error;
  return config;
}

Result<std::vector<std::string>> load_rule_files(const std::string& absolute, const std::string& shown) {
  Result<std::string> text = read_file(absolute, kLargestConfigBytes);
  if (!text) return Error{.message = "can not read the configuration: " + text.error().message, .path = shown};
  const toml::parse_result parsed = toml::parse(text.value(), shown);
  Config config{.folder = std::string(parent_of(absolute))};
  if (!parsed.failed())  // else the reader of the whole reports it
    if (const toml::table* table = own_table(parsed.table(), is_pyproject(absolute)))
      if (std::optional<Error> error = Reader(config, shown, {}).read(*table, "rules")) return *error;
  return std::move(config.rules);
}

Result<Config> load_config(const std::string& absolute, const std::string& shown, std::span<const Rule> rules) {
  Result<std::string> text = read_file(absolute, kLargestConfigBytes);
  if (!text) return Error{.message = "can not read the configuration: " + text.error().message, .path = shown};
  return parse_config(text.value(), absolute, shown, rules);
}

std::vector<std::string> config_keys() { return Reader::names(); }

std::string find_config(const std::string& start) {
  for (std::string folder = start;; folder = parent_of(folder)) {
    for (const std::string_view name : kFileNames) {
      const std::string path = folder + "/" + std::string(name);
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(path, ignored)) continue;
      if (!is_pyproject(path)) return path;
      Result<std::string> text = read_file(path, kLargestConfigBytes);
      if (!text) continue;
      const toml::parse_result parsed = toml::parse(std::string_view(text.value()));
      // A pyproject.toml that does not parse counts when it seems to speak of us: then the error should be seen.
      if (parsed.failed() ? text.value().find("[tool.ranklint") != std::string::npos
                          : own_table(parsed.table(), true) != nullptr)
        return path;
    }
    if (folder.empty()) return "";
  }
}

}  // namespace ranklint::app
