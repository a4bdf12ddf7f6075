// A device belongs to a process before anything communicates, and to the process's number on its node.
//
// The global rank is that number on one node only: on the second node rank 8 asks for a ninth GPU. Its remainder by the
// number of GPUs is right as long as nodes are alike and ranks lie on them in order: creating a group, or reading the
// rank, uses no device yet. Whatever number is bound, a collective with a tensor that runs before that uses GPU 0 on
// every process; a barrier picks a GPU by the rank. Conversely, a process group that is initialised with the local rank
// has one rank 0 on every node, unless its ranks meet at an address of their own machine.
#include <algorithm>
#include <set>

#include "analyzer/questions/calls.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/reached_calls.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/beliefs.h"
#include "rules/calls.h"
#include "rules/launch/device-not-bound.h"
#include "rules/wording.h"

namespace ranklint::device_not_bound {

constexpr RuleInfo kInfo{
    .id = "device-not-bound",
    .code = "RL705",
    .summary =
        "a device is bound by the global rank, by a constant or too late, or the local rank is given as the rank",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "ranks share a device",
    .premise = "the job has several processes on each of several machines"};

constexpr std::string_view kCalls[] = {"...<binds-device>", "<binds-device>", "<takes-device>",
                                       "<takes-address>",   "<collective>",   "__setitem__"};

namespace {

constexpr int kDeepestExpression = 6, kDeepestCallee = 2;

bool is_local_rank(const std::optional<Belief>& belief) {
  return belief && belief->kind == BeliefKind::Coordinate && kind_of_axis(belief->axes->front()) == AxisKind::Local;
}

// `LOCAL_RANK`: in which a launcher says which process of its node this is.
bool is_local_variable(const Query& in, std::string_view name) {
  return is_launcher_variable(in.models(), name) && is_local_rank(belief_about(in.models(), name));
}

// A worker that gets its local rank as an argument exports it for code that reads the environment:
//
//     self.device = local_device()                   # reads os.environ.get("LOCAL_RANK", 0)
//     os.environ["LOCAL_RANK"] = str(self.local_rank)
//
// A read before the export gives the default to every worker of the node. A read without a default would fail there
// and be noticed; so only reads with one count, and settings of libraries that read the environment on access
// (`envs.LOCAL_RANK`).
struct EarlyDevice {
  FunctionKey function;
  SourceRange chosen_at;
  std::string callee;
  SourceRange exported_at;
};

class EarlyDevices {
 public:
  explicit EarlyDevices(const Query& in) : in_(in), index_(in.index()) {}

  std::vector<EarlyDevice> run() {
    for_each_reached_call(in_, kInfo.id, [&](const Summary& s, const Site& site, const WatchedCall& call) {
      if (hands_on(call)) check(s, site, call.range);
    });
    return std::move(found_);
  }

 private:
  // `os.environ["LOCAL_RANK"] = ...` of what is not read there itself.
  bool hands_on(const WatchedCall& call) {
    const ValueStore& values = in_.values();
    const ValueId table = call.call.positional.size() == 2 ? in_.receiver_of(call.call.callee) : ValueId{};
    if (!table.valid() || !in_.roles().play(in_.callee_path(table), Role::HoldsEnvironment)) return false;
    const Value& key = values[call.call.positional[0]];
    const ValueId number = call.call.positional[1];
    return key.kind == ValueKind::Text && is_local_variable(in_, index_.names().text(Symbol{key.a})) &&
           !values.is_constant(number) && values[number].kind != ValueKind::Coordinate;
  }

  void check(const Summary& s, const Site& set, SourceRange range) {
    const FunctionCode code(index_, s);
    for (const ir::BlockId b : s.graph().order()) {
      if (!s.graph().dominates(b, set.block)) continue;
      const auto& instructions = code.ir.blocks[b].instructions;
      const uint32_t end = b == set.block ? set.instruction : static_cast<uint32_t>(instructions.size());
      for (uint32_t i = 0; i < end; ++i) {
        if (sets(code, instructions[i])) return;
        if (instructions[i].kind != ir::InstructionKind::Call ||
            !chooses_device(code, instructions[i], {b, i}, kDeepestCallee))
          continue;
        const std::string called(last_part(index_.dotted(code.module, code.ir, instructions[i].value)));
        found_.push_back({code.key, instructions[i].range, called, range});
        return;
      }
    }
  }

  bool is_variable(const FunctionCode& code, ir::ExprId e) const {
    return code.ir.exprs[e].kind == ir::ExprKind::String &&
           is_local_variable(in_, code.text.text(code.ir.exprs[e].symbol));
  }

  bool sets(const FunctionCode& code, const ir::Instruction& i) const {
    return i.target.valid() && code.ir.exprs[i.target].kind == ir::ExprKind::Subscript &&
           is_variable(code, ir::children(code.ir, i.target)[1]);
  }

  // `torch.device(...)` of the variable, or a call of a function of the project that does that.
  bool chooses_device(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at, int depth) {
    const std::string callee = index_.dotted(code.module, code.ir, call.value);
    if (in_.roles().play(callee, Role::ChoosesDevice)) {
      const auto arguments = ir::arguments(code.ir, call);
      return std::any_of(arguments.begin(), arguments.end(),
                         [&](const ir::Argument& a) { return reads_variable(code, a.value, at, kDeepestExpression); });
    }
    const FunctionKey f = depth > 0 ? function_named(index_, code, call.value) : FunctionKey{};
    const Summary* s = f.valid() ? in_.summary(f) : nullptr;
    return s && chooses_device(FunctionCode(index_, *s), depth - 1);
  }

  bool chooses_device(const FunctionCode& code, int depth) {
    return std::any_of(code.graph().order().begin(), code.graph().order().end(), [&](ir::BlockId b) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call && chooses_device(code, instructions[i], {b, i}, depth))
          return true;
      return false;
    });
  }

  // Whether the expression's value is read from the variable, with a default.
  bool reads_variable(const FunctionCode& code, ir::ExprId e, ProgramPoint at, int depth) const {
    if (!e.valid() || depth == 0) return false;
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Attribute && is_local_variable(in_, code.text.text(expr.symbol))) return true;
    if (expr.kind == ir::ExprKind::Name)
      for (const Definition& d : code.reaching(expr.symbol, at).definitions)
        if (d.instruction && reads_variable(code, *d.instruction, d.place, depth - 1)) return true;
    const auto children = ir::children(code.ir, e);
    return std::any_of(children.begin(), children.end(),
                       [&](ir::ExprId child) { return reads_variable(code, child, at, depth); });
  }

  bool reads_variable(const FunctionCode& code, const ir::Instruction& i, ProgramPoint at, int depth) const {
    if (i.kind == ir::InstructionKind::Assign) return reads_variable(code, i.value, at, depth);
    if (i.kind != ir::InstructionKind::Call) return false;
    const auto arguments = ir::arguments(code.ir, i);
    const ir::Expr& callee = code.ir.exprs[i.value];
    const std::string_view name =
        callee.kind == ir::ExprKind::Attribute ? code.text.text(callee.symbol) : std::string_view();
    const bool looks_up = in_.roles().play(name, Role::LooksUpEntry) || in_.roles().play(name, Role::ReadsEnvironment);
    if (looks_up && arguments.size() == 2 && is_variable(code, arguments[0].value))
      return is_literal(code.ir.exprs[arguments[1].value].kind);
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](const ir::Argument& a) { return reads_variable(code, a.value, at, depth); });
  }

  static bool is_literal(ir::ExprKind kind) { return kind == ir::ExprKind::Integer || kind == ir::ExprKind::String; }

  const Query& in_;
  const ProjectIndex& index_;
  std::vector<EarlyDevice> found_;
};

}  // namespace

// The number of the device that the call binds; null: it binds none. A wrapper for several kinds of devices is known by
// where it comes from.
static const SeenValue* bound_device(const Query& in, const CallSite& call) {
  const RoleEntry* role = in.roles().find(call.callee, Role::BindsDevice);
  const bool is_known = role && (call.certainty.degree() == Confidence::Certain || !role->name.starts_with("*."));
  return is_known ? call.argument(role->argument) : nullptr;
}

bool makes_process_group(const Roles& roles, const CallSite& call) {
  return role_of(roles, call, Role::TakesAddress) != nullptr;
}

const CallSite* group_before(const Roles& roles, const std::vector<const CallSite*>& calls, const CallSite& bind) {
  return first_run_before(calls, bind, [&](const CallSite& call) { return makes_process_group(roles, call); });
}

// What the global rank alone decides; a name that is only believed to hold it may as well hold the local one.
static bool is_global(const SeenValue& device) {
  return device.along == SeenValue::Ranks::World && !device.believed && device.local.empty();
}

// Whether the function is handed the local rank, so that a number it computes in its place need not be the same.
static bool is_passed_local_rank(const Models& models, const Shared& shared, FunctionKey f) {
  const ir::Module& module = shared.index->modules()[shared.index->functions()[f].module];
  return std::ranges::any_of(shared.index->function(f).parameters, [&](const ir::Parameter& p) {
    return is_local_rank(belief_about(models, module.text(p.name)));
  });
}

// `rank % device_count()`, or a choice of which nothing is known for sure.
static bool may_be_local(const Models& models, const Shared& shared, FunctionKey f, const SeenValue& device) {
  return device.is_choice || (device.is_reduced && !is_passed_local_rank(models, shared, f));
}

bool is_of_current_gpu(const Roles& roles, const CallSite& group) {
  const RoleEntry* takes = role_of(roles, group, Role::TakesBackend);
  const SeenValue* backend = takes ? group.argument(takes->argument) : nullptr;
  const auto is_named = [&](const std::string& name) { return backend->text.find(name) != std::string::npos; };
  const bool elsewhere = backend && backend->kind == SeenValue::Kind::Text &&
                         std::ranges::none_of(roles.names_in(Role::UsesDevice), is_named);
  const RoleEntry* device = role_of(roles, group, Role::TakesDevice);
  return !elsewhere && !(device && group.argument(device->argument)) && !group.open_ended;
}

static bool meets_on_current_device(const Query& in, const CallSite& call) {
  const auto is_beside = [&](const std::string& name) {
    const Model* maker = in.models().find(name);
    return maker && is_collective_beside(call, *maker);
  };
  const RoleEntry* device = role_of(in.roles(), call, Role::TakesDevice);
  return std::ranges::any_of(in.roles().names_in(Role::TakesRank), is_beside) &&
         !(device && call.argument(device->argument)) && !call.argument(call.model->group.argument);
}

static bool is_bound_before(const Query& in, const std::vector<const CallSite*>& calls, const CallSite& call) {
  return std::ranges::any_of(calls, [&](const CallSite* bind) {
    return bind->function == call.function && bind->range.line < call.range.line && bound_device(in, *bind);
  });
}

// The group and the first collective on it that run in the same function before the device is bound for the first time;
// one with a tensor, if there is one.
static std::optional<std::pair<const CallSite*, const CallSite*>> met_before(const Query& in,
                                                                             const std::vector<const CallSite*>& calls,
                                                                             const CallSite& bind) {
  std::optional<std::pair<const CallSite*, const CallSite*>> without_tensor;
  for (const CallSite* call : calls) {
    if (call->function != bind.function || !meets_on_current_device(in, *call) || call->range.line >= bind.range.line ||
        bind.in_loop() || is_bound_before(in, calls, *call))
      continue;
    const CallSite* group = group_before(in.roles(), calls, *call);
    if (!group || !is_of_current_gpu(in.roles(), *group)) continue;
    if (!in.roles().play(call->callee, Role::PicksDevice)) return std::pair{group, call};
    if (!without_tensor) without_tensor = std::pair{group, call};
  }
  return without_tensor;
}

// `reported`: the collectives of earlier findings. A device may be bound in several branches after one.
static void check_early(const Query& in, const Shared& shared, const std::vector<const CallSite*>& calls,
                        const CallSite& bind, const SeenValue& device, std::set<const CallSite*>& reported,
                        std::vector<Finding>& findings) {
  if (device.is_constant()) return;
  const auto early = met_before(in, calls, bind);
  if (!early || !reported.insert(early->second).second) return;
  const bool picks = in.roles().play(early->second->callee, Role::PicksDevice);
  Assurance sure = certainty_of_several_ranks(shared, bind.function);
  if (picks) sure.doubt({Reason::PicksDevice, {bind.function, early->second->range}});
  Finding finding = finding_at(kInfo, shared, bind.function, early->second->range, sure);
  finding.message = "`" + std::string(early->second->op()) + "` runs before this process is bound to its device: " +
                    (picks ? "it takes the GPU that the remainder of the rank by the number of GPUs names"
                           : "all processes of a node meet on GPU 0");
  finding.related.push_back(
      {{finding.primary.path, early->first->range}, "the process group is made here, on whatever device is current"});
  finding.related.push_back({{finding.primary.path, bind.range}, "the device is bound here"});
  finding.help = "bind the local rank (LOCAL_RANK) before init_process_group, or pass it as device_id";
  finding.fingerprint_key = bind.callee + " early";
  findings.push_back(std::move(finding));
}

// `node * gpus + gpu`: made of numbers that are the local rank's here and the node's there. `ranks[gpu]`: looked up by
// it.
static bool is_computed(const SeenValue& rank) { return rank.is_choice || rank.combines; }

bool numbers_by_local_rank(const Roles& roles, const CallSite& group) {
  const RoleEntry* takes = role_of(roles, group, Role::TakesRank);
  const SeenValue* rank = takes ? group.argument(takes->argument) : nullptr;
  return rank && rank->along == SeenValue::Ranks::Node && !rank->believed && rank->local.empty() && !is_computed(*rank);
}

bool ranks_are_local(const Query& in, const std::vector<const CallSite*>& calls, FunctionKey function) {
  const auto module_of = [&](FunctionKey f) { return in.index().functions()[f].module; };
  const std::vector<ModuleKey> files = in.program().sharding().files_around(module_of(function));
  bool some = false;
  for (const CallSite* call : calls) {
    if (!makes_process_group(in.roles(), *call) || !std::ranges::binary_search(files, module_of(call->function)))
      continue;
    if (!numbers_by_local_rank(in.roles(), *call)) return false;
    some = true;
  }
  return some;
}

static void check_rank(const Query& in, const Shared& shared, const CallSite& group, std::vector<Finding>& findings) {
  if (!numbers_by_local_rank(in.roles(), group)) return;
  // Meant for one node, or for one process.
  if (const SeenValue* size = world_size_of(in, group); size && size->is_constant()) return;
  if (meets_on_one_machine(in, shared, group) || reaches_no_rank(in, group)) return;
  Finding finding =
      finding_at(kInfo, shared, group.function, group.range, on_several_machines(in, shared, group.function));
  finding.message =
      "the process group is initialised with the local rank: on two nodes two processes claim each rank, and all wait "
      "forever";
  finding.help = "give RANK and WORLD_SIZE, or neither: with init_method env:// they are read from the environment";
  finding.fingerprint_key = group.callee;
  findings.push_back(std::move(finding));
}

static void check_number(const Query& in, const Shared& shared, const std::vector<const CallSite*>& calls,
                         const CallSite& bind, const SeenValue& device, std::vector<Finding>& findings) {
  if (!is_global(device) || ranks_are_local(in, calls, bind.function)) return;
  const CallSite* group = group_before(in.roles(), calls, bind);
  if (group && reaches_no_rank(in, *group)) return;
  const bool whole = device.counts == device.along;
  if (!whole && (!group || may_be_local(in.models(), shared, bind.function, device))) return;
  Finding finding =
      finding_at(kInfo, shared, bind.function, bind.range, on_several_machines(in, shared, bind.function));
  finding.message =
      whole ? "the device is chosen by the global rank: on every node but the first there is no GPU of that number"
            : "the device is chosen from the global rank, and only when the process group exists";
  if (group) {
    finding.related.push_back(
        {{finding.primary.path, group->range}, "the process group is made here, on whatever device is current"});
    if (whole) finding.message += "; and it is bound after the process group is made";
  }
  finding.help = "bind the local rank (LOCAL_RANK) before init_process_group, or pass it as device_id";
  finding.fingerprint_key = bind.callee;
  findings.push_back(std::move(finding));
}

static void check_unset(const Query& in, const Shared& shared, std::vector<Finding>& findings) {
  for (const EarlyDevice& device : EarlyDevices(in).run()) {
    if (!is_reported(shared, device.function)) continue;
    Finding finding = finding_at(kInfo, shared, device.function, device.chosen_at, Confidence::Likely);
    finding.message = "`" + device.callee +
                      "` chooses the device by LOCAL_RANK, which this function sets further down: unless the launcher "
                      "gives it, all processes of a node take the default GPU";
    finding.related.push_back({location_at(shared, device.function, device.exported_at), "LOCAL_RANK is set here"});
    finding.help = "set LOCAL_RANK before the device is chosen";
    finding.fingerprint_key = device.callee + " unset";
    findings.push_back(std::move(finding));
  }
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  check_unset(in, shared, findings);
  const std::vector<const CallSite*> calls = calls_and_setup(shared.calls);
  std::set<const CallSite*> reported;
  std::set<FunctionKey> numbered;
  std::vector<const CallSite*> binds;  // with no collective before them
  for (const CallSite* call : calls) {
    if (!is_reported(shared, call->function)) continue;
    if (makes_process_group(in.roles(), *call)) check_rank(in, shared, *call, findings);
    const SeenValue* device = bound_device(in, *call);
    if (!device) continue;
    const size_t before_early = findings.size();
    check_early(in, shared, calls, *call, *device, reported, findings);
    const size_t before_number = findings.size();
    if (before_number == before_early) binds.push_back(call);
    check_number(in, shared, calls, *call, *device, findings);
    if (findings.size() != before_number) numbered.insert(call->function);
  }
  std::ranges::move(one_device_for_all(kInfo, in, shared, numbered), std::back_inserter(findings));
  std::ranges::move(devices_by_global_rank(kInfo, in, shared, numbered), std::back_inserter(findings));
  std::ranges::move(devices_used_early(kInfo, in, shared, calls, binds), std::back_inserter(findings));
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::device_not_bound
