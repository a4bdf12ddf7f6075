// From facts to words: what the rules about mismatching sequences have in common.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/compare/facts.h"
#include "rules/rule.h"

namespace ranklint {

// Which rule a mismatch belongs to. Each belongs to exactly one.
enum class MismatchKind {
  RankGuarded, EarlyExit, DivergentOrder, RankLoop, LocalData, GroupCreation, Root, ReduceOp, Size, CrossGroup, Generator,
  // Of what RankGuarded would be, and of wrappers that create groups: what the guarded call is a part of.
  Wrapper, GatheredParameters, StateDict, Checkpoint, TensorRead, Redistribute,
  Warmup,        // of RankGuarded: the chain goes through the warm-up of a communicator
  UnevenInputs,  // of RankLoop: around the forward pass of a wrapped model
};
MismatchKind kind_of(const Mismatch& mismatch);

// The finding of a mismatch but for its message and help: places, lanes, severity, confidence.
Finding finding_of(const RuleInfo& rule, const Facts& facts, const Mismatch& mismatch);

// "`all_to_all` on `sp`"
std::string collective_text(const std::string& op, const std::string& group);

// The verb in the number of the ranks: verb("rank 0", " leave") is " leaves".
std::string verb(const std::string& ranks, const std::string& plural);

// A finding at one place, without lanes.
Finding finding_at(const RuleInfo& rule, const Facts& facts, FunctionKey function, SourceRange range, Certainty certainty);

// Where the function is not one of the edited file but of what it was (Facts::checked_before), behind kAsChecked.
std::string path_of(const Facts& facts, FunctionKey f);
inline constexpr std::string_view kAsChecked{"\x01/", 2};
bool is_reported(const Facts& facts, FunctionKey function);

// Whether the file is a test by its name or folder: what holds on one node, or for one size, is enough there.
bool is_test_file(std::string_view path);

}  // namespace ranklint
