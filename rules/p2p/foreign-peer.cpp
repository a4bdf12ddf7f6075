// Peers that are numbered within the group of a message (RL206).
//
// A rank is a number and the group that it counts in. `send` and `recv` take their peer as a rank of the world,
// in every group:
//
//     right = (dist.get_rank(group) + 1) % dist.get_world_size(group)
//     dist.send(x, dst=right, group=group)       # the first group alone has the ranks 0 to n - 1
//
// A number is within the group if all that it is computed of is this rank's number there, the group's size and
// constants, by addition, subtraction and remainder. A multiplication computes a rank of the world. A group whose axes
// are unknown may be the world.
#include <algorithm>

#include "analyzer/summary/query.h"
#include "analyzer/variance/leads_to.h"
#include "rules/wording.h"

namespace ranklint::foreign_peer {

constexpr RuleInfo kInfo{.id = "foreign-peer",
                         .code = "RL206",
                         .summary = "a peer is numbered within the group where a rank of the world is expected",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the message goes to a rank of another group",
                         .premise = "there is more than one group of this kind"};

namespace {

// A message whose peer is numbered within the group.
struct ForeignPeer {
  FunctionKey function;
  SourceRange range;
  std::string op;
};

class ForeignPeers {
 public:
  explicit ForeignPeers(const Query& query) : in_(query), values_(query.values()) {}

  std::vector<ForeignPeer> run() {
    in_.for_each_function_to_check("peers of messages", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s || !s->transfers) return;
      for (const ir::BlockId b : s->graph().order())
        for (const Step& step : s->blocks[b.index].point_to_point)
          if (step.transfer) check(*s, step);
    });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, const Step& step) {
    const Model& model = *step.transfer;
    const ValueId peer = in_.argument(step.call, model.root), group = in_.argument(step.call, model.group.argument);
    if (model.root_is_group_rank || !peer.valid() || !group.valid() || !is_computed(peer)) return;
    const std::optional<AxisSet> axes = in_.resolve_group(group, Unknown::Nothing);
    if (!axes || axes->world || axes->axes.empty() || !counts_within(peer, group, *axes)) return;
    found_.push_back({s.function, step.range, model.op});
  }

  // A number by itself may be the rank of a neighbour, which a library's object has as a rank of the world.
  bool is_computed(ValueId peer) const {
    return values_.diverges(peer) &&
           values_.find_part(peer, [&](ValueId part) { return values_[part].kind == ValueKind::Binary; }).valid();
  }

  bool counts_within(ValueId number, ValueId group, const AxisSet& axes) const {
    return !leads_to(number, [&](ValueId part, std::vector<ValueId>& next) {
      const Value& v = values_[part];
      switch (v.kind) {
        case ValueKind::Integer: return false;
        case ValueKind::RankIn:
        case ValueKind::SizeIn: return values_.child(part, 0) != group;
        case ValueKind::Coordinate:
        case ValueKind::Size: return values_.axes(AxesId{v.a}) != axes;
        case ValueKind::Binary:
          add_parts(next, values_.children(part));
          return v.op != ir::Operator::Add && v.op != ir::Operator::Subtract && v.op != ir::Operator::Modulo;
        case ValueKind::Conditional: add_parts(next, values_.children(part).subspan(1)); return false;
        default: return true;
      }
    });
  }

  const Query& in_;
  const ValueStore& values_;
  std::vector<ForeignPeer> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const ForeignPeer& peer : ForeignPeers(in).run()) {
    if (!is_reported(shared, peer.function) || is_run_through(shared, peer.function)) continue;
    Finding finding = finding_at(kInfo, shared, peer.function, peer.range, Confidence::Likely);
    finding.message = "`" + peer.op +
                      "` takes its peer as a rank of the world, and this one is numbered within the group: all groups "
                      "but the first reach ranks of the first";
    finding.help = "pass `get_global_rank(group, r)`, or give the number as `group_dst`, `group_src` or `group_peer`";
    finding.fingerprint_key = peer.op;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find};

}  // namespace ranklint::foreign_peer
