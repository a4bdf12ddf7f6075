// A rank that picks its part of a listing by its number: `files[rank::world_size]`. Each machine lists its
// files in another order, so two ranks may pick the same file, and one file may be picked by no rank.
#include <algorithm>

#include "analyzer/questions/iteration_order.h"
#include "analyzer/questions/subscripts.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/beliefs.h"
#include "rules/wording.h"

namespace ranklint::unsorted_shards {

constexpr RuleInfo kInfo{.id = "unsorted-shards",
                         .code = "RL504",
                         .summary = "a rank picks files out of a listing that was not sorted",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "parts are read twice and others never",
                         .premise = "the file systems of the ranks list files in another order"};

namespace {

struct UnsortedPick {
  FunctionKey function;
  SourceRange picked_at;
  std::string files;      // the variable that is indexed; starts with '%' where it is the listing's unnamed result
  FunctionKey listed_in;  // invalid: not seen
  SourceRange listed_at;
  std::string listing;
};

class UnsortedPicks {
 public:
  explicit UnsortedPicks(const Query& in) : in_(in), index_(in.index()), origins_(in) {}

  std::vector<UnsortedPick> run() {
    in_.for_each_function_to_check("picks out of listings", [&](FunctionKey f) {
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
    const auto belief = belief_about(in_.models(), last_part(dotted));
    return belief && belief->kind == BeliefKind::Coordinate;
  }

  // `for rank in range(n)`: the loop's variable takes every number, so it is no rank's own.
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
    found_.push_back(
        {code.key, pick.range, std::string(code.name(pick.container)), origin.function, origin.range, origin.name});
  }

  const Query& in_;
  const ProjectIndex& index_;
  IterationOrders origins_;
  std::vector<UnsortedPick> found_;
};

}  // namespace

// `os.listdir(folder)[rank]`: the listing has no name.
static bool is_named(const UnsortedPick& pick) { return !SymbolTable::is_unnamed(pick.files); }

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const UnsortedPick& pick : UnsortedPicks(in).run()) {
    if (!is_reported(shared, pick.function)) continue;
    Finding finding = finding_at(kInfo, shared, pick.function, pick.picked_at, Confidence::Likely);
    finding.message =
        (is_named(pick) ? "`" + pick.files + "` comes from `" + pick.listing + "`, whose order"
                        : "the order of `" + pick.listing + "`") +
        " is each machine's own, and a rank picks out of it by its number: two may pick one entry and none another";
    if (pick.listed_in.valid())
      finding.related.push_back({location_at(shared, pick.listed_in, pick.listed_at), "listed here"});
    finding.help = "sort the listing";
    finding.fingerprint_key = (is_named(pick) ? pick.files : pick.listing) + "pick";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unsorted_shards
