// A rank that picks its part by its number, `files[rank::world_size]`, out of a listing: that has an order of its own
// on every machine, so that two ranks may pick one file and none another.
#include <algorithm>

#include "analyzer/questions/iteration_order.h"
#include "analyzer/questions/subscripts.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/beliefs.h"
#include "rules/spot.h"
#include "rules/wording.h"

namespace ranklint::unsorted_shards {

constexpr RuleInfo kInfo{.id = "unsorted-shards",
                         .code = "RL504",
                         .summary = "a rank picks files out of a listing that was not sorted",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "parts are read twice and others never"};

namespace {

class UnsortedPicks {
 public:
  explicit UnsortedPicks(const Query& in) : in_(in), index_(in.index()), origins_(in) {}

  std::vector<Spot> run() {
    in_.for_each_judged("picks out of listings", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s) return;
      const FunctionCode code(index_, *s);
      for_each_subscript(code, [&](const Subscript& subscript) { check(code, subscript); });
    });
    return std::move(found_);
  }

 private:
  bool names_rank(const FunctionCode& code, ir::ExprId index) const {
    if (code.ir.exprs[index].kind == ir::ExprKind::Slice) {
      const auto parts = ir::children(code.ir, index);
      return !parts.empty() && names_rank(code, parts[0]);
    }
    if (goes_through_numbers(code, index)) return false;
    const std::string dotted = index_.dotted(code.module, code.ir, index);
    const auto belief = belief_about(last_part(dotted));
    return belief && belief->kind == BeliefKind::Coordinate;
  }

  // `for rank in range(n)`: whoever goes through all numbers has none of them for its own.
  static bool goes_through_numbers(const FunctionCode& code, ir::ExprId index) {
    if (code.ir.exprs[index].kind != ir::ExprKind::Name) return false;
    const auto is_it = [&](ir::ExprId e) {
      return code.ir.exprs[e].kind == ir::ExprKind::Name && code.ir.exprs[e].symbol == code.ir.exprs[index].symbol;
    };
    return std::ranges::any_of(code.ir.blocks, [&](const ir::Block& block) {
      return block.terminator.kind == ir::TerminatorKind::Iterate &&
             ir::any_part(code.ir, block.terminator.target, is_it);
    });
  }

  void check(const FunctionCode& code, const Subscript& pick) {
    if (code.name(pick.container).empty() || !names_rank(code, pick.index)) return;
    const IterationOrder origin = origins_.of(code, pick.container, pick.at);
    if (origin.kind != IterationOrder::Kind::Unordered || origin.source != IterationOrder::Source::Listing) return;
    found_.push_back({code.key, pick.range, std::string(code.name(pick.container)), origin.function, origin.range,
                      origin.name, Confidence::Likely});
  }

  const Query& in_;
  const ProjectIndex& index_;
  IterationOrders origins_;
  std::vector<Spot> found_;
};

}  // namespace

// `os.listdir(folder)[rank]`: the listing has no name.
static bool is_named(const Spot& spot) { return !spot.name.starts_with('%'); }

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Spot& spot : UnsortedPicks(in).run()) {
    if (!is_reported(shared, spot.function)) continue;
    Finding finding = finding_at(kInfo, shared, spot.function, spot.range, spot.certainty);
    finding.message =
        (is_named(spot) ? "`" + spot.name + "` comes from `" + spot.other_name + "`, whose order"
                        : "the order of `" + spot.other_name + "`") +
        " is each machine's own, and a rank picks out of it by its number: two may pick one entry and none another";
    if (spot.other_in.valid())
      finding.related.push_back({location_at(shared, spot.other_in, spot.other), "listed here"});
    finding.help = "sort the listing";
    finding.fingerprint_key = (is_named(spot) ? spot.name : spot.other_name) + "pick";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unsorted_shards
