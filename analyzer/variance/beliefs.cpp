#include "analyzer/variance/beliefs.h"

namespace ranklint {

bool is_launcher_variable(const Models& models, std::string_view name) {
  return models.roles().play(name, Role::SetByLauncher);
}

std::optional<Belief> belief_about(const Models& models, std::string_view name) {
  if (name.starts_with("m_")) name.remove_prefix(2);  // a C++ member, as is `rank_`
  while (!name.empty() && name.front() == '_') name.remove_prefix(1);
  while (!name.empty() && name.back() == '_') name.remove_suffix(1);
  if (const NamePrior* rank = models.names().find(name, NameMeaning::OwnRank))
    return Belief{BeliefKind::Coordinate, &rank->axes};
  if (const NamePrior* first = models.names().find(name, NameMeaning::FirstRank))
    return Belief{BeliefKind::IsFirst, &first->axes};
  const Model* variable = is_launcher_variable(models, name) ? models.find_environment(name) : nullptr;
  return variable ? std::optional(Belief{BeliefKind::Coordinate, &variable->axes}) : std::nullopt;
}

std::vector<std::string> axes_of_dimension(const NamePriors& priors, std::string_view name) {
  const NamePrior* known = priors.find(name, NameMeaning::Axis);
  return known ? known->axes : std::vector{std::string(name)};
}

const std::vector<std::string>* axes_in_group_name(const NamePriors& priors, std::string_view name) {
  if (!priors.suggest(name, NameMeaning::GroupOrMesh)) return nullptr;
  if (const auto parts = priors.find_parts(name, NameMeaning::Axis); !parts.empty()) return &parts.front()->axes;
  // More than one short axis ("dp_cp_group") names a group over several: only one is a safe reading.
  const auto parts = priors.find_parts(name, NameMeaning::ShortAxis);
  return parts.size() == 1 ? &parts.front()->axes : nullptr;
}

}  // namespace ranklint
