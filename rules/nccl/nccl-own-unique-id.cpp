// A communicator is complete when all its ranks pass the same id, which one of them makes and distributes. Where each
// makes its own and does not distribute it, every rank waits for others that never come.
#include "analyzer/program/given_for.h"
#include "analyzer/project/shared.h"
#include "analyzer/questions/calls.h"
#include "analyzer/summary/query.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::nccl_own_unique_id {

constexpr RuleInfo kInfo{.id = "nccl-own-unique-id",
                         .code = "RL853",
                         .summary = "every rank makes an NCCL id of its own",
                         .since = "0.1",
                         .premise = "the job has more than one rank"};

constexpr std::string_view kCalls[] = {"<makes-group-id>", "<takes-group-id>"};

static bool mentions(const ir::Module& module, const ir::Function& f, ir::ExprId e, std::string_view name) {
  const ir::Expr& expr = f.exprs[e];
  if (expr.kind == ir::ExprKind::Name && module.text(expr.symbol) == name) return true;
  for (const ir::ExprId child : ir::children(f, e))
    if (mentions(module, f, child, name)) return true;
  return false;
}

// How many calls of the function are given the variable.
static size_t takers(const ir::Module& module, const ir::Function& f, std::string_view name) {
  size_t count = 0;
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.instructions) {
      if (i.kind != ir::InstructionKind::Call) continue;
      for (const ir::Argument& a : ir::arguments(f, i)) count += mentions(module, f, a.value, name);
    }
  return count;
}

// The local variable that a call is given for the argument that its role is about; empty: it is none.
static std::string_view local(const ir::Module& module, const ir::Function& f, const CallSite& call,
                              const RoleEntry& role) {
  const ir::ExprId given = given_for(f, module, f.blocks[call.block].instructions[call.instruction],
                                     role.argument.position, role.argument.keyword);
  if (!given.valid()) return {};
  const ir::Expr& e = f.exprs[given];
  const std::string_view name = e.kind == ir::ExprKind::Name ? module.text(e.symbol) : std::string_view();
  for (const ir::Parameter& p : f.parameters)
    if (module.text(p.name) == name) return {};
  for (const Symbol global : f.globals)
    if (module.text(global) == name) return {};
  return name;
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const CallSite& init : shared.calls.all()) {
    const RoleEntry* takes_id = in.roles().find(init.callee, Role::TakesGroupId);
    const Model* model = takes_id && is_reported(shared, init.function) ? in.models().find(init.callee) : nullptr;
    const SeenValue* rank = model ? init.argument(model->color) : nullptr;
    if (!rank || rank->along != SeenValue::Ranks::World) continue;
    const ir::Module& module = shared.index->modules()[shared.index->functions()[init.function].module];
    const ir::Function& f = shared.index->function(init.function);
    const std::string_view id = local(module, f, init, *takes_id);
    for (const CallSite& made : shared.calls.all()) {
      const RoleEntry* makes_id =
          made.function == init.function ? in.roles().find(made.callee, Role::MakesGroupId) : nullptr;
      if (!makes_id || id.empty() || local(module, f, made, *makes_id) != id) continue;
      if (!runs_before(made, init) || takers(module, f, id) != 2) continue;
      Finding finding = finding_at(kInfo, shared, init.function, made.range, Confidence::High);
      finding.message = "every rank makes an id of its own, and no rank sends one to the others: `" + init.callee +
                        "` waits for ranks that pass the same id";
      finding.related.push_back({{finding.primary.path, init.range}, "here each rank waits with its own id"});
      finding.help = "make the id on one rank and send it to the others, as with MPI_Bcast";
      finding.replay = replay_templates::on_other_terms({init.callee, "world", {finding.primary.path, init.range}});
      finding.fingerprint_key = std::string(id);
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::nccl_own_unique_id
