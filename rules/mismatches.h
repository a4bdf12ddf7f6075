// Sequences of ranks that do not match, sorted by the rule they belong to, and in words.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/project/shared.h"
#include "rules/rule.h"

namespace ranklint {

// Which rule a mismatch belongs to. Each belongs to exactly one.
enum class MismatchKind {
  RankGuarded,
  EarlyExit,
  DivergentOrder,
  RankLoop,
  LocalData,
  GroupCreation,
  Root,
  ReduceOp,
  Members,
  Size,
  CrossGroup,
  Generator,
  // Of what RankGuarded would be, and of wrappers that create groups: what the guarded call is a part of.
  Wrapper,
  GatheredParameters,
  StateDict,
  Checkpoint,
  TensorRead,
  Redistribute,
  Warmup,        // of RankGuarded: the chain goes through the warm-up of a communicator
  UnevenInputs,  // of RankLoop: around the forward pass of a wrapped model
};

// Those of a kind, in functions that are reported.
std::vector<std::reference_wrapper<const Mismatch>> mismatches_of(const Shared& shared, MismatchKind kind);

// The finding of a mismatch but for its message and help: places, lanes, severity, confidence.
Finding finding_of(const RuleInfo& rule, const Shared& shared, const Mismatch& mismatch);

// " if the model is sharded", where they wait in a call that communicates under that condition only.
std::string_view if_sharded(const Mismatch& mismatch);

// Of a guarded call that is a part of something: "`save` plans with every rank, and only rank 0 gets there: `gather` on
// `world` waits for ranks 1..3", where "plans with every rank" is `what_it_does`.
std::string only_some_call(const Mismatch& mismatch, std::string_view what_it_does);

}  // namespace ranklint
