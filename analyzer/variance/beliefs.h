// Names worth believing when nothing better is known: what `rank`, `is_main_process`, `tp_group` say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/resolve/models.h"
#include "analyzer/variance/values.h"

namespace ranklint {

// What a variable, parameter or attribute of this name holds: a coordinate, or whether it is the first.
struct Belief {
  BeliefKind kind = BeliefKind::Coordinate;
  const std::vector<std::string>* axes = nullptr;  // of the models
};
std::optional<Belief> belief_about(const Models& models, std::string_view name);

// `RANK`, `LOCAL_RANK`: what libraries call the environment's variables that they give as names (`envs.RANK`).
bool is_launcher_variable(const Models& models, std::string_view name);

// The axes that a group's name suggests (`tp` for `tp_group`, `tensor_model_parallel_group`), the world's for the
// default group's usual names. Null: the name says nothing.
const std::vector<std::string>* axes_in_group_name(const NamePriors& priors, std::string_view name);

// The axes that the name of a mesh's dimension stands for (`data_parallel`: `dp`): those that are known, or the one of
// that name.
std::vector<std::string> axes_of_dimension(const NamePriors& priors, std::string_view name);

}  // namespace ranklint
