// What a rank that reaches a block knows: the branches that every path to it takes, which ranks those leave, and what
// is still open of a branch after that.
#include <catch2/catch.hpp>

#include <algorithm>

#include "analyzer/execution/path_condition.h"
#include "analyzer/execution/residual.h"
#include "analyzer/variance/rank_condition.h"
#include "tests/analysis/produced.h"

namespace ranklint::test {

namespace {

class PathConditions {
 public:
  PathConditions(const Subject& subject, std::vector<Fact>& facts)
      : subject_(subject), values_(subject.in.values()), facts_(facts) {}

  void add(FunctionKey f) {
    const Summary* summary = subject_.in.summary(f);
    REQUIRE(summary);
    for (const ir::BlockId block : summary->graph().order()) add_block(*summary, block);
  }

 private:
  std::string text(ValueId v) const { return term_text(subject_.in, v); }

  // From the outside in. A side counts where no other path leads to it and all paths to the block lead through it.
  std::vector<Requirement> branches_above(const Summary& s, ir::BlockId block) const {
    std::vector<Requirement> found;
    const ir::Function& f = subject_.in.index().function(s.function);
    for (ir::BlockId above = s.graph().dominator(block); above.valid(); above = s.graph().dominator(above)) {
      const ir::Terminator& end = f.blocks[above].terminator;
      if (end.kind != ir::TerminatorKind::Branch || !s.blocks[above.index].condition.valid()) continue;
      const auto through = [&](ir::BlockId side) {
        return s.graph().predecessors(side).size() == 1 && s.graph().dominates(side, block);
      };
      const bool yes = through(end.successors[0]), no = through(end.successors[1]);
      if (yes != no) found.push_back({s.blocks[above.index].condition, yes});
    }
    std::ranges::reverse(found);
    return found;
  }

  void add_block(const Summary& s, ir::BlockId block) {
    const BlockLines& lines = subject_.lines(s.function).blocks[block.index];
    const std::vector<Requirement> above = branches_above(s, block);
    PathCondition known;
    std::string conditions;
    for (const Requirement& r : above) {
      known.assume(values_, r.condition, r.holds);
      conditions += conditions.empty() ? "under " : " and ";
      conditions += (r.holds ? "(" : "not (") + text(r.condition) + ")";
    }
    if (!above.empty()) facts_.push_back({lines.label, conditions});
    add_ranks(lines.label, above);
    const ValueId condition = s.blocks[block.index].condition;
    const ir::TerminatorKind kind = subject_.in.index().function(s.function).blocks[block].terminator.kind;
    if (!condition.valid() || kind != ir::TerminatorKind::Branch) return;
    const ValueStore::Truth truth = known.decide(values_, condition);
    const ValueId open = known.undecided_part(values_, condition);
    const uint32_t line = lines.code.back();
    if (truth == ValueStore::Truth::Yes)
      facts_.push_back({line, "always true"});
    else if (truth == ValueStore::Truth::No)
      facts_.push_back({line, "always false"});
    else if (open != condition)
      facts_.push_back({line, "asks " + text(open)});
  }

  void add_ranks(uint32_t line, const std::vector<Requirement>& above) {
    if (above.empty()) return;
    const RankCondition condition(values_, subject_.in.index(), [](ValueId) { return ValueStore::Truth::Unknown; });
    const std::optional<RanksWhere> ranks = condition.ranks_where(above);
    if (!ranks) return;
    std::string list;
    for (const RanksWhere::Part& part : ranks->parts) {
      const std::optional<RankName> name = name_of(part.set);
      const ValueId group = part.variable.group;
      const auto axes = [&] { return describe(values_.axes(part.variable.axes), subject_.in.index().names()); };
      list += list.empty() ? "" : ranks->any ? " or " : " and ";
      list += "ranks[" + (group.valid() ? text(group) : axes()) + "] " + (name ? name->text : "without a name");
    }
    facts_.push_back({line, list});
  }

  const Subject& subject_;
  ValueStore& values_;
  std::vector<Fact>& facts_;
};

}  // namespace

void add_path_conditions(const Subject& subject, std::vector<Fact>& facts) {
  PathConditions conditions(subject, facts);
  for (const FunctionKey f : subject.in.functions_to_check()) conditions.add(f);
}

}  // namespace ranklint::test
