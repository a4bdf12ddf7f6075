#include "analyzer/resolve/models.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analyzer/resolve/dotted.h"
#include "analyzer/resolve/model_reader.h"
#include "analyzer/resolve/model_table.h"

namespace ranklint {

std::string_view builtin_model_table();  // generated from rules/models/*.json

namespace {

constexpr size_t kAboutAsManyModels = 2000;  // room that is taken at once

// Whether a file that holds this name can communicate or distinguish ranks because of it.
bool matters(const Model& model) {
  switch (model.kind) {
    case ModelKind::Collective:
    case ModelKind::PointToPoint:
    case ModelKind::GroupCreate:
    case ModelKind::GroupSource:
    case ModelKind::RankSource:
    case ModelKind::RootSource:
    case ModelKind::RankPredicate:
    case ModelKind::Uniformizer:
    case ModelKind::GuardDecorator:
    case ModelKind::GuardContext:
    case ModelKind::Setup:
    case ModelKind::Teardown:
    case ModelKind::Class: return true;
    case ModelKind::Environment: return !model.axes.empty();
    case ModelKind::SizeSource:
    case ModelKind::LocalSource:
    case ModelKind::Initialized:
    case ModelKind::Wait:
    case ModelKind::Pure: return false;
  }
  return false;
}

// Models of equal identity replace each other. `?` models of one name may stand side by side for several
// receivers, and a variable of the environment has nothing to do with a function of its name.
std::string identity(const Model& model) {
  std::string text = model.kind == ModelKind::Environment ? "$" + model.name : model.name;
  if (model.name.starts_with("?."))
    for (const std::string& receiver : model.receivers) text += " " + receiver;
  return text;
}

bool accepts_receiver(const Model& model, std::string_view receiver) {
  return std::ranges::any_of(model.receivers,
                             [&](const std::string& name) { return last_part(name) == last_part(receiver); });
}

}  // namespace

Models Models::builtin() {
  Models models;
  models.models_.reserve(kAboutAsManyModels);
  models.by_identity_.reserve(kAboutAsManyModels);
  models.by_name_.reserve(4 * kAboutAsManyModels);
  read_model_table(
      builtin_model_table(), [&](NamedModel named) { models.insert(std::move(named.model), named.aliases); },
      [&](RoleEntry entry) { models.roles_.add(std::move(entry)); },
      [&](NamePrior prior) { models.names_.add(std::move(prior)); });
  models.collect_interesting_names();
  return models;
}

Result<size_t> Models::add(std::string_view json, const std::string& path) {
  Result<ModelFile> read = read_models(json, path);
  if (!read) return read.error();
  const size_t count = read->models.size() + read->roles.size() + read->names.size();
  insert_all(std::move(read->models));
  for (RoleEntry& entry : read->roles) roles_.add(std::move(entry));
  for (const NamePrior& prior : read->names) names_.add(prior);
  collect_interesting_names();
  added_ = Digester().add(added_).add(json).digest();
  return count;
}

void Models::insert_all(std::vector<NamedModel> models) {
  for (NamedModel& named : models) insert(std::move(named.model), named.aliases);
}

void Models::insert(Model model, const std::vector<std::string>& aliases) {
  const std::string name = model.name;
  const auto [known, is_new] = by_identity_.try_emplace(identity(model), models_.size());
  const size_t place = known->second;
  if (is_new) models_.emplace_back();
  models_[place] = std::move(model);
  index_name(name, place);
  for (const std::string& alias : aliases) index_name(alias, place);
}

void Models::index_name(const std::string& name, size_t model) {
  if (models_[model].kind == ModelKind::Environment) {
    by_environment_[name] = model;
  } else if (name.starts_with("*.")) {
    by_suffix_[name.substr(2)] = model;
  } else if (name.starts_with("?.")) {
    std::vector<size_t>& known = by_attribute_[name.substr(2)];
    if (std::ranges::find(known, model) == known.end()) known.push_back(model);
  } else {
    by_name_[name] = model;
  }
}

const Model* Models::find(std::string_view qualified_name) const {
  qualified_name = qualified_name.substr(0, qualified_name.find('('));  // C++ names end in their parameters
  if (const auto exact = by_name_.find(qualified_name); exact != by_name_.end()) return &models_[exact->second];
  // The longest suffix comes first: "a.b.C.f", "b.C.f", "C.f", "f".
  for (std::string_view suffix = qualified_name;;) {
    if (const auto found = by_suffix_.find(suffix); found != by_suffix_.end()) return &models_[found->second];
    const size_t dot = suffix.find('.');
    if (dot == std::string_view::npos) return nullptr;
    suffix.remove_prefix(dot + 1);
  }
}

bool Models::names_member(std::string_view type, std::string_view member) const {
  const std::string name = std::string(type) + "." + std::string(member);
  const std::string_view shortest = std::string_view(name).substr(type.size() - last_part(type).size());
  if (by_name_.contains(name)) return true;
  for (std::string_view suffix = name; suffix.size() >= shortest.size();) {
    if (by_suffix_.contains(suffix)) return true;
    suffix.remove_prefix(std::min(suffix.size(), suffix.find('.') + 1));
  }
  return false;
}

// A model that names the receiver goes before one that takes any; among equals the later one counts.
const Model* Models::find_attribute(std::string_view receiver, std::string_view attribute) const {
  const auto found = by_attribute_.find(attribute);
  if (found == by_attribute_.end()) return nullptr;
  const Model* any = nullptr;
  for (auto i = found->second.rbegin(); i != found->second.rend(); ++i) {
    const Model& model = models_[*i];
    if (accepts_receiver(model, receiver)) return &model;
    if (any == nullptr && model.receivers.empty()) any = &model;
  }
  return any;
}

const Model* Models::find_environment(std::string_view variable) const {
  const auto found = by_environment_.find(variable);
  return found == by_environment_.end() ? nullptr : &models_[found->second];
}

void Models::collect_interesting_names() {
  std::vector<std::string_view> names;
  const auto add_name = [&](const std::string& name, size_t model) {
    const Model& m = models_[model];
    if (matters(m)) names.push_back(m.mention.empty() ? last_part(name) : std::string_view(m.mention));
  };
  for (const auto& [name, model] : by_name_) add_name(name, model);
  for (const auto& [name, model] : by_suffix_) add_name(name, model);
  for (const auto& [name, model] : by_environment_) add_name(name, model);
  for (const auto& [name, models] : by_attribute_)
    for (size_t model : models) add_name(name, model);
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  interesting_names_.assign(names.begin(), names.end());
}

}  // namespace ranklint
