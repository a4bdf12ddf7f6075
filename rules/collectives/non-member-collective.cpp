// Collectives on a group by ranks that are not in it.
//
// Groups that a function makes from a list of ranks and uses itself: since every rank has to make a group, all ranks
// are there. The list is evaluated in a small world, and each rank that is not on it is executed through the function:
// if it reaches the collective with every decision on the path certain, or the same for all ranks, it is a non-member
// there. A decision that may test membership (it reads a group, or this rank) ends the path.
//
// A list of numbers, [0, 1], may be the whole world. It is taken for a part of it where the function makes another
// group of further ranks.
#include <algorithm>

#include "analyzer/execution/execution.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/events.h"
#include "analyzer/questions/listed_ranks.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::non_member_collective {

constexpr RuleInfo kInfo{.id = "non-member-collective",
                         .code = "RL108",
                         .summary = "a rank calls a collective on a group that it is not in",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "a rank that is not in the group gets here"};

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
  Assurance certainty = Confidence::Likely;
};

using Truth = ValueStore::Truth;

class Outsiders {
 public:
  explicit Outsiders(const Query& query) : in_(query), values_(query.values()) {}

  std::vector<Outsider> run() {
    each_event(in_, kInfo.id, [&](const Summary& s, ir::BlockId, const Step& step) {
      if (step.event->model->kind == ModelKind::Collective) check(s, step);
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

  void check(const Summary& s, const Step& step) {
    const ValueId group = step.event->group;
    if (!group.valid()) return;
    if (values_[group].kind == ValueKind::Group && values_[group].child_count == 1)
      check_listed(s, step, values_.child(group, 0));
    if (values_[group].kind == ValueKind::Conditional) check_none(s, step, group);
  }

  void check_listed(const Summary& s, const Step& step, ValueId list) {
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
      if (!arrives(s, step, scenario, PathCondition{}, true)) continue;
      return keep(s, step, Outsider::What::NotListed, rank, text(*members), certainty_of_call(s, step));
    }
  }

  // A rooted operation looks up the root's place in the group first, and fails where there is none. Most of the others
  // only warn, and the rank goes on without a result.
  Assurance certainty_of_call(const Summary& s, const Step& step) {
    const ValueId async = in_.argument(step.call, step.event->model->async);
    const bool handle = async.valid() && values_[async].kind == ValueKind::Bool && values_[async].a;
    if (step.event->root.valid() || handle) return Confidence::Likely;
    return Doubt{Reason::OnlyWarns, {s.function, step.range}};
  }

  // `group if rank in members else None`: no group means the world.
  void check_none(const Summary& s, const Step& step, ValueId group) {
    const ValueId condition = values_.child(group, 0), yes = values_.child(group, 1), no = values_.child(group, 2);
    const bool none_when = values_[yes].kind == ValueKind::None;
    const ValueId other = none_when ? no : yes;
    if ((!none_when && values_[no].kind != ValueKind::None) || values_[other].kind != ValueKind::Group) return;
    if (!values_[condition].exact && !tests_this_rank(condition)) return;
    if (values_[condition].local || values_[condition].believed) return;
    const World world = World::flat(4);
    for (uint32_t rank = 0; rank < world.size(); ++rank) {
      Scenario scenario(in_, world, rank);
      const ValueId term = scenario.residual(condition);
      const Truth truth = values_.truth(term);
      if (truth != Truth::Unknown && (truth == Truth::Yes) != none_when) continue;
      PathCondition choices;
      if (truth == Truth::Unknown) choices.assume(values_, term, none_when);
      if (arrives(s, step, scenario, choices, false))
        return keep(s, step, Outsider::What::NoGroup, rank, {}, Confidence::Likely);
    }
  }

  // Whether the rank gets to the step. `listed`: decisions that may test membership end the path.
  bool arrives(const Summary& s, const Step& step, Scenario& scenario, const PathCondition& choices, bool listed) {
    Frames frames(in_, s, std::vector<ValueId>());
    Execution execution(in_, frames);
    std::set<Position> seen;
    std::vector<Position> work{frames.start()};
    while (!work.empty()) {
      const Position at = work.back();
      work.pop_back();
      if (at.at_end() || !seen.insert(at).second) continue;
      const Transition next = execution.next(at, Ask::Always);
      if (next.step == &step) return true;
      if (next.kind != Transition::Kind::Asks) {
        work.push_back(next.to);
        continue;
      }
      const Truth taken = next.iterates ? Truth::Unknown : answer(next.condition, scenario, choices);
      if (taken == Truth::Unknown && !next.iterates && ends_the_way(next.condition, listed)) continue;
      if (taken != Truth::No) work.push_back(execution.side(at, 0));
      if (taken != Truth::Yes) work.push_back(execution.side(at, 1));
    }
    return false;
  }

  Truth answer(ValueId condition, Scenario& scenario, const PathCondition& choices) {
    if (!condition.valid()) return Truth::Unknown;
    // The rank in a group is -1 outside of it.
    if (values_.diverges(condition) && !tests_this_rank(condition)) return Truth::Unknown;
    return choices.decide(values_, scenario.residual(condition));
  }

  bool ends_the_way(ValueId condition, bool listed) {
    return condition.valid() && (values_.diverges(condition) || (listed && mentions_group(condition)));
  }

  // Or may: what is made in more than eight steps is not looked into.
  bool mentions_group(ValueId v) {
    return values_[v].depth > 8 ||
           values_.find_part(v, [&](ValueId part) { return values_[part].kind == ValueKind::Group; }).valid();
  }

  bool tests_this_rank(ValueId v) { return values_.variance(v).world; }

  static std::string text(const ListedRanks& ranks) {
    std::string out;
    for (int64_t rank : ranks) out += (out.empty() ? "" : ", ") + std::to_string(rank);
    return out;
  }

  void keep(const Summary& s, const Step& step, Outsider::What what, uint32_t rank, std::string members,
            const Assurance& certainty) {
    const Communication call{step.event->model, step.event->group, model_certainty(*step.event->model, {}), {}};
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
    finding.replay = replay_templates::by_an_outsider({o.op, o.group, finding.primary}, o.rank, o.members);
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::non_member_collective
