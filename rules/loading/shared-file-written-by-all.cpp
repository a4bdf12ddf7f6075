// A file that is no part of the sharded model (a tokenizer's) and that every rank writes to the same path. A collective
// under no rank condition in the same function shows that all ranks get there.
#include <algorithm>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/rank_guard.h"
#include "rules/wording.h"

namespace ranklint::shared_file_written_by_all {

constexpr RuleInfo kInfo{.id = "shared-file-written-by-all",
                         .code = "RL507",
                         .summary = "every rank writes the same file",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "a file is torn",
                         .premise = "the ranks share a file system"};

constexpr std::string_view kCalls[] = {"<writes-folder>"};

namespace {

struct SharedWrite {
  FunctionKey function;
  SourceRange written_at;
  std::string owner;  // whose file it is
  SourceRange collective_at;
};

class SharedWrites {
 public:
  explicit SharedWrites(const Query& in) : in_(in), values_(in.values()), index_(in.index()) {}

  std::vector<SharedWrite> run() {
    in_.for_each_watched(kInfo.id, [&](FunctionKey f, const auto& calls) {
      const Summary* s = in_.summary(f);
      for (const auto& [site, call] : calls)
        if (s && s->graph().reachable(site.block) &&
            in_.roles().play(in_.callee_name(call.call.callee), Role::WritesFolder))
          check_write(*s, site, call);
    });
    return std::move(found_);
  }

 private:
  void check_write(const Summary& s, const Site& site, const WatchedCall& call) {
    const ir::Function& f = index_.function(site.function);
    const FunctionCode code(index_, s);
    const ir::Instruction& i = f.blocks[site.block].instructions[site.instruction];
    if (f.exprs[i.value].kind != ir::ExprKind::Attribute || call.call.positional.empty() || decides_itself(call.call))
      return;
    const std::string owner = index_.dotted(code.module, f, ir::children(f, i.value)[0]);
    if (!in_.priors().suggest(owner, NameMeaning::Preprocessor)) return;
    if (guarded(s, site.block) || values_.diverges(call.call.positional[0]) ||
        names_rank(code, first_argument(code, i), {site.block, site.instruction}))
      return;
    if (const Step* all = met_by_all(s)) found_.push_back({site.function, call.range, owner, all->range});
  }

  bool decides_itself(const Call& call) const {
    return call.open_ended || std::any_of(call.keywords.begin(), call.keywords.end(), [&](const auto& k) {
             return in_.roles().takes_by_keyword(index_.names().text(k.first), Role::ChoosesWriter);
           });
  }

  // A rank condition, or one that is named like one.
  bool guarded(const Summary& s, ir::BlockId block) {
    if (rank_guard_of(in_, s, block).valid()) return true;
    const FunctionCode code(index_, s);
    // Of `not distributed or rank == 0` no part alone leads here: the ways in are asked.
    for (ir::BlockId above = block; above.valid(); above = s.graph().dominator(above))
      for (ir::BlockId before : s.graph().predecessors(above)) {
        const ir::Block& b = code.ir.blocks[before];
        if (b.terminator.kind == ir::TerminatorKind::Branch && b.terminator.value.valid() &&
            tests_rank(code, b.terminator.value, {before, static_cast<uint32_t>(b.instructions.size())}))
          return true;
      }
    return false;
  }

  // Whether the condition, or a call that it compares, is named like a rank.
  bool tests_rank(const FunctionCode& code, ir::ExprId condition, ProgramPoint at) const {
    if (mentions_rank(code.ir, code.text, condition)) return true;
    const Derivation from = derivation_of(code, condition, at);
    return std::any_of(from.calls.begin(), from.calls.end(), [&](const ProgramPoint& p) {
      return mentions_rank(code.ir, code.text, code.ir.blocks[p.block].instructions[p.instruction].value);
    });
  }

  bool mentions_rank(const ir::Function& f, const ir::Module& text, ir::ExprId e) const {
    return ir::any_part(f, e, [&](ir::ExprId part) {
      // `state["rank"]` is named as `state.rank` is.
      const bool is_entry = f.exprs[part].kind == ir::ExprKind::Subscript;
      const ir::Expr& expr = f.exprs[is_entry ? ir::children(f, part)[1] : part];
      const bool is_key = is_entry && expr.kind == ir::ExprKind::String;
      return (is_key || expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute) &&
             in_.priors().suggest(text.text(expr.symbol), NameMeaning::SomeRanks);
    });
  }

  // Whether the path is made of something named after the rank, in this function.
  bool names_rank(const FunctionCode& code, ir::ExprId path, ProgramPoint at) const {
    const Derivation from = derivation_of(code, path, at);
    const auto ranked = [&](Symbol s) { return in_.priors().suggest(code.text.text(s), NameMeaning::Rank); };
    if (std::any_of(from.names.begin(), from.names.end(), ranked)) return true;
    return std::any_of(from.calls.begin(), from.calls.end(), [&](const ProgramPoint& p) {
      const ir::Instruction& call = code.ir.blocks[p.block].instructions[p.instruction];
      return std::any_of(ir::arguments(code.ir, call).begin(), ir::arguments(code.ir, call).end(),
                         [&](const ir::Argument& a) { return mentions_rank(code.ir, code.text, a.value); });
    });
  }

  // A collective of the function itself that no rank condition guards. Excluded: one that communicates in some set-ups
  // only, since a rank may call it for a model of its own, and a framework's run, which may have one process.
  const Step* met_by_all(const Summary& s) {
    for (ir::BlockId b : s.graph().order())
      for (const Step& step : s.blocks[b.index].steps)
        if (step.event && step.event->model->kind == ModelKind::Collective && !step.event->model->conditional &&
            step.event->model->about != ModelAbout::Run && !guarded(s, b))
          return &step;
    return nullptr;
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  std::vector<SharedWrite> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const SharedWrite& write : SharedWrites(in).run()) {
    if (!is_reported(shared, write.function)) continue;
    Finding finding = finding_at(kInfo, shared, write.function, write.written_at, Confidence::Likely);
    finding.message = "every rank writes `" + write.owner +
                      "` to the same path at once: on a shared file system they can damage it or block each other";
    finding.related.push_back({location_at(shared, write.function, write.collective_at), "all ranks get here"});
    finding.help = "write it on one rank and let the others wait at a barrier";
    finding.fingerprint_key = write.owner + "shared";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::shared_file_written_by_all
