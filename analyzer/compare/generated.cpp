// Tokens that a model has generated are as many as the longest sequence of the batch took, and that is each rank's own:
//
//     tokens = model.generate(**batch)
//     everyone = accelerator.gather(tokens)          # of one length only by chance
//
// A function that pads anything knows of it.
#include <algorithm>

#include "analyzer/base/among.h"
#include "analyzer/compare/tensor_passes.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/events.h"
#include "analyzer/questions/size_words.h"

namespace ranklint {
namespace {

constexpr int kMostSteps = 6;  // from what is gathered back to what has generated it

class GeneratedGathers {
 public:
  GeneratedGathers(const Query& in, TensorFacts& facts) : in_(in), index_(in.index()), facts_(facts) {}

  void run() {
    each_event(in_, [&](const Summary& s, ir::BlockId b, const Step& step) {
      if (step.event->model->op == "all_gather" && step.event->model->same_shape)
        check(s, *step.event->model, {b, in_.site(step.site).instruction}, step.range);
    });
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
    facts_.generated_gathers.push_back({code.key, range, name, code.key, made->range, model.op, Certainty::Likely});
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
  static const ir::Instruction* generation_of(const FunctionCode& code, ir::ExprId e, Place at, int steps) {
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

  static const ir::Instruction* generation_by(const FunctionCode& code, const ir::Instruction& i, Place at, int steps) {
    if (i.kind == ir::InstructionKind::Assign) return generation_of(code, i.value, at, steps);
    if (i.kind != ir::InstructionKind::Call || code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) return nullptr;
    const std::string_view method = code.text.text(code.ir.exprs[i.value].symbol);
    const ir::ExprId object = ir::children(code.ir, i.value)[0];
    if (among(method, {"to", "cuda", "long", "int", "contiguous", "detach", "clone"}))
      return generation_of(code, object, at, steps);
    return method == "generate" && is_model(words_of(code, object, at)) && !has_least_length(code, i) ? &i : nullptr;
  }

  static bool is_model(std::string_view words) {
    return words.find("model") != words.npos || words.find("policy") != words.npos;
  }

  // `min_new_tokens=64, max_new_tokens=64`
  static bool has_least_length(const FunctionCode& code, const ir::Instruction& call) {
    const auto arguments = ir::arguments(code.ir, call);
    return std::any_of(arguments.begin(), arguments.end(), [&](const ir::Argument& a) {
      return a.kind == ir::ArgumentKind::Keyword && among(code.text.text(a.keyword), {"min_new_tokens", "min_length"});
    });
  }

  // `pad_across_processes`, `F.pad`; not `pad_token_id`.
  static bool pads(const FunctionCode& code) {
    for (uint32_t e = 0; e < code.ir.exprs.size(); ++e) {
      const ir::Expr& expr = code.ir.exprs[ir::ExprId{e}];
      if (expr.kind != ir::ExprKind::Name && expr.kind != ir::ExprKind::Attribute) continue;
      const std::string_view name = code.text.text(expr.symbol);
      if (name.find("pad") != name.npos && name.find("pad_token") == name.npos) return true;
    }
    return false;
  }

  const Query& in_;
  const ProjectIndex& index_;
  TensorFacts& facts_;
};

}  // namespace

void find_generated_gathers(const Query& query, TensorFacts& facts) { GeneratedGathers(query, facts).run(); }

}  // namespace ranklint
