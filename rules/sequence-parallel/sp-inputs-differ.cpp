// The ranks of one sequence-parallel group work on one sample. A sampler that is not told deals samples out by the
// global rank, and every rank of the group holds a piece of another sample.
#include <array>

#include "rules/calls.h"
#include "rules/wording.h"

namespace ranklint::sp_inputs_differ {

constexpr RuleInfo kInfo{.id = "sp-inputs-differ",
                         .code = "RL604",
                         .summary = "the ranks of one sequence-parallel group are given different samples",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

constexpr std::array<std::string_view, 11> kSetups{"set_seq_parallel_pg",
                                                   "initialize_sequence_parallel_state",
                                                   "initialize_sequence_parallel_group",
                                                   "set_sequence_parallel_group",
                                                   "get_sequence_parallel_rank",
                                                   "get_sequence_parallel_group",
                                                   "get_sequence_parallel_world_size",
                                                   "get_ulysses_sequence_parallel_group",
                                                   "get_sp_group",
                                                   "set_ulysses_sequence_parallel_group",
                                                   "get_sp_parallel_rank"};
constexpr auto kCalls = joined(kSetups, std::array<std::string_view, 1>{"DistributedSampler"});

static bool is_sampler(const CallSite& call) {
  return is_call_of(call, "torch.utils.data.DistributedSampler") ||
         is_call_of(call, "torch.utils.data.distributed.DistributedSampler");
}

// By the rank in the world: told so, or not told at all.
static bool deals_by_world(const CallSite& sampler) {
  const SeenValue* rank = sampler.argument({.position = 2, .keyword = "rank"});
  if (sampler.open_ended) return false;
  return !rank || rank->kind == SeenValue::Kind::None || (rank->spelled == "rank(world)" && !rank->believed);
}

// A sampler that keeps the order deals out what is evaluated, often without sequence parallelism.
static bool keeps_order(const CallSite& sampler) {
  const SeenValue* shuffle = sampler.argument({.position = 3, .keyword = "shuffle"});
  return shuffle && shuffle->kind == SeenValue::Kind::Bool && shuffle->integer == 0;
}

// The first thing in the sampler's file that is about a sequence-parallel group; null: none.
static const CallSite* sequence_parallel_beside(const Shared& shared, const CallSite& sampler) {
  const ModuleKey module = shared.index->functions()[sampler.function].module;
  for (const CallSite& call : shared.calls.all())
    if (shared.index->functions()[call.function].module == module && is_named_any(call, kSetups)) return &call;
  return nullptr;
}

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const CallSite& sampler : shared.calls.all()) {
    if (!is_sampler(sampler) || !deals_by_world(sampler) || !is_reported(shared, sampler.function)) continue;
    const CallSite* group = sequence_parallel_beside(shared, sampler);
    if (!group) continue;
    Assurance certainty = Certainty::Likely;
    if (keeps_order(sampler)) certainty.doubt({Reason::KeepsOrder, {sampler.function, sampler.range}});
    Finding finding = finding_at(kInfo, shared, sampler.function, sampler.range, certainty);
    finding.message =
        "`DistributedSampler` deals samples out by the global rank, so the ranks of one sequence-parallel group get "
        "different ones";
    finding.related.push_back(
        {{path_of(shared, group->function), group->range}, "the sequence-parallel group is used here"});
    finding.help =
        "pass num_replicas and rank of the data-parallel group, so that the ranks of one sequence-parallel group read "
        "the same sample";
    finding.fingerprint_key = "DistributedSampler";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::sp_inputs_differ
