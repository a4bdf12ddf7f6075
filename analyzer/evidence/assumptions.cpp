#include "analyzer/evidence/assumption.h"

#include "analyzer/base/enum_table.h"

namespace ranklint {
namespace {

constexpr AssumptionInfo kAssumptions[] = {
    {AssumptionKind::BranchTaken, "branch-taken", "a condition that nothing decides holds, or does not"},
    {AssumptionKind::NamePrior, "name-prior", "a value is the rank, or whether it is the first, because of its name"},
    {AssumptionKind::CalleeAmongOverrides, "callee-among-overrides",
     "a call means one of several functions that it may mean"},
    {AssumptionKind::SourceDiffers, "source-differs", "what each rank sees by itself differs between ranks"},
    {AssumptionKind::RanksPart, "ranks-part",
     "a condition on the rank, which was not computed, holds for some ranks and not for others"},
    {AssumptionKind::GroupHasMembers, "group-has-members",
     "a group whose members are not written down has more than one rank"},
    {AssumptionKind::ModelSharded, "model-sharded", "a model is sharded, which no file of the program mentions"},
    {AssumptionKind::BudgetReached, "budget-reached",
     "the comparison ended at its limit, and other ways were not compared"},
    {AssumptionKind::CalleeByName, "callee-by-name",
     "a call is taken for one of a library, by its name or by how it is used"},
    {AssumptionKind::CalleeByType, "callee-by-type", "a call means a method if the object is what it is taken for"},
    {AssumptionKind::CommunicatesHere, "communicates-here",
     "a call of a library communicates, which it does in some calls only"},
    {AssumptionKind::GroupByName, "group-by-name", "a group is known by what it is called, not by how it is made"},
    {AssumptionKind::LeavesForGood, "leaves-for-good",
     "ranks that have left a function make no such call elsewhere for the ranks that wait"},
    {AssumptionKind::DeclarationsMissing, "declarations-missing", "not all declarations of a file were found"},
    {AssumptionKind::FewRanks, "few-ranks", "it was seen in runs of a few ranks"},
    {AssumptionKind::SeveralProcesses, "several-processes",
     "several processes run the program, which nothing in the project is seen to start so"},
    {AssumptionKind::StartedLikeOthers, "started-like-others",
     "several processes run the program, though the project starts others so and not this one"},
    {AssumptionKind::RulePremise, "rule-premise", "what the rule takes for granted wherever it looks"},
};

static_assert(is_in_order(kAssumptions, &AssumptionInfo::kind), "the table is in the order of the enumeration");

std::string quoted(const std::string& subject) { return "`" + subject + "`"; }

}  // namespace

std::span<const AssumptionInfo> all_assumptions() { return kAssumptions; }

const AssumptionInfo& info_of(AssumptionKind kind) { return kAssumptions[static_cast<size_t>(kind)]; }

std::string sentence_of(const Assumption& a) {
  switch (a.kind) {
    case AssumptionKind::BranchTaken: return quoted(a.subject) + (a.holds ? " holds" : " does not hold");
    case AssumptionKind::NamePrior: return "rests on the name " + quoted(a.subject);
    case AssumptionKind::CalleeAmongOverrides:
      return "rests on a call of " + quoted(a.subject) + ", one of " + std::to_string(a.count) + " that it may mean";
    case AssumptionKind::SourceDiffers: return "ranks may differ in what each sees by itself (" + a.subject + ")";
    case AssumptionKind::RanksPart:
      return "for which ranks " + (a.subject.empty() ? "the condition" : quoted(a.subject)) + " holds was not computed";
    case AssumptionKind::GroupHasMembers: return "the group " + quoted(a.subject) + " has more than one rank";
    case AssumptionKind::ModelSharded:
      return "the model of " + quoted(a.subject) + " is sharded, which no file of the program mentions";
    case AssumptionKind::BudgetReached: return "the comparison ended at its limit";
    case AssumptionKind::CalleeByName: return "the call is taken for " + quoted(a.subject);
    case AssumptionKind::CalleeByType: return quoted(a.subject) + " is called if the object is what it is taken for";
    case AssumptionKind::CommunicatesHere:
      return quoted(a.subject) + " communicates in this call, which it does not in every one";
    case AssumptionKind::GroupByName: return "the group " + quoted(a.subject) + " is known by its name alone";
    case AssumptionKind::LeavesForGood: return "who has left " + quoted(a.subject) + " makes no such call elsewhere";
    case AssumptionKind::DeclarationsMissing: return "not all declarations of " + quoted(a.subject) + " were found";
    case AssumptionKind::FewRanks: return "it was seen in a run of " + a.subject + " ranks";
    case AssumptionKind::SeveralProcesses:
      return "several processes run " + quoted(a.subject) + ", which nothing in the project is seen to start so";
    case AssumptionKind::StartedLikeOthers:
      return "several processes run " + quoted(a.subject) + ", though the project starts other programs so and not it";
    case AssumptionKind::RulePremise: return a.subject;
  }
  return {};
}

}  // namespace ranklint
