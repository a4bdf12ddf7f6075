// Names worth believing when nothing better is known: what `rank`, `is_main_process`, `tp_group` say.
#pragma once

#include <optional>
#include <string_view>

#include "analyzer/resolve/name_priors.h"
#include "analyzer/variance/values.h"

namespace ranklint {

// What a variable, parameter or attribute of this name holds: a coordinate, or whether it is the first.
struct Belief {
  BeliefKind kind = BeliefKind::Coordinate;
  std::string_view axis;  // "world", "local", "tp", ...
};
std::optional<Belief> belief_about(std::string_view name);

// `RANK`, `LOCAL_RANK`: what libraries call the environment's variables that they give as names (`envs.RANK`).
constexpr bool is_launcher_variable(std::string_view name) { return name == "RANK" || name == "LOCAL_RANK"; }

// The axis that a group's name suggests ("tp" for `tp_group`, `tensor_model_parallel_group`); "world" for the
// default group's usual names; empty when the name says nothing.
std::string_view axis_in_group_name(const NamePriors& priors, std::string_view name);

// The canonical axis for the name of a mesh dimension ("data_parallel" -> "dp"); the name itself if unknown.
std::string_view canonical_axis(std::string_view name);

}  // namespace ranklint
