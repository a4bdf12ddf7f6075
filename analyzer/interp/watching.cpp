// Notes the calls that rules ask for, as functions are run.
#include <algorithm>

#include "analyzer/interp/function_run.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/resolve/model_reader.h"

namespace ranklint {

void Interpreter::watch(const std::vector<std::string>& names) {
  for (std::string_view name : names) {
    const bool is_led_to = name.starts_with("...");
    if (is_led_to) name.remove_prefix(3);
    const bool of_kind = name.starts_with('<') && name.ends_with('>');
    const std::optional<Role> role = of_kind ? role_named(name.substr(1, name.size() - 2)) : std::nullopt;
    const std::optional<Role> of_class = name.starts_with('^') ? role_named(name.substr(1)) : std::nullopt;
    if (name.starts_with('='))
      watched_.keys.emplace(name.substr(1));
    else if (of_class)
      watched_.of_classes.push_back(*of_class);
    else if (role)
      for (const std::string& played_by : query_.roles().names_in(*role)) watched_.names.emplace(last_part(played_by));
    else
      watched_.names.emplace(name);
    if (role && is_led_to) watched_.led_to.push_back(*role);
  }
}

void Interpreter::note_ways(const SitesOfFunctions& sites) {
  if (watched_.led_to.empty()) return;
  std::map<FunctionKey, std::vector<FunctionKey>> callers;
  for (const FunctionKey f : functions_to_check())
    for (const SummarySite& site : sites[f.index])
      for (const Target& target : site.targets) callers[target.function].push_back(f);
  std::vector<FunctionKey> work(watched_.leading.begin(), watched_.leading.end());
  while (!work.empty()) {
    const auto above = callers.find(work.back());
    work.pop_back();
    if (above == callers.end()) continue;
    for (const FunctionKey f : above->second)
      if (watched_.leading.insert(f).second) work.push_back(f);
  }
  for (const FunctionKey f : functions_to_check())
    for (const SummarySite& site : sites[f.index])
      if (std::ranges::any_of(site.targets, [&](const Target& t) { return watched_.leading.contains(t.function); }))
        watched_.ways[query_.site(site.step->site)] = {
            .range = site.step->range, .call = site.step->call, .model = nullptr};
}

// An entry of a dictionary, by itself.
void FunctionRun::note_entry(std::string_view key, ValueId value) {
  const auto& instructions = f_.blocks[block_].instructions;
  if (maker_.watched_.keys.find(key) == maker_.watched_.keys.end() || instruction_ >= instructions.size()) return;
  Call call;
  const Entity dict{.kind = Entity::Kind::External, .name = index_.intern("dict")};
  call.callee = values_.leaf(ValueKind::External, index_.member(dict, index_.intern("__setitem__")).name.index);
  const Symbol name = index_.intern(key);
  call.positional = {values_.text(name), value};
  maker_.watched_.calls[{key_, block_, instruction_, name.index + 1}] = {
      .range = instructions[instruction_].range, .call = std::move(call), .model = nullptr};
}

void FunctionRun::note_entries(const std::vector<ValueId>& keys_and_values) {
  if (maker_.watched_.keys.empty()) return;
  for (size_t i = 0; i + 1 < keys_and_values.size(); i += 2)
    if (const Value& key = values_[keys_and_values[i]]; key.kind == ValueKind::Text)
      note_entry(index_.names().text(Symbol{key.a}), keys_and_values[i + 1]);
}

bool FunctionRun::makes_watched(ValueId callee) const {
  if (maker_.watched_.of_classes.empty() || values_[callee].kind != ValueKind::Class) return false;
  return std::ranges::any_of(maker_.watched_.of_classes, [&](Role role) {
    return derives_from(in_.roles(), index_, ClassKey{values_[callee].a}, role);
  });
}

void FunctionRun::note_watched(const Call& call, const Model* model, const SourceRange& range) {
  const Watched& watched = maker_.watched_;
  if (!watched.keys.empty())
    for (const auto& [keyword, value] : call.keywords) note_entry(index_.names().text(keyword), value);
  const std::string_view name = in_.callee_name(call.callee);
  const bool by_name = watched.wants(name) || (model && watched.wants(*model));
  if (!by_name && !makes_watched(call.callee)) return;
  const auto is_played = [&](Role role) { return in_.roles().play(in_.callee_path(call.callee), role); };
  if (by_name && std::ranges::any_of(watched.led_to, is_played)) maker_.watched_.leading.insert(key_);
  maker_.watched_.calls[{key_, block_, instruction_, 0}] = {.range = range, .call = call, .model = model};
}

// `os.environ["X"] = "1"`, for containers of libraries.
void FunctionRun::note_store(ValueId base, ValueId key, ValueId value) {
  if (values_[base].kind != ValueKind::External || !maker_.watched_.wants("__setitem__")) return;
  Call call;
  call.callee = values_.attribute(base, index_.intern("__setitem__"));
  call.positional = {key, value};
  maker_.watched_.calls[{key_, block_, instruction_, 0}] = {
      .range = f_.blocks[block_].instructions[instruction_].range, .call = std::move(call), .model = nullptr};
}

}  // namespace ranklint
