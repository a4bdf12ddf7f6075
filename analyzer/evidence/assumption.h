// What a finding rests on where nothing in the program says it: a closed list. Code that assumes something records what
// and where, so that a report can say it and a statistic can count it.
//
// Unlike a reason to doubt (reason.h), an assumption does not say that the finding is wrong; its confidence is what
// such findings have been worth.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/base/source_range.h"
#include "analyzer/resolve/index.h"

namespace ranklint {

struct CodePlace {
  FunctionKey function;  // invalid: none in particular
  SourceRange range;
};

enum class AssumptionKind : uint8_t {
  BranchTaken,           // subject: a condition that nothing decides, and whether it holds
  NamePrior,             // subject: a name that says what it means
  CalleeAmongOverrides,  // subject: the function, one of `count` that the call may mean
  SourceDiffers,         // subject: what each rank sees by itself
  RanksPart,             // subject: a condition on the rank; for which ranks it holds was not computed
  GroupHasMembers,       // subject: a group of more than one rank
  ModelSharded,          // subject: the operation; its model is cut into shards, which no file of the program mentions
  BudgetReached,         // not all ways were compared
  CalleeByName,          // subject: the library's call that one is taken for, by its name
  CalleeByType,          // subject: the function that a call means if its receiver is what it is taken for
  CommunicatesHere,      // subject: the library's call, which communicates in some calls only
  GroupByName,           // subject: a group that was not followed to where it is made
  LeavesForGood,         // subject: the function that one class of ranks has left; what comes behind was not compared
  DeclarationsMissing,   // subject: a file of which not all declarations were found
  FewRanks,              // subject: the number of ranks with which it was seen
  SeveralProcesses,      // subject: a file; nothing is seen to start its programs as several processes
  StartedLikeOthers,     // subject: a file; the same, where other programs of the project are started so
  RulePremise,           // subject: what the rule takes for granted wherever it looks, in a sentence
};

struct Assumption {
  AssumptionKind kind = AssumptionKind::BranchTaken;
  std::string subject = {};  // as the source writes it
  bool holds = true;
  uint32_t count = 0;
  CodePlace place = {};
};

struct AssumptionInfo {
  AssumptionKind kind;
  std::string_view id;       // "name-prior"
  std::string_view meaning;  // for people, no full stop
};

// In the order of the enumeration.
std::span<const AssumptionInfo> all_assumptions();
const AssumptionInfo& info_of(AssumptionKind kind);

// For people, no full stop: "rests on the name `is_main`".
std::string sentence_of(const Assumption& assumption);

}  // namespace ranklint
