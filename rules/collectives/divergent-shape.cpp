#include <algorithm>

#include "analyzer/base/among.h"
#include "analyzer/questions/calls.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/events.h"
#include "analyzer/questions/size_words.h"
#include "rules/collectives/divergent-shape.h"
#include "rules/mismatches.h"
#include "rules/spot.h"
#include "rules/wording.h"

namespace ranklint::divergent_shape {

constexpr RuleInfo kInfo{.id = "divergent-shape",
                         .code = "RL110",
                         .summary = "the size or type of a collective's tensor follows from the rank",
                         .severity = Severity::Error,
                         .since = "0.1"};

constexpr std::string_view kCalls[] = {"gather", "gather_for_metrics", "pad_across_processes"};

namespace {

constexpr int kMostSteps = 6;  // from what is gathered back to what has generated it

// Tokens that a model has generated are as many as the longest sequence of the batch took, and that is each rank's own:
//
//     tokens = model.generate(**batch)
//     everyone = accelerator.gather(tokens)          # of one length only by chance
//
// A function that pads anything knows of it.
class GeneratedGathers {
 public:
  explicit GeneratedGathers(const Query& in) : in_(in), index_(in.index()) {}

  std::vector<Spot> run() {
    each_event(in_, kInfo.id, [&](const Summary& s, ir::BlockId b, const Step& step) {
      if (step.event->model->op == "all_gather" && step.event->model->same_shape)
        check(s, *step.event->model, {b, in_.site(step.site).instruction}, step.range);
    });
    return std::move(found_);
  }

 private:
  void check(const Summary& s, const Model& model, Place at, SourceRange range) {
    const FunctionCode code(index_, s);
    if (at.instruction >= code.ir.blocks[at.block].instructions.size()) return;
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    if (call.kind != ir::InstructionKind::Call || argument(code, call, model.group.argument).valid()) return;
    const ir::ExprId gathered = argument(code, call, model.input.present() ? model.input : model.tensor);
    const ir::Instruction* made = gathered.valid() ? generation_of(code, gathered, at, kMostSteps) : nullptr;
    if (!made || pads(code)) return;
    const std::string name(code.name(gathered).starts_with('%') ? "generate" : code.name(gathered));
    found_.push_back({code.key, range, name, code.key, made->range, model.op, Certainty::Likely});
  }

  static ir::ExprId argument(const FunctionCode& code, const ir::Instruction& call, const ArgumentSpec& spec) {
    int position = 0;
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      const bool by_keyword = a.kind == ir::ArgumentKind::Keyword;
      if (by_keyword ? !spec.keyword.empty() && code.text.text(a.keyword) == spec.keyword : position++ == spec.position)
        return a.value;
    }
    return {};
  }

  // The call that has generated what the expression holds, whole or cut at its beginning, on every way; null: it is
  // something else.
  const ir::Instruction* generation_of(const FunctionCode& code, ir::ExprId e, Place at, int steps) const {
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Subscript) return generation_of(code, ir::children(code.ir, e)[0], at, steps);
    if (expr.kind != ir::ExprKind::Name || steps == 0) return nullptr;
    const ir::Instruction* found = nullptr;
    const Reaching reaching = code.reaching(expr.symbol, at);
    for (const Definition& d : reaching.definitions) {
      found = d.instruction && d.direct ? generation_by(code, *d.instruction, d.place, steps - 1) : nullptr;
      if (!found) return nullptr;
    }
    return reaching.entry ? nullptr : found;
  }

  const ir::Instruction* generation_by(const FunctionCode& code, const ir::Instruction& i, Place at, int steps) const {
    if (i.kind == ir::InstructionKind::Assign) return generation_of(code, i.value, at, steps);
    if (i.kind != ir::InstructionKind::Call || code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) return nullptr;
    const std::string_view method = code.text.text(code.ir.exprs[i.value].symbol);
    const ir::ExprId object = ir::children(code.ir, i.value)[0];
    if (among(method, {"to", "cuda", "long", "int", "contiguous", "detach", "clone"}))
      return generation_of(code, object, at, steps);
    return method == "generate" && in_.priors().suggest(words_of(code, object, at), NameMeaning::Model) &&
                   !has_least_length(code, i)
               ? &i
               : nullptr;
  }

  // `min_new_tokens=64, max_new_tokens=64`
  static bool has_least_length(const FunctionCode& code, const ir::Instruction& call) {
    const auto arguments = ir::arguments(code.ir, call);
    return std::any_of(arguments.begin(), arguments.end(), [&](const ir::Argument& a) {
      return a.kind == ir::ArgumentKind::Keyword && among(code.text.text(a.keyword), {"min_new_tokens", "min_length"});
    });
  }

  // `pad_across_processes`, `F.pad`; not `pad_token_id`.
  bool pads(const FunctionCode& code) const {
    for (uint32_t e = 0; e < code.ir.exprs.size(); ++e) {
      const ir::Expr& expr = code.ir.exprs[ir::ExprId{e}];
      if (expr.kind != ir::ExprKind::Name && expr.kind != ir::ExprKind::Attribute) continue;
      const std::string_view name = code.text.text(expr.symbol);
      if (in_.priors().suggest(name, NameMeaning::Padding) && !in_.priors().suggest(name, NameMeaning::PaddingToken))
        return true;
    }
    return false;
  }

  const Query& in_;
  const ProjectIndex& index_;
  std::vector<Spot> found_;
};

}  // namespace

// The tokens of a batch are padded to the longest of this rank's, so that two ranks' differ in length.
static bool is_tokens(const SeenValue* v) {
  return v && (v->spelled.ends_with("['input_ids']") || v->spelled.ends_with("['attention_mask']"));
}

static void check_batches(const Shared& shared, std::vector<Finding>& findings) {
  const std::vector<CallSite>& calls = shared.calls.all();
  for (const CallSite& call : calls) {
    const bool gathers =
        call.callee.ends_with("accelerator.gather") || call.callee.ends_with("accelerator.gather_for_metrics") ||
        is_call_of(call, "*.Accelerator.gather") || is_call_of(call, "*.Accelerator.gather_for_metrics");
    const SeenValue* tensor = call.argument({.position = 0, .keyword = "input_data"});
    if (!gathers || !is_tokens(tensor) || !is_reported(shared, call.function)) continue;
    if (std::any_of(calls.begin(), calls.end(), [&](const CallSite& c) {
          return c.function == call.function && is_call_of(c, "*.pad_across_processes");
        }))
      continue;
    Finding finding = finding_at(kInfo, shared, call.function, call.range, Certainty::Likely);
    finding.message =
        "`" + tensor->spelled +
        "` is as long as the longest sequence of this rank's batch, and `gather` needs one length on all ranks";
    finding.help = "reduce it to a number first (`.sum()`), or use `pad_across_processes`";
    finding.fingerprint_key = tensor->spelled;
    findings.push_back(std::move(finding));
  }
}

static void check_generated(const Query& in, const Shared& shared, std::vector<Finding>& findings) {
  for (const Spot& spot : GeneratedGathers(in).run()) {
    if (!is_reported(shared, spot.function)) continue;
    Finding finding = finding_at(kInfo, shared, spot.function, spot.range, spot.certainty);
    finding.message = "`" + spot.name + "` is as long as the longest sequence that this rank has generated, and `" +
                      spot.other_name + "` needs one length on all ranks";
    finding.related.push_back({{path_of(shared, spot.other_in), spot.other}, "generated here"});
    finding.help =
        "pad to the longest of all ranks first (`pad_across_processes(tokens, dim=1)`), or gather the decoded texts as "
        "objects";
    finding.fingerprint_key = spot.name + " generated";
    findings.push_back(std::move(finding));
  }
}

static void check_selected(const Query& in, const Shared& shared, std::vector<Finding>& findings) {
  for (const Spot& spot : selected_elements(in)) {
    if (!is_reported(shared, spot.function)) continue;
    Finding finding = finding_at(kInfo, shared, spot.function, spot.range, spot.certainty);
    finding.message = spot.name + " has as many elements as this rank's data have that pass a test, and `" +
                      spot.other_name + "` needs one size on all ranks";
    finding.related.push_back({{path_of(shared, spot.other_in), spot.other}, "the elements are picked here"});
    finding.help =
        "exchange the numbers of elements first and pad to the largest, or reduce to one number (`.sum()`) and "
        "communicate that";
    finding.fingerprint_key = spot.name + " selected";
    findings.push_back(std::move(finding));
  }
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const Mismatch& m : mismatches_of(shared, MismatchKind::Size)) {
    Finding finding = finding_of(kInfo, shared, m);
    const bool counted = m.first_argument.starts_with("count ") || m.first_argument.starts_with("type ");
    finding.message = collective_text(m.first.op, m.group) + (counted ? " is given " : " is given a tensor of ") +
                      m.first_argument + (counted ? " on one rank and " : " on one rank and of ") + m.second_argument +
                      " on another";
    finding.help = counted ? "give the same count and type on every rank; where ranks hold different numbers of "
                             "elements use the form with counts (`MPI_Gatherv` and its kin)"
                           : "give every rank a tensor of one size and type: pad to the largest and cut afterwards";
    findings.push_back(std::move(finding));
  }
  check_batches(shared, findings);
  check_generated(in, shared, findings);
  check_selected(in, shared, findings);
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::divergent_shape
