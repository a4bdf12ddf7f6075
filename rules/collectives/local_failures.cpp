// Only the clear cases, since nearly anything may raise and nearly nothing does on one rank alone. A function that is
// called fails where something in it does, and its callers see that:
//
//     def save(model, path):
//         if rank == 0: torch.save(model.state_dict(), path)     # the disk is full
//         dist.barrier()                                         # the others wait here
//     try: save(model, path)
//     except OSError: log("not saved")                           # and rank 0 goes on
#include "rules/collectives/local_failures.h"

#include <algorithm>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/is_call.h"
#include "analyzer/variance/local_source.h"

namespace ranklint {
namespace {

constexpr int kDeepestFailure = 1;  // calls within calls: what is further down is not what the handler is there for

// Whether the result of the call differs between ranks, nodes or processes.
bool tells_apart(const Query& in, const std::string& callee) {
  if (in.priors().suggest(callee, NameMeaning::Rank)) return true;
  const Model* model = in.models().find(callee);
  if (!model) return false;
  return model->kind == ModelKind::RankSource ||
         (model->kind == ModelKind::LocalSource && local_source_named(model->op) != LocalSource::FileSystem);
}

// Whether what is read or written is named after the rank, or after what it alone has.
bool is_named_after_rank(const Query& in, const FunctionCode& code, ProgramPoint at) {
  const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
  const ir::ExprId file = first_argument(code, call);
  if (!file.valid()) return false;
  const auto name_suggests_rank = [&](Symbol s) { return in.priors().suggest(code.text.text(s), NameMeaning::Rank); };
  const Derivation from = derivation_of(code, file, at);
  if (code.mentions(file, name_suggests_rank) || std::ranges::any_of(from.names, name_suggests_rank) ||
      std::ranges::any_of(from.free, name_suggests_rank))
    return true;
  return std::ranges::any_of(from.calls, [&](const ProgramPoint& p) {
    const ir::Instruction& maker = code.ir.blocks[p.block].instructions[p.instruction];
    return tells_apart(in, in.index().dotted(code.module, code.ir, maker.value)) ||
           std::ranges::any_of(ir::arguments(code.ir, maker),
                               [&](const ir::Argument& a) { return code.mentions(a.value, name_suggests_rank); });
  });
}

// `load(path, to="gpu" if is_main else "cpu")`: what some ranks ask for otherwise.
bool differs_on_some_ranks(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  const auto name_suggests_some = [&](ir::ExprId e) {
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind != ir::ExprKind::Name && expr.kind != ir::ExprKind::Attribute) return false;
    const std::string_view word = code.text.text(expr.symbol);
    return in.priors().suggest(word, NameMeaning::Rank) || in.priors().suggest(word, NameMeaning::SomeRanks);
  };
  const auto chooses = [&](ir::ExprId e) {
    return code.ir.exprs[e].kind == ir::ExprKind::Conditional &&
           ir::any_part(code.ir, ir::children(code.ir, e)[0], name_suggests_some);
  };
  return std::ranges::any_of(ir::arguments(code.ir, call),
                             [&](const ir::Argument& a) { return ir::any_part(code.ir, a.value, chooses); });
}

// `os.makedirs(path, exist_ok=True)`: an existing folder is no failure.
bool makes_unless_there(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  const RoleEntry* makes = role_of(in, code, call, Role::MakesFolder);
  const ir::ExprId content = makes ? given_for(code, call, *makes) : ir::ExprId{};
  return content.valid() && code.ir.exprs[content].kind == ir::ExprKind::True;
}

class Left {
 public:
  Left(const Query& query, Failure wanted) : in_(query), wanted_(wanted) {}

  std::optional<Communication> by(const Step& call, int depth) {
    if (!is_call(call) || depth > kDeepestFailure) return std::nullopt;
    for (const Target& target : in_.targets(call.call.callee)) {
      const Summary* callee = in_.summary(target.function);
      if (!callee || !callee->communicates || in_.index().function(target.function).is_generator) continue;
      std::optional<Communication> found = within(*callee, depth);
      if (!found) continue;
      found->group = in_.instantiate(found->group, in_.bind(target, call.call, 0));
      found->place = call.range;
      found->certainty.lower_to(target_certainty(in_.index(), target, {}));
      return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<Communication> within(const Summary& s, int depth) {
    const FunctionCode code(in_.index(), s);
    for (ir::BlockId b : code.graph().order()) {
      if (code.ir.blocks[b].handler.valid()) continue;
      for (uint32_t i = 0; i < code.ir.blocks[b].instructions.size(); ++i) {
        if (fails_alone(s, code, {b, i}))
          if (std::optional<Communication> found = communication_after(s, code, {b, i})) return found;
        for (const Step& step : s.blocks[b.index].steps)
          if (in_.site(step.site).instruction == i)
            if (std::optional<Communication> found = by(step, depth + 1)) return found;
      }
    }
    return std::nullopt;
  }

  // What all ranks do alike further down mostly fails nowhere or everywhere.
  bool fails_alone(const Summary& s, const FunctionCode& code, ProgramPoint at) {
    if (!fails_locally(in_, s, code, at, wanted_)) return false;
    return wanted_ != Failure::Any || rank_guard_of(in_, s, at.block).valid() || is_named_after_rank(in_, code, at);
  }

  // The first communication that a rank without a failure surely comes to.
  std::optional<Communication> communication_after(const Summary& s, const FunctionCode& code, ProgramPoint failure) {
    for (ir::BlockId at = failure.block; at.valid(); at = code.graph().join(at)) {
      if (code.graph().position(at) < code.graph().position(failure.block)) return std::nullopt;
      for (const Step& step : s.blocks[at.index].steps) {
        if (at == failure.block && in_.site(step.site).instruction <= failure.instruction) continue;
        if (step.ending != Ending::None) return std::nullopt;
        if (std::optional<Communication> found = communication_of(in_, step)) return found;
      }
    }
    return std::nullopt;
  }

  const Query& in_;
  Failure wanted_;
};

// A wrapped model's forward pass is the model's own code, mostly.
bool runs_wrapped(const Step& step) { return step.event && step.event->model->about == ModelAbout::Forward; }

}  // namespace

bool fails_locally(const Query& query, const Summary& summary, const FunctionCode& code, ProgramPoint at,
                   Failure wanted) {
  const ir::Instruction& i = code.ir.blocks[at.block].instructions[at.instruction];
  if (i.kind != ir::InstructionKind::Call) return false;
  if (wanted == Failure::OutOfMemory) return true;
  if (wanted == Failure::Pass)
    return std::ranges::any_of(summary.blocks[at.block.index].steps, [&](const Step& step) {
      return query.site(step.site).instruction == at.instruction && runs_wrapped(step);
    });
  const std::string name = foreign_name(query.index(), code.module, code.ir, i.value);
  const Roles& roles = query.roles();
  const bool reads = roles.play(name, Role::ReadsFile), opens = reads && opens_to_write(code, i);
  const bool shares = (reads && !opens) || makes_unless_there(query, code, i);
  if (wanted == Failure::SharedFile) return shares;
  if (!shares) return opens || roles.play(name, Role::WritesFile) || roles.play(name, Role::MayRaise);
  // What is read lies there for all ranks, or is missing for all; and so is the folder in which one is made.
  return is_named_after_rank(query, code, at) || differs_on_some_ranks(query, code, i) ||
         rank_guard_of(query, summary, at.block).valid();
}

// What a loop goes over is a loader: by its type, or by its name where nothing else is known of it.
static bool goes_over_loader(const Query& query, ValueId more) {
  const ValueStore& values = query.values();
  const SymbolTable& names = query.index().names();
  return values
      .find_part(more,
                 [&](ValueId part) {
                   if (const Symbol type = values.external_type_of(part); type.valid())
                     return query.priors().suggest(last_part(names.text(type)), NameMeaning::Loader);
                   return values.of_unknown_origin(part) &&
                          query.priors().suggest(query.variable_of(part), NameMeaning::Loader);
                 })
      .valid();
}

bool works_on_batch(const Query& query, const Summary& summary, const FunctionCode& code, ProgramPoint at) {
  const auto& instructions = code.ir.blocks[at.block].instructions;
  if (at.instruction >= instructions.size()) return false;  // what a branch asks: a property
  const ir::Instruction& call = instructions[at.instruction];
  if (call.kind != ir::InstructionKind::Call || plays(query, code, call, Role::NeverRaises)) return false;
  std::set<Symbol> batches;
  for (ir::BlockId head = at.block; head.valid(); head = code.graph().dominator(head)) {
    const ir::Terminator& loop = code.ir.blocks[head].terminator;
    if (loop.kind != ir::TerminatorKind::Iterate || !loop.target.valid() || !code.graph().lies_in_loop(at.block, head))
      continue;
    if (!goes_over_loader(query, summary.blocks[head.index].condition)) continue;
    ir::any_part(code.ir, loop.target, [&](ir::ExprId part) {
      if (code.ir.exprs[part].kind == ir::ExprKind::Name) batches.insert(code.ir.exprs[part].symbol);
      return false;
    });
  }
  if (batches.empty()) return false;
  return std::ranges::any_of(ir::arguments(code.ir, call), [&](const ir::Argument& a) {
    const Derivation from = derivation_of(code, a.value, at);
    return code.mentions(a.value, [&](Symbol name) { return batches.contains(name); }) ||
           std::ranges::any_of(from.names, [&](Symbol name) { return batches.contains(name); });
  });
}

bool fails_over_batch(const Query& query, const Summary& summary, const FunctionCode& code, ProgramPoint at) {
  const auto tells = [&](const Step& step) {
    return query.site(step.site).instruction == at.instruction && !runs_wrapped(step) && communication_of(query, step);
  };
  return std::ranges::none_of(summary.blocks[at.block.index].steps, tells) && works_on_batch(query, summary, code, at);
}

std::optional<Communication> left_by_failure(const Query& query, const Step& call, Failure wanted) {
  return Left(query, wanted).by(call, 0);
}

}  // namespace ranklint
