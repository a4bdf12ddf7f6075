// Collectives on a group by ranks that are not in it.
//
// Groups that a function makes from a list of ranks and uses itself: since everyone has to make a group, all ranks
// are there. The list is written out for a small world, and each rank that is not on it is sent down the function:
// if it gets to the collective with every decision on the way taken for sure, or taken alike by all, it is an
// outsider there. A decision that might ask for membership (it looks at a group, or at this rank) ends the way.
//
// A list of numbers, [0, 1], may be the whole world. It is taken for a part of it where the function makes another
// group of further ranks.
#include <algorithm>

#include "analyzer/execution/residual.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/events.h"
#include "analyzer/questions/listed_ranks.h"
#include "rules/told.h"
#include "rules/wording.h"

namespace ranklint::non_member_collective {

constexpr RuleInfo kInfo{.id = "non-member-collective",
                         .code = "RL108",
                         .summary = "a rank calls a collective on a group that it is not in",
                         .severity = Severity::Error,
                         .since = "0.1"};

namespace {

// A collective issued by ranks that are not in its group.
struct Outsider {
  enum class What { NotListed, NoGroup };
  What what = What::NotListed;  // NoGroup: it is None there, which means the world
  FunctionKey function;
  SourceRange range;
  std::string op, group;
  uint32_t rank = 0;    // one of them, in a world of few ranks
  std::string members;  // NotListed: "0, 1"
  Assurance certainty = Certainty::Likely;
};

using Truth = ValueStore::Truth;

class Outsiders {
 public:
  explicit Outsiders(const Query& query) : in_(query), values_(query.values()) {}

  std::vector<Outsider> run() {
    each_event(in_, kInfo.id, [&](const Summary& s, ir::BlockId b, const Step& step) {
      if (step.event->model->kind == ModelKind::Collective) check(s, b, step);
    });
    return std::move(found_);
  }

 private:
  struct GroupsMade {
    FunctionKey function;
    ListedRanks numbered;     // all ranks that lists of numbers name
    std::set<ValueId> lists;  // of which groups are made
  };

  GroupsMade groups_made_in(const Summary& s) {
    GroupsMade groups{.function = s.function, .numbered = {}, .lists = {}};
    for (const BlockSteps& block : s.blocks)
      for (const Step& made : block.steps) {
        if (!made.event || made.event->model->kind != ModelKind::GroupCreate || !made.event->ranks.valid()) continue;
        groups.lists.insert(made.event->ranks);
        if (values_.is_constant(made.event->ranks))
          groups.numbered.merge(listed_ranks(in_, made.event->ranks).value_or(ListedRanks{}));
      }
    return groups;
  }

  void check(const Summary& s, ir::BlockId block, const Step& step) {
    const ValueId group = step.event->group;
    if (!group.valid()) return;
    if (values_[group].kind == ValueKind::Group && values_[group].child_count == 1)
      check_listed(s, block, step, values_.child(group, 0));
    if (values_[group].kind == ValueKind::Conditional) check_none(s, block, step, group);
  }

  void check_listed(const Summary& s, ir::BlockId block, const Step& step, ValueId list) {
    if (made_.function != s.function) made_ = groups_made_in(s);
    const ListedRanks& numbered = made_.numbered;
    if (!made_.lists.contains(list)) return;
    const int64_t highest = numbered.empty() ? 0 : *numbered.rbegin();
    if (highest >= kMostListedRanks) return;
    const World world = World::flat(static_cast<uint32_t>(std::max<int64_t>(4, highest + 1)));
    Scenario first(in_, world, 0);
    const std::optional<ListedRanks> members = listed_ranks(in_, first.residual(list));
    if (!members || members->empty()) return;
    for (uint32_t rank = 0; rank < world.size(); ++rank) {
      if (members->count(rank) || (values_.is_constant(list) && !numbered.contains(rank))) continue;
      Scenario scenario(in_, world, rank);
      if (!arrives(s, block, scenario, Choices{}, true)) continue;
      return keep(s, step, Outsider::What::NotListed, rank, text(*members), certainty_of_call(s, step));
    }
  }

  // A rooted operation asks for the root's place in the group first, and fails where there is none. Of the others
  // most only warn, and the rank goes on without a result.
  Assurance certainty_of_call(const Summary& s, const Step& step) {
    const ValueId async = in_.argument(step.call, step.event->model->async);
    const bool handle = async.valid() && values_[async].kind == ValueKind::Bool && values_[async].a;
    if (step.event->root.valid() || handle) return Certainty::Likely;
    return Doubt{Reason::OnlyWarns, {s.function, step.range}};
  }

  // `group if rank in members else None`: no group means the world.
  void check_none(const Summary& s, ir::BlockId block, const Step& step, ValueId group) {
    const ValueId condition = values_.child(group, 0), yes = values_.child(group, 1), no = values_.child(group, 2);
    const bool none_when = values_[yes].kind == ValueKind::None;
    const ValueId other = none_when ? no : yes;
    if ((!none_when && values_[no].kind != ValueKind::None) || values_[other].kind != ValueKind::Group) return;
    if (!values_[condition].exact && !asks_for_this_rank(condition)) return;
    if (values_[condition].local || values_[condition].believed) return;
    const World world = World::flat(4);
    for (uint32_t rank = 0; rank < world.size(); ++rank) {
      Scenario scenario(in_, world, rank);
      const ValueId term = scenario.residual(condition);
      const Truth truth = values_.truth(term);
      if (truth != Truth::Unknown && (truth == Truth::Yes) != none_when) continue;
      Choices choices;
      if (truth == Truth::Unknown) choices.choose(values_, term, none_when);
      if (arrives(s, block, scenario, choices, false))
        return keep(s, step, Outsider::What::NoGroup, rank, {}, Certainty::Likely);
    }
  }

  // Whether the rank gets to the block. `listed`: decisions that may ask for membership end the way.
  bool arrives(const Summary& s, ir::BlockId block, Scenario& scenario, const Choices& choices, bool listed) {
    const ir::Function& f = in_.index().function(s.function);
    std::set<ir::BlockId> seen;
    std::vector<ir::BlockId> work{ir::BlockId{0}};
    while (!work.empty()) {
      const ir::BlockId at = work.back();
      work.pop_back();
      if (!seen.insert(at).second) continue;
      if (at == block) return true;
      const BlockSteps& steps = s.blocks[at.index];
      if (std::any_of(steps.steps.begin(), steps.steps.end(), [](const Step& step) { return step.leaves; })) continue;
      const auto successors = FlowGraph::successors(f.blocks[at]);
      Truth truth = Truth::Unknown;
      if (f.blocks[at].terminator.kind == ir::TerminatorKind::Branch && steps.condition.valid()) {
        const ValueId term = scenario.residual(steps.condition);
        truth = choices.decide(values_, term);
        // The rank in a group, -1 outside of it.
        if (values_.diverges(steps.condition) && !asks_for_this_rank(steps.condition)) truth = Truth::Unknown;
        if (truth == Truth::Unknown &&
            (values_.diverges(steps.condition) || (listed && mentions_group(steps.condition, 0))))
          continue;
      }
      for (size_t i = 0; i < successors.size(); ++i)
        if (truth == Truth::Unknown || (truth == Truth::Yes) == (i == 0)) work.push_back(successors[i]);
    }
    return false;
  }

  bool mentions_group(ValueId v, int depth) {
    if (values_[v].kind == ValueKind::Group || depth > 8) return true;
    const std::vector<ValueId> children(values_.children(v).begin(), values_.children(v).end());
    return std::any_of(children.begin(), children.end(), [&](ValueId c) { return mentions_group(c, depth + 1); });
  }

  bool asks_for_this_rank(ValueId v) { return values_.variance(v).world; }

  static std::string text(const ListedRanks& ranks) {
    std::string out;
    for (int64_t rank : ranks) out += (out.empty() ? "" : ", ") + std::to_string(rank);
    return out;
  }

  void keep(const Summary& s, const Step& step, Outsider::What what, uint32_t rank, std::string members,
            const Assurance& certainty) {
    const Communication call{step.event->model, step.event->group, model_certainty(*step.event->model), {}};
    found_.push_back({what, s.function, step.range, call.model->op, group_name(in_, call), rank, std::move(members),
                      lower_of(certainty, call.certainty)});
  }

  const Query& in_;
  ValueStore& values_;
  std::vector<Outsider> found_;
  GroupsMade made_;  // in the function that was looked at last
};

}  // namespace

static std::string describe(const Outsider& o) {
  const std::string rank = "rank " + std::to_string(o.rank);
  if (o.what == Outsider::What::NoGroup)
    return "`" + o.op + "` runs on the world where its group is None, as on " + rank + ", and on `" + o.group +
           "` elsewhere";
  return collective_text(o.op, o.group) + " is reached by " + rank + " too, and the group has ranks " + o.members +
         " only";
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Outsider& o : Outsiders(in).run()) {
    if (!is_reported(shared, o.function) || is_run_through(shared, o.function)) continue;
    Finding finding = finding_at(kInfo, shared, o.function, o.range, o.certainty);
    finding.message = describe(o);
    finding.help = "make the call under a test of membership, with the list that the group was made from";
    finding.fingerprint_key = o.op + " " + o.group;
    finding.replay = told::by_an_outsider({o.op, o.group, finding.primary}, o.rank, o.members);
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::non_member_collective
