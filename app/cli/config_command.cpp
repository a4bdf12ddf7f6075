// `ranklint config`: the settings in effect and where each comes from, what a key means, and the schema for editors.
#include <algorithm>

#include "app/check/effective.h"
#include "app/check/rule_set.h"
#include "app/cli/commands.h"
#include "app/cli/padded.h"
#include "app/config/schema.h"
#include "app/config/selectors.h"
#include "app/files/paths.h"
#include "app/json/read_json.h"

namespace ranklint::app {

namespace {

using OrderedJson = nlohmann::ordered_json;

// As TOML writes it; strings and lists are the same in JSON.
std::string toml_of(const OrderedJson& value) {
  if (!value.is_array()) return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  std::string out = "[";
  for (const OrderedJson& element : value) out.append(out.size() == 1 ? "" : ", ").append(toml_of(element));
  return out + "]";
}

std::string assignment(const EffectiveValue& entry) {
  return entry.value ? entry.key + " = " + toml_of(*entry.value) : "# " + entry.key + " is not set";
}

void print_toml(Io& io, const std::vector<EffectiveValue>& values) {
  constexpr size_t kSourceColumn = 36;
  for (const EffectiveValue& entry : values)
    if (entry.key != "per-file-ignores")
      io.out << padded(assignment(entry), kSourceColumn) << "  # " << entry.source << '\n';
  for (const EffectiveValue& entry : values) {
    if (entry.key != "per-file-ignores" || entry.value->empty()) continue;
    io.out << '\n' << padded("[per-file-ignores]", kSourceColumn) << "  # " << entry.source << '\n';
    for (const auto& [pattern, rules] : entry.value->items())
      io.out << toml_of(pattern) << " = " << toml_of(rules) << '\n';
  }
}

void print_json(Io& io, const std::vector<EffectiveValue>& values) {
  OrderedJson all = OrderedJson::object();
  for (const EffectiveValue& entry : values)
    all[entry.key] = {{"value", entry.value.value_or(OrderedJson())}, {"source", entry.source}};
  io.out << json_text(all);
}

int show(const ConfigOptions& options, Io& io, const std::vector<EffectiveValue>& values, const std::string& file) {
  if (options.json) {
    print_json(io, values);
    return kClean;
  }
  io.out << "# "
         << (file.empty() ? "there is no configuration file: flags and defaults" : "the configuration file is " + file)
         << '\n';
  print_toml(io, values);
  return kClean;
}

std::string words_for_type(const OrderedJson& key) {
  if (const auto words = key.find("enum"); words != key.end()) {
    std::string all;
    for (const OrderedJson& word : *words) all.append(all.empty() ? "" : ", ").append(word.get<std::string>());
    return "one of " + all;
  }
  if (key.contains("allOf")) return "a list of strings";
  const std::string type = key.value("type", "");
  if (type == "boolean") return "true or false";
  return type == "object" ? "a table of pattern = [rules]" : "a string";
}

std::string example(const std::string& name, const OrderedJson& value) {
  if (!value.is_object()) return name + " = " + toml_of(value) + "\n";
  std::string text = "[" + name + "]\n";
  for (const auto& [pattern, rules] : value.items()) text += toml_of(pattern) + " = " + toml_of(rules) + "\n";
  return text;
}

std::string indented(std::string text) {
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) text.insert(at, "    ");
  return text;
}

// Every key with the first sentence about it.
int explain_all(Io& io) {
  const OrderedJson keys = OrderedJson::parse(config_schema())["properties"];
  size_t width = 0;
  for (const auto& [name, about] : keys.items()) width = std::max(width, name.size());
  for (const auto& [name, about] : keys.items()) {
    const std::string text = about["description"].get<std::string>();
    io.out << name << std::string(width + 2 - name.size(), ' ') << text.substr(0, text.find(". ")) << '\n';
  }
  return kClean;
}

int explain(const std::string& name, Io& io, const std::vector<EffectiveValue>& values) {
  if (name.empty()) return explain_all(io);
  const OrderedJson keys = OrderedJson::parse(config_schema())["properties"];
  const auto key = keys.find(name);
  if (key == keys.end()) {
    std::vector<std::string> names;
    for (const auto& [known, about] : keys.items()) names.push_back(known);
    return fail(io, "there is no key `" + name + "`" + did_you_mean(name, names) + " (`ranklint config` lists them)");
  }
  io.out << name << ": " << words_for_type(*key) << "\n\n" << (*key)["description"].get<std::string>() << "\n\n";
  for (const OrderedJson& value : (*key)["examples"]) io.out << indented(example(name, value));
  io.out << '\n';
  if (const auto normal = key->find("default"); normal != key->end()) io.out << "default: " << toml_of(*normal) << '\n';
  if (!flag_of(name).empty()) io.out << "flag:    " << flag_of(name) << '\n';
  for (const EffectiveValue& entry : values)
    if (entry.key == name)
      io.out << "here:    " << (entry.value ? toml_of(*entry.value) : "not set") << " (" << entry.source << ")\n";
  return kClean;
}

}  // namespace

int config_command(const ConfigOptions& options, Io& io, const Engine& engine) {
  if (options.action == ConfigOptions::Action::Schema) {
    io.out << config_schema();
    return kClean;
  }
  RuleSet set;
  const Result<Engine> own = engine_with_rules(engine, options.check, io, set);
  if (!own) return fail(io, own.error());
  const Result<std::vector<EffectiveValue>> values = effective_values(options.check, io, own.value().rules);
  if (!values) return fail(io, values.error());
  if (options.action == ConfigOptions::Action::Explain) return explain(options.key, io, values.value());
  const std::string file = config_path_of(options.check, io);
  return show(options, io, values.value(), file.empty() ? "" : shown_path(file, io.cwd));
}

}  // namespace ranklint::app
