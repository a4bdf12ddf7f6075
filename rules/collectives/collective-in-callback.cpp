// Collectives in callbacks whose timing the program does not control (RL113).
//
// A function is such a callback by what it is (`__del__`, a cached property, a logging filter's method), or by where it
// is registered (signal.signal, atexit.register, Thread). Roles say which call takes which function (models.md).
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/resolve/builtins.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint::collective_in_callback {

constexpr RuleInfo kInfo{.id = "collective-in-callback",
                         .code = "RL113",
                         .summary = "communication in code that each rank runs at a moment of its own",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .premise = "it runs at another moment on each rank"};

namespace {

// A collective in code that runs when the interpreter or another thread likes.
struct DetachedCollective {
  FunctionKey function;
  SourceRange range;
  std::string where;  // "`__del__`", "a signal handler"
  std::string op, group;
  Assurance certainty = Confidence::Likely;
  CodePlace handed_over{};  // where a call takes the function; without one it is what the function is
};

// When a detached function runs.
enum class Moment {
  Any,       // at any time
  AtExit,    // when its process ends
  OnThread,  // concurrently
  FirstUse,  // where it is read first
};

struct Trigger {
  Moment moment = Moment::Any;
  std::string where;        // as messages call it
  CodePlace handed_over{};  // as above
};

struct MomentOfRole {
  Role role;
  Moment moment;
};
constexpr std::array kRegistrations{
    MomentOfRole{Role::RunsAtExit, Moment::AtExit},
    MomentOfRole{Role::RunsAtAnyTime, Moment::Any},
    MomentOfRole{Role::StartsThread, Moment::OnThread},
};

class Detached {
 public:
  explicit Detached(const Query& query) : in_(query), index_(query.index()) {}

  std::vector<DetachedCollective> run() {
    in_.for_each_function_to_check("detached collectives", [&](FunctionKey key) {
      if (Trigger trigger = implicit_trigger(key); !trigger.where.empty()) detached_.emplace(key, std::move(trigger));
      if (const Summary* s = in_.summary(key)) find_registrations(*s, FunctionCode(index_, *s));
    });
    for (const auto& [function, trigger] : detached_)
      in_.contain(function, "detached collectives", [&] { report(function, trigger); });
    return std::move(found_);
  }

 private:
  using Executors = std::map<Symbol, const RoleEntry*>;  // by variable: how an object of one is made

  Trigger implicit_trigger(FunctionKey f) {
    const FunctionInfo& info = index_.functions()[f];
    const ir::Function& function = index_.function(f);
    const std::string_view name = index_.modules()[info.module].text(function.name);
    for (ir::ExprId decorator : function.decorators)
      if (const RoleEntry* made =
              in_.roles().find(index_.dotted(info.module, function, decorator), Role::MakesCachedProperty))
        return {Moment::FirstUse, made->note, {}};
    if (!info.owner.valid()) return {};
    if (is_builtin(name, Builtin::Del)) return {Moment::Any, "`__del__`", {}};
    if (const RoleEntry* called = role_of_method(in_.roles(), index_, f, Role::RunsAtAnyTime))
      return {Moment::Any, called->note, {}};
    return {};
  }

  void find_registrations(const Summary& s, const FunctionCode& code) {
    Executors executors;
    for (ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind == ir::InstructionKind::EnterWith)
          if (const RoleEntry* entered = executor_in(code, executors, i.value))
            note(code, executors, i.target, entered);
        if (i.kind != ir::InstructionKind::Call) continue;
        const std::string callee = called(code, executors, i.value);
        if (const RoleEntry* made = in_.roles().find(callee, Role::MakesExecutor))
          note(code, executors, i.target, made);
        for (const auto& [role, moment] : kRegistrations)
          if (const RoleEntry* entry = in_.roles().find(callee, role);
              entry && !(moment == Moment::OnThread && is_joined(s, code, i.range)))
            if (const FunctionKey f = function_named(index_, code, given_for(code, i, *entry)); f.valid())
              detached_.emplace(f, Trigger{moment, entry->note, {code.key, i.range}});
      }
  }

  // Whether the function joins the thread after it starts it and does not communicate in between: then the thread
  // communicates in its place.
  bool is_joined(const Summary& s, const FunctionCode& code, const SourceRange& made) {
    std::optional<SourceRange> joined;
    for (ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions)
        if (i.range > made && joins(code, i) && (!joined || i.range < *joined)) joined = i.range;
    if (!joined) return false;
    for (const BlockSteps& block : s.blocks)
      for (const Step& step : block.steps)
        if (step.range > made && step.range < *joined && communication_of(in_, step)) return false;
    return true;
  }

  // `thread.join()`, with a timeout or without; what joins texts has another argument.
  bool joins(const FunctionCode& code, const ir::Instruction& i) const {
    if (i.kind != ir::InstructionKind::Call || code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) return false;
    const RoleEntry* waits = in_.roles().find(code.text.text(code.ir.exprs[i.value].symbol), Role::WaitsForThread);
    return waits && std::ranges::all_of(ir::arguments(code.ir, i), [&](const ir::Argument& a) {
             return code.text.text(a.keyword) == waits->argument.keyword;
           });
  }

  std::string called(const FunctionCode& code, const Executors& executors, ir::ExprId e) const {
    const ir::Expr& callee = code.ir.exprs[e];
    if (callee.kind == ir::ExprKind::Attribute)
      if (const RoleEntry* executor = executor_in(code, executors, ir::children(code.ir, e)[0]))
        return executor->note + "." + std::string(code.text.text(callee.symbol));
    const std::string name = foreign_name(index_, code.module, code.ir, e);
    return name.find('.') == name.npos ? std::string() : name;  // a name that nothing says whose it is
  }

  static void note(const FunctionCode& code, Executors& executors, ir::ExprId target, const RoleEntry* made) {
    if (!code.name(target).empty()) executors.emplace(code.ir.exprs[target].symbol, made);
  }

  static const RoleEntry* executor_in(const FunctionCode& code, const Executors& executors, ir::ExprId e) {
    const auto found = code.name(e).empty() ? executors.end() : executors.find(code.ir.exprs[e].symbol);
    return found == executors.end() ? nullptr : found->second;
  }

  // A thread of every rank may have a group of its own; a callback that interrupts a rank at any point may not.
  static bool may_own_group(const Trigger& trigger) { return trigger.moment == Moment::OnThread; }

  // Whether the call names its group, or the object has one, or the thread was given one: then it was made for this.
  bool names_group(const FunctionCode& code, const Step& step, const Communication& found) const {
    if (found.group.valid() && (in_.values()[found.group].kind == ValueKind::Attribute ||
                                in_.values()[found.group].kind == ValueKind::Parameter))
      return true;
    const ir::Instruction* call = in_.call_at(in_.site(step.site));
    return call && std::ranges::any_of(ir::arguments(code.ir, *call), [&](const ir::Argument& a) {
             return in_.priors().suggest(code.text.text(a.keyword), NameMeaning::Group);
           });
  }

  // `broadcast_object_list(["terminate"])` as a process ends, where others loop forever on the commands that they
  // receive: the rank that has the handler sends the command.
  bool is_command(const Communication& found) {
    return found.model->root.present() && obeyed().contains(found.model->op);
  }

  // Whether one of the function's communications is such a command: what goes before and after it belongs to it.
  bool gives_commands(const Summary& s) {
    return std::ranges::any_of(s.blocks, [&](const BlockSteps& block) {
      return std::ranges::any_of(block.steps, [&](const Step& step) {
        const std::optional<Communication> found = communication_of(in_, step);
        return found && is_command(*found);
      });
    });
  }

  // The operations with a root in which a loop without an end waits, anywhere in the project.
  const std::set<std::string>& obeyed() {
    if (obeyed_) return *obeyed_;
    obeyed_.emplace();
    for (FunctionKey f{0}; f.index < index_.functions().size(); ++f.index)
      if (const Summary* s = in_.summary(f); s && s->communicates)
        for (ir::BlockId header : s->graph().order()) add_obeyed(*s, header);
    return *obeyed_;
  }

  void add_obeyed(const Summary& s, ir::BlockId header) {
    const ValueId more = s.blocks[header.index].condition;
    if (!s.graph().is_loop_header(header) || !more.valid() || in_.values().truth(more) != ValueStore::Truth::Yes)
      return;
    for (ir::BlockId b : s.graph().loop_blocks(header))
      for (const Step& step : s.blocks[b.index].steps)
        if (const auto command = communication_of(in_, step); command && command->model->root.present())
          obeyed_->insert(command->model->op);
  }

  // Whether a place that some ranks pass alone reads what the function keeps: where all read alike, all compute it
  // alike.
  bool is_read_by_some(FunctionKey property) {
    for (const FunctionKey key : in_.functions_to_check()) {
      const Summary* s = in_.summary(key);
      if (!s || key == property) continue;
      const FunctionCode code(index_, *s);
      for (ir::BlockId b : code.graph().order()) {
        if (!reads_property(code, b, property)) continue;
        const auto other = detached_.find(key);
        if (diverging_guard_of(in_.values(), *s, b).valid() ||
            (other != detached_.end() && other->second.moment != Moment::FirstUse))
          return true;
      }
    }
    return false;
  }

  bool reads_property(const FunctionCode& code, ir::BlockId b, FunctionKey property) {
    const Symbol name = name_of(property);
    const auto is_read = [&](ir::ExprId e) {
      const ir::Expr& expr = code.ir.exprs[e];
      return expr.kind == ir::ExprKind::Attribute && index_.name(code.module, expr.symbol) == name &&
             has_property(code, ir::children(code.ir, e)[0], property);
    };
    const auto reads = [&](ir::ExprId e) { return ir::any_part(code.ir, e, is_read); };
    const ir::Block& block = code.ir.blocks[b];
    return reads(block.terminator.value) || std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
             return reads(i.value) || std::ranges::any_of(ir::arguments(code.ir, i),
                                                          [&](const ir::Argument& a) { return reads(a.value); });
           });
  }

  // Whether the object has the property: a `self` by its class, and any other where no class has something else of this
  // name.
  bool has_property(const FunctionCode& code, ir::ExprId object, FunctionKey property) {
    const ir::Expr& expr = code.ir.exprs[object];
    const ClassKey owner = expr.kind == ir::ExprKind::Name ? index_.class_of_self(code.key, expr.symbol) : ClassKey{};
    return owner.valid() ? index_.find_method(owner, name_of(property)) == property : is_known_by_name(property);
  }

  Symbol name_of(FunctionKey f) const {
    return index_.intern(index_.modules()[index_.functions()[f].module].text(index_.function(f).name));
  }

  bool is_known_by_name(FunctionKey property) {
    const auto [known, is_new] = known_by_name_.try_emplace(property, true);
    if (!is_new) return known->second;
    const Symbol name = name_of(property);
    for (ClassKey c{0}; c.index < index_.classes().size(); ++c.index) {
      const auto method = index_.classes()[c].methods.find(name);
      const bool is_other = method != index_.classes()[c].methods.end() && method->second != property;
      if (is_other || index_.classes()[c].attributes.contains(name)) known->second = false;
    }
    return known->second;
  }

  // One finding per function: its first communication, of those that are not doubted where there is one.
  void report(FunctionKey f, const Trigger& trigger) {
    const Summary* s = in_.summary(f);
    if (!s || !s->communicates || (trigger.moment == Moment::AtExit && gives_commands(*s))) return;
    const FunctionCode code(index_, *s);
    std::optional<DetachedCollective> doubted;
    for (ir::BlockId b : s->graph().order())
      for (const Step& step : s->blocks[b.index].steps)
        if (const std::optional<Communication> found = communication_of(in_, step)) {
          if (trigger.moment == Moment::FirstUse && !is_read_by_some(f)) return;
          if (may_own_group(trigger) && names_group(code, step, *found)) continue;
          DetachedCollective fact;
          fact.function = f;
          fact.range = step.range;
          fact.where = trigger.where;
          fact.handed_over = trigger.handed_over;
          fact.op = found->model->op;
          fact.group = group_name(in_, *found);
          // Groups that are made on first use are mostly used first at one place.
          const bool made_when_used =
              found->model->kind == ModelKind::GroupCreate && (trigger.moment == Moment::FirstUse || !step.event);
          if (made_when_used) fact.certainty.doubt({Reason::MadeWhenUsed, {f, step.range}});
          fact.certainty.lower_to(found->certainty);
          if (fact.certainty.degree() != Confidence::Possible) return found_.push_back(std::move(fact));
          if (!doubted) doubted = std::move(fact);
        }
    if (doubted) found_.push_back(std::move(*doubted));
  }

  const Query& in_;
  const ProjectIndex& index_;
  std::vector<DetachedCollective> found_;
  std::map<FunctionKey, Trigger> detached_;
  std::map<FunctionKey, bool> known_by_name_;    // properties, once it was asked for
  std::optional<std::set<std::string>> obeyed_;  // once it was asked for
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const DetachedCollective& d : Detached(in).run()) {
    if (!is_reported(shared, d.function)) continue;
    Finding finding = finding_at(kInfo, shared, d.function, d.range, d.certainty);
    finding.message =
        collective_text(d.op, d.group) + " is issued in " + d.where + ", which each rank runs at a moment of its own";
    if (d.handed_over.function.valid())
      finding.related.push_back(
          {location_at(shared, d.handed_over.function, d.handed_over.range),
           "`" + std::string(shared.index->qualified_name(d.function)) + "` is handed over here"});
    finding.help = "note in the callback what happened, and communicate where all ranks pass in the same step";
    finding.fingerprint_key = d.op + " " + d.group + " " + d.where;
    finding.replay = replay_templates::by_one_alone({d.op, d.group, finding.primary});
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::collective_in_callback
