// Asynchronous collectives without a wait, and buffers touched before it (RL112).
//
// From the call on, every path is followed until it reads the handle: a wait, a test, an append, a return all
// end it, since other code may wait from there on. A path that gives the handle another value, or returns, has lost
// it. On the path the buffer must not be computed with; reading its shape or storing it does not use its content.
//
// A collective returns a handle if its call says so (`async_op=True`); other calls, messages among them, by their
// models. A collective whose caller's option decides returns one in some runs: then the handle counts if it has a name
// and is never read. A handle that is put into a collection or an attribute is followed there (unwaited-work.h).
//
// A function that synchronises streams or coalesces operations waits in other ways; such functions are left alone, and
// so are those that drop a handle and whose callers or modules do so. So is a path that only some rounds take: losing
// the handle counts where every wait comes after the call, or there is none. A loop that reads the handle goes round at
// least once: `for i in queue: self.handles[i] = work`.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "analyzer/flow/later_steps.h"
#include "analyzer/ir/equal.h"
#include "analyzer/ir/shared_variable.h"
#include "analyzer/program/given_for.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/code.h"
#include "analyzer/questions/communication.h"
#include "analyzer/summary/is_call.h"
#include "rules/collectives/unwaited-work.h"
#include "rules/wording.h"

namespace ranklint::unwaited_work {

constexpr RuleInfo kInfo{.id = "unwaited-work",
                         .code = "RL112",
                         .summary = "an asynchronous collective is not waited for before its buffer is used",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the result is wrong",
                         .premise = "nothing else waits for it"};

namespace {

// An asynchronous collective whose handle is lost, or whose buffer is used before the wait.
struct LooseHandle {
  enum class What { Dropped, NeverWaited, Overwritten, LeftOnAPath, Touched };
  What what = What::Dropped;
  FunctionKey function;
  SourceRange range;   // Touched: what uses the buffer; else the call
  SourceRange start;   // the call
  FunctionKey callee;  // a function that starts it and returns the handle; invalid: the call itself does
  SourceRange in_callee;
  std::vector<HandleUses::TakenOut> taken_out;  // NeverWaited: of what it was put into
  std::string op, group;
  Assurance certainty = Confidence::Likely;
};

using What = LooseHandle::What;

class LooseHandles {
 public:
  explicit LooseHandles(const Query& query) : in_(query), uses_(query), returned_(query, uses_) {}

  std::vector<LooseHandle> run() {
    in_.for_each_function_to_check("handles that are not waited for", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (!s || (!s->communicates && !s->transfers)) return;
      const FunctionCode code(in_.index(), *s);
      for (ir::BlockId b : s->graph().order()) {
        for (const Step& step : s->blocks[b.index].steps) check_step(code, step, b);
        for (const Step& step : s->blocks[b.index].point_to_point) check_step(code, step, b);
      }
    });
    return std::move(found_);
  }

 private:
  void check_step(const FunctionCode& code, const Step& step, ir::BlockId block) {
    const std::optional<Started> started =
        is_call(step) ? returned_.started_by(code, step, block) : started_operation(in_, code, step, block);
    if (started) check(code, *started);
  }

  bool synchronises(const ir::Module& text, const ir::Function& function) {
    const auto [known, is_new] = synchronises_.try_emplace(&function);
    if (is_new) known->second = names_synchronisation(text, function);
    return known->second;
  }

  bool names_synchronisation(const ir::Module& text, const ir::Function& function) const {
    for (uint32_t s = 0; s < function.exprs.size(); ++s) {
      const ir::Expr& e = function.exprs[ir::ExprId{s}];
      if ((e.kind == ir::ExprKind::Name || e.kind == ir::ExprKind::Attribute) &&
          in_.priors().suggest(text.text(e.symbol), NameMeaning::Synchronisation))
        return true;
    }
    return false;
  }

  // Whether the function does, or the function that takes the handle out of where it was put; for a dropped handle one
  // of its callers, its module or any method of its class.
  bool synchronises_otherwise(const FunctionCode& code, bool dropped, bool may_wait) {
    if (synchronises(code.text, code.ir)) return true;
    if (!may_wait && !uses_.taken_out().empty()) return is_synchronised_where_taken_out();
    if (!dropped) return false;
    if (is_synchronised_by_caller(code.key) || module_synchronises(code)) return true;
    const ClassKey owner = class_around(code.key);
    if (!owner.valid()) return false;
    for (uint32_t f = 0; f < code.text.functions.size(); ++f) {
      const ir::FunctionId id{f};
      if (class_around(in_.index().key(code.module, id)) == owner && synchronises(code.text, code.text.functions[id]))
        return true;
    }
    return false;
  }

  bool is_synchronised_where_taken_out() {
    return std::ranges::any_of(uses_.taken_out(), [&](const HandleUses::TakenOut& place) {
      const FunctionInfo& function = in_.index().functions()[place.function];
      return synchronises(in_.index().modules()[function.module], in_.index().function(place.function));
    });
  }

  bool module_synchronises(const FunctionCode& code) {
    return std::ranges::any_of(code.text.functions, [&](const ir::Function& f) {
      return f.kind == ir::FunctionKind::Module && synchronises(code.text, f);
    });
  }

  bool is_synchronised_by_caller(FunctionKey callee) {
    const ProjectIndex& index = in_.index();
    for (FunctionKey f{0}; f.index < index.functions().size(); ++f.index) {
      if (!synchronises(index.modules()[index.functions()[f].module], index.function(f))) continue;
      const Summary* s = in_.summary(f);
      if (s && s->communicates && calls(*s, callee)) return true;
    }
    return false;
  }

  bool calls(const Summary& s, FunctionKey callee) {
    for (const BlockSteps& block : s.blocks)
      for (const Step& step : block.steps)
        if (is_call(step) &&
            std::ranges::any_of(in_.targets(step.call.callee), [&](const Target& t) { return t.function == callee; }))
          return true;
    return false;
  }

  ClassKey class_around(FunctionKey f) {
    while (f.valid() && !in_.index().functions()[f].owner.valid()) f = in_.index().functions()[f].parent;
    return f.valid() ? in_.index().functions()[f].owner : ClassKey{};
  }

  void check(const FunctionCode& code, const Started& started) {
    const ProgramPoint at = started.at;
    if (at.instruction >= code.ir.blocks[at.block].instructions.size()) return;
    const ir::Instruction& call = code.ir.blocks[at.block].instructions[at.instruction];
    if (call.kind != ir::InstructionKind::Call || code.ir.kind == ir::FunctionKind::Module) return;
    const std::string_view handle = code.name(call.target);
    const bool may_wait = uses_.may_wait(code.key, at, call.target, started.path);
    if (synchronises_otherwise(code, handle.empty() || SymbolTable::is_unnamed(handle), may_wait)) return;
    // Put away at once, into an attribute, a collection or several names: it has no name of its own.
    const Symbol name = handle.empty() ? Symbol() : code.ir.exprs[call.target].symbol;
    if (name.valid() && is_shared_variable(code.text, code.ir, [name](Symbol s) { return s == name; })) return;
    if (!may_wait) {
      const bool dropped = SymbolTable::is_unnamed(handle) && !read_anywhere(code, name);
      if (!meets_later(code, started) && !(dropped && may_be_meant(code, started, call)))
        keep(code, started, dropped ? What::Dropped : What::NeverWaited, started.range);
    } else if (name.valid() && started.surely && started.path.empty()) {
      walk(code, started, name, buffer_of(code, call, started));
    }
  }

  // Whether dropping the handle may be intended: what was sent is over when its answer is here, and an option may never
  // be given.
  bool may_be_meant(const FunctionCode& code, const Started& started, const ir::Instruction& call) {
    const bool sends =
        started.model->kind == ModelKind::PointToPoint && started.model->direction != TransferDirection::Receives;
    return !started.surely || sends || waits_for_later(code, *started.model, call, started.at);
  }

  // Whether every way on leads through a barrier of the same group: what was started before it is over then.
  bool meets_later(const FunctionCode& code, const Started& started) {
    const ProgramPoint from = started.at;
    const auto of_group = [&](ValueId group) { return in_.resolve_group(group, Unknown::FreshAxis); };
    for (ir::BlockId at = from.block; at.valid(); at = code.graph().join(at)) {
      if (code.graph().position(at) < code.graph().position(from.block)) continue;  // round a loop
      for (const Step& step : in_.summary(code.key)->blocks[at.index].steps) {
        const bool is_later = at != from.block || in_.site(step.site).instruction > from.instruction;
        if (is_later && step.event && in_.roles().play(step.event->model->op, Role::WaitsForAll) &&
            (!started.group.valid() || of_group(step.event->group) == of_group(started.group)))
          return true;
      }
    }
    return false;
  }

  // Whether another operation is started on the same group after the call and waited for: operations of a group end in
  // the order of their start.
  //     dist.broadcast(ids, src=0, group=group, async_op=True)
  //     work = rest.broadcast(src=0, group=group, async_op=True)
  bool waits_for_later(const FunctionCode& code, const Model& model, const ir::Instruction& started,
                       ProgramPoint from) {
    const auto group_of = [&](const ir::Instruction& i) {
      return given_for(code.ir, code.text, i, -1, model.group.argument.keyword);
    };
    const ir::ExprId group = group_of(started);
    const auto is_of_group = [&](ir::ExprId other) {
      return group.valid() && other.valid() ? ir::same_tree(code.ir, group, other) : group == other;
    };
    const auto is_later = [&](const ir::Instruction& i) {
      const std::string_view handle = i.kind == ir::InstructionKind::Call ? code.name(i.target) : std::string_view();
      return !handle.empty() && !SymbolTable::is_unnamed(handle) && starts_asynchronously(code, model, i) &&
             is_of_group(group_of(i)) && read_anywhere(code, code.ir.exprs[i.target].symbol);
    };
    const auto& block = code.ir.blocks[from.block].instructions;
    return std::any_of(block.begin() + from.instruction + 1, block.end(), is_later);
  }

  static bool starts_asynchronously(const FunctionCode& code, const Model& model, const ir::Instruction& call) {
    const ir::ExprId flag = given_for(code.ir, code.text, call, -1, model.async.keyword);
    return flag.valid() && code.ir.exprs[flag].kind == ir::ExprKind::True;
  }

  // Whether the handle is only ever passed on to another function, under conditions of the caller.
  static bool only_handed_on(const FunctionCode& code, Symbol name) {
    for (const ir::Block& block : code.ir.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (code.reads(i, name) && (i.kind != ir::InstructionKind::Call || code.mentions(i.value, name))) return false;
    return true;
  }

  bool read_anywhere(const FunctionCode& code, Symbol name) {
    for (uint32_t b = 0; b < code.ir.blocks.size(); ++b) {
      const ir::Block& block = code.ir.blocks[ir::BlockId{b}];
      if (code.reads(block.terminator, name)) return true;
      for (const ir::Instruction& i : block.instructions)
        if (code.reads(i, name)) return true;
    }
    return false;
  }

  // Whether every place that reads the handle comes after the call, so that a path around it is infeasible.
  bool governs(const FunctionCode& code, ir::BlockId block, Symbol name) {
    for (ir::BlockId b : code.graph().order()) {
      const ir::Block& other = code.ir.blocks[b];
      const bool read = code.reads(other.terminator, name) ||
                        std::any_of(other.instructions.begin(), other.instructions.end(),
                                    [&](const ir::Instruction& i) { return code.reads(i, name); });
      if (read && !code.graph().dominates(block, b)) return false;
    }
    return true;
  }

  // The variable that the operation fills; invalid when it fills none or is not a mere name.
  Symbol buffer_of(const FunctionCode& code, const ir::Instruction& call, const Started& started) {
    const Model& model = *started.model;
    if (!model.fills_tensor || started.callee.valid()) return {};
    int position = 0;
    for (const ir::Argument& a : ir::arguments(code.ir, call)) {
      const bool here = a.kind == ir::ArgumentKind::Positional ? position++ == model.tensor.position
                                                               : code.text.text(a.keyword) == model.tensor.keyword;
      if (here && !code.name(a.value).empty()) return code.ir.exprs[a.value].symbol;
    }
    return {};
  }

  // A computation with what the buffer holds.
  bool touches(const FunctionCode& code, const ir::Instruction& i, Symbol buffer) {
    if (!buffer.valid()) return false;
    const auto is_buffer = [&](ir::ExprId e) {
      return code.ir.exprs[e].kind == ir::ExprKind::Name && code.ir.exprs[e].symbol == buffer;
    };
    const ir::Expr& value = code.ir.exprs[i.value.valid() ? i.value : ir::ExprId{0}];
    if (!i.value.valid()) return false;
    const auto children = ir::children(code.ir, i.value);
    if (i.kind == ir::InstructionKind::Assign && value.kind == ir::ExprKind::Binary)
      return std::any_of(children.begin(), children.end(), is_buffer);
    if (i.kind != ir::InstructionKind::Call || value.kind != ir::ExprKind::Attribute || !is_buffer(children[0]))
      return false;
    const std::string_view method = code.text.text(value.symbol);
    return in_.roles().play(method, Role::ComputesWithTensor) || in_.roles().play(method, Role::WritesTensor);
  }

  // Whether a loop over something begins here whose rounds read the handle.
  static bool looks_in_rounds(const FunctionCode& code, ir::BlockId header, Symbol handle, ir::BlockId start) {
    if (code.ir.blocks[header].terminator.kind != ir::TerminatorKind::Iterate || !code.graph().is_loop_header(header) ||
        code.graph().lies_in_loop(start, header))
      return false;
    return std::ranges::any_of(code.graph().loop_blocks(header), [&](ir::BlockId b) {
      const ir::Block& block = code.ir.blocks[b];
      return code.reads(block.terminator, handle) ||
             std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) { return code.reads(i, handle); });
    });
  }

  void walk(const FunctionCode& code, const Started& started, Symbol handle, Symbol buffer) {
    const ProgramPoint from = started.at;
    std::set<ir::BlockId> seen;
    std::vector<ProgramPoint> work{{from.block, from.instruction + 1}};
    const bool governed = governs(code, from.block, handle);
    while (!work.empty()) {
      const ProgramPoint at = work.back();
      work.pop_back();
      const ir::Block& block = code.ir.blocks[at.block];
      bool over = false;
      for (uint32_t n = at.instruction; n < block.instructions.size() && !over; ++n) {
        const ir::Instruction& i = block.instructions[n];
        over = code.reads(i, handle);
        if (over) break;
        if (touches(code, i, buffer)) return keep(code, started, What::Touched, i.range);
        if (buffer.valid() && code.defines(i, buffer)) buffer = {};
        if (!code.defines(i, handle)) continue;
        if (governed && ProgramPoint{at.block, n} != from) return keep(code, started, What::Overwritten, started.range);
        over = true;
      }
      if (over || code.reads(block.terminator, handle) || looks_in_rounds(code, at.block, handle, from.block)) continue;
      if (block.terminator.kind == ir::TerminatorKind::Return && governed && at.block != from.block &&
          !only_handed_on(code, handle))
        return keep(code, started, What::LeftOnAPath, started.range);
      for (ir::BlockId next : ways_on(code.ir, block))
        if (seen.insert(next).second) work.push_back({next, 0});
    }
  }

  void keep(const FunctionCode& code, const Started& started, What what, SourceRange range) {
    LooseHandle fact;
    fact.what = what;
    fact.function = code.key;
    fact.range = range;
    fact.start = started.range;
    fact.callee = started.callee;
    fact.in_callee = started.started;
    if (what == What::NeverWaited) fact.taken_out = uses_.taken_out();
    fact.op = started.model->op;
    fact.group = started.named;
    fact.certainty = lower_of(Confidence::Likely, model_certainty(*started.model, {fact.function, fact.range}));
    found_.push_back(std::move(fact));
  }

  const Query& in_;
  std::vector<LooseHandle> found_;
  std::unordered_map<const ir::Function*, bool> synchronises_;
  HandleUses uses_;
  ReturnedHandles returned_;
};

}  // namespace

static std::string describe(const LooseHandle& handle) {
  std::string what = "asynchronous " + collective_text(handle.op, handle.group);
  switch (handle.what) {
    case LooseHandle::What::Dropped: return what + " is started and its handle thrown away: no call can wait for it";
    case LooseHandle::What::NeverWaited: return what + " is started and its handle never looked at";
    case LooseHandle::What::Overwritten: return what + " loses its handle before a wait: another value replaces it";
    case LooseHandle::What::LeftOnAPath: return what + " is not waited for on a path that returns";
    case LooseHandle::What::Touched: return "the buffer of " + what + " is used before the wait";
  }
  return what;
}

static void add_objects(const Query& in, const Shared& shared, std::vector<Finding>& findings) {
  for (const LooseObject& object : loose_objects(in)) {
    if (!is_reported(shared, object.function) || is_run_through(shared, object.function)) continue;
    Finding finding = finding_at(kInfo, shared, object.function, object.range, Confidence::Likely);
    finding.message = "what `" + object.method + "` starts is not waited for: `" + object.name +
                      "` has a method that waits, and this function never calls one";
    finding.related.push_back({location_at(shared, object.started_in, object.started), "started here"});
    finding.help = "call the method that waits before the next use of the buffers";
    finding.fingerprint_key = object.name + " " + object.method;
    findings.push_back(std::move(finding));
  }
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  add_objects(in, shared, findings);
  for (const LooseHandle& handle : LooseHandles(in).run()) {
    if (!is_reported(shared, handle.function) || is_run_through(shared, handle.function)) continue;
    Finding finding = finding_at(kInfo, shared, handle.function, handle.range, handle.certainty);
    finding.message = describe(handle);
    if (handle.start != handle.range) finding.related.push_back({{finding.primary.path, handle.start}, "started here"});
    if (handle.callee.valid())
      finding.related.push_back({location_at(shared, handle.callee, handle.in_callee), "started here"});
    for (const HandleUses::TakenOut& place : handle.taken_out)
      finding.related.push_back(
          {location_at(shared, place.function, place.range), "taken out here, and not waited for"});
    finding.help = "keep the handle and call wait() before the next use of the buffer, or leave async_op out";
    finding.fingerprint_key = handle.op + " " + handle.group;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unwaited_work
