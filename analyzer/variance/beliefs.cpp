#include "analyzer/variance/beliefs.h"

#include <algorithm>
#include <array>

namespace ranklint {
namespace {

struct NamedBelief {
  std::string_view name;
  BeliefKind kind;
  std::string_view axis;
};

constexpr std::array kBeliefs = {
    NamedBelief{"rank", BeliefKind::Coordinate, "world"},
    NamedBelief{"global_rank", BeliefKind::Coordinate, "world"},
    NamedBelief{"world_rank", BeliefKind::Coordinate, "world"},
    NamedBelief{"process_rank", BeliefKind::Coordinate, "world"},
    NamedBelief{"dist_rank", BeliefKind::Coordinate, "world"},
    NamedBelief{"process_index", BeliefKind::Coordinate, "world"},
    NamedBelief{"local_rank", BeliefKind::Coordinate, "local"},
    NamedBelief{"RANK", BeliefKind::Coordinate, "world"},  // `envs.RANK`: the launcher's variables as a module's names
    NamedBelief{"LOCAL_RANK", BeliefKind::Coordinate, "local"},
    NamedBelief{"tp_rank", BeliefKind::Coordinate, "tp"},
    NamedBelief{"dp_rank", BeliefKind::Coordinate, "dp"},
    NamedBelief{"sp_rank", BeliefKind::Coordinate, "sp"},
    NamedBelief{"cp_rank", BeliefKind::Coordinate, "cp"},
    NamedBelief{"pp_rank", BeliefKind::Coordinate, "pp"},
    NamedBelief{"ep_rank", BeliefKind::Coordinate, "ep"},
    NamedBelief{"ring_attn_rank", BeliefKind::Coordinate, "cp"},
    NamedBelief{"is_main_process", BeliefKind::IsFirst, "world"},
    NamedBelief{"is_local_main_process", BeliefKind::IsFirst, "local"},
    NamedBelief{"is_master", BeliefKind::IsFirst, "world"},
    NamedBelief{"is_master_process", BeliefKind::IsFirst, "world"},
    NamedBelief{"is_rank0", BeliefKind::IsFirst, "world"},
    NamedBelief{"is_rank_0", BeliefKind::IsFirst, "world"},
    NamedBelief{"is_rank_zero", BeliefKind::IsFirst, "world"},
    NamedBelief{"is_global_zero", BeliefKind::IsFirst, "world"},
    NamedBelief{"is_world_process_zero", BeliefKind::IsFirst, "world"},
    NamedBelief{"is_local_process_zero", BeliefKind::IsFirst, "local"},
    NamedBelief{"is_global_first", BeliefKind::IsFirst, "world"},
    NamedBelief{"master_process", BeliefKind::IsFirst, "world"},
    NamedBelief{"main_process", BeliefKind::IsFirst, "world"},
};

struct AxisWord {
  std::string_view word;
  std::string_view axis;
};

// Longer words first: the first that occurs decides.
constexpr std::array kGroupWords = {
    AxisWord{"data_parallel_with_context", "dp-cp"},
    AxisWord{"tensor_model_parallel", "tp"},
    AxisWord{"pipeline_model_parallel", "pp"},
    AxisWord{"sequence_data_parallel", "sp-dp"},
    AxisWord{"expert_model_parallel", "ep"},
    AxisWord{"expert_parallel", "ep"},
    AxisWord{"tensor_parallel", "tp"},
    AxisWord{"sequence_parallel", "sp"},
    AxisWord{"context_parallel", "cp"},
    AxisWord{"pipeline_parallel", "pp"},
    AxisWord{"data_parallel", "dp"},
    AxisWord{"model_parallel", "tp-pp"},
    AxisWord{"ulysses", "ulysses"},
    AxisWord{"ring", "ring"},
    AxisWord{"world", "world"},
};

// Of a whole name: within one they say nothing of the axis.
constexpr std::array kWholeNames{
    AxisWord{"tensor", "tp"},        AxisWord{"data", "dp"},         AxisWord{"pipeline", "pp"},
    AxisWord{"pipe", "pp"},          AxisWord{"expert", "ep"},       AxisWord{"context", "cp"},
    AxisWord{"nodes", "node"},       AxisWord{"inter_node", "node"}, AxisWord{"internode", "node"},
    AxisWord{"intra_node", "local"}, AxisWord{"intranode", "local"},
};

constexpr std::array<std::string_view, 12> kShortAxes = {"tp",  "dp",  "sp",   "cp",  "pp",  "ep",
                                                         "etp", "edp", "fsdp", "cfg", "dcp", "mp"};

bool has_word(std::string_view name, std::string_view word) {
  for (size_t at = name.find(word); at != name.npos; at = name.find(word, at + 1)) {
    const bool left = at == 0 || name[at - 1] == '_';
    const bool right = at + word.size() == name.size() || name[at + word.size()] == '_';
    if (left && right) return true;
  }
  return false;
}

}  // namespace

std::optional<Belief> belief_about(std::string_view name) {
  if (name.starts_with("m_")) name.remove_prefix(2);  // a C++ member, as is `rank_`
  while (!name.empty() && name.front() == '_') name.remove_prefix(1);
  while (!name.empty() && name.back() == '_') name.remove_suffix(1);
  for (const NamedBelief& belief : kBeliefs)
    if (belief.name == name) return Belief{belief.kind, belief.axis};
  return std::nullopt;
}

std::string_view canonical_axis(std::string_view name) {
  for (const AxisWord& word : kGroupWords)
    if (name == word.word) return word.axis;
  const auto whole = std::ranges::find(kWholeNames, name, &AxisWord::word);
  return whole == kWholeNames.end() ? name : whole->axis;
}

std::string_view axis_in_group_name(const NamePriors& priors, std::string_view name) {
  if (!priors.suggest(name, NameMeaning::GroupOrMesh)) return {};
  for (const AxisWord& word : kGroupWords)
    if (has_word(name, word.word)) return word.axis;
  // More than one short axis ("dp_cp_group") names a group over several: only one is a safe reading.
  std::string_view found;
  for (std::string_view axis : kShortAxes)
    if (has_word(name, axis)) {
      if (!found.empty()) return {};
      found = axis;
    }
  return found;
}

}  // namespace ranklint
