// Two ways in: what a function is (`__del__`, a cached property, a logging filter's method), and where it is
// handed over (signal.signal, atexit.register, Thread). Which call takes which function is a table.
#include "analyzer/compare/detached.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "analyzer/base/among.h"
#include "analyzer/compare/code.h"
#include "analyzer/compare/communication.h"
#include "analyzer/compare/rank_guard.h"
#include "analyzer/summary/given.h"

namespace ranklint {
namespace {

struct Registration {
  std::string_view callee;  // its qualified name, or the end of one behind a dot
  int position;
  std::string_view keyword;
  std::string_view where;
};

constexpr std::array<Registration, 8> kRegistrations{{
    {"atexit.register", 0, "func", "an exit handler"},
    {"signal.signal", 1, "handler", "a signal handler"},
    {"weakref.finalize", 1, "func", "a finaliser"},
    {"threading.Thread", 1, "target", "a thread"},
    {"threading.Timer", 1, "function", "a timer"},
    {"torch.utils.data.DataLoader", -1, "worker_init_fn", "a data loader's worker"},
    {"torch.utils.data.dataloader.DataLoader", -1, "worker_init_fn", "a data loader's worker"},
    {"Executor.submit", 0, "fn", "an executor's thread"},
}};

constexpr const char* kCachedProperty = "a cached property";

bool ends_with_part(std::string_view name, std::string_view part) {
  return name == part || (name.size() > part.size() && name.ends_with(part));
}

class Detached {
 public:
  Detached(const Query& query, Facts& facts) : in_(query), index_(query.index()), facts_(facts) {}

  void run() {
    in_.for_each_judged("detached collectives", [&](FunctionKey key) {
      if (const std::string where = by_nature(key); !where.empty()) detached_.emplace(key, where);
      if (const Summary* s = in_.summary(key)) find_registrations(*s, FunctionCode(index_, *s));
    });
    for (const auto& [function, where] : detached_)
      in_.contain(function, "detached collectives", [&] { report(function, where); });
  }

 private:
  std::string by_nature(FunctionKey f) {
    const FunctionInfo& info = index_.functions()[f];
    const ir::Function& function = index_.function(f);
    const std::string_view name = index_.modules()[info.module].text(function.name);
    for (ir::ExprId decorator : function.decorators)
      if (index_.dotted(info.module, function, decorator).ends_with("cached_property")) return kCachedProperty;
    if (!info.owner.valid()) return {};
    if (name == "__del__") return "`__del__`";
    if (name == "filter" && index_.derives_from_external(info.owner, "Filter")) return "a logging filter";
    if (name == "emit" && index_.derives_from_external(info.owner, "Handler")) return "a logging handler";
    return {};
  }

  void find_registrations(const Summary& s, const FunctionCode& code) {
    std::set<Symbol> executors;
    for (ir::BlockId b : code.graph.order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind == ir::InstructionKind::EnterWith) note_executor(code, executors, i.target, i.value);
        if (i.kind != ir::InstructionKind::Call) continue;
        const std::string callee = called(code, executors, i.value);
        if (callee.ends_with("PoolExecutor")) note(code, executors, i.target);
        for (const Registration& r : kRegistrations)
          if (ends_with_part(callee, r.callee) && !(r.callee == "threading.Thread" && is_joined(s, code, i.range)))
            if (const FunctionKey f =
                    function_named(index_, code, given_for(code.ir, code.text, i, r.position, r.keyword));
                f.valid())
              detached_.emplace(f, r.where);
      }
  }

  // Whether the function waits for a thread behind the one it makes and does not communicate in between: then the
  // thread communicates in its place.
  bool is_joined(const Summary& s, const FunctionCode& code, const SourceRange& made) {
    std::optional<SourceRange> joined;
    for (ir::BlockId b : code.graph.order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions)
        if (i.range > made && joins(code, i) && (!joined || i.range < *joined)) joined = i.range;
    if (!joined) return false;
    for (const BlockSteps& block : s.blocks)
      for (const Step& step : block.steps)
        if (step.range > made && step.range < *joined && communication_of(in_, step)) return false;
    return true;
  }

  // `thread.join()`, with a timeout or without; what joins texts has another argument.
  static bool joins(const FunctionCode& code, const ir::Instruction& i) {
    if (i.kind != ir::InstructionKind::Call || code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) return false;
    const auto arguments = ir::arguments(code.ir, i);
    const bool of_thread =
        std::ranges::all_of(arguments, [&](const ir::Argument& a) { return code.text.text(a.keyword) == "timeout"; });
    return of_thread && code.text.text(code.ir.exprs[i.value].symbol) == "join";
  }

  std::string called(const FunctionCode& code, const std::set<Symbol>& executors, ir::ExprId e) {
    if (submits(code, executors, e)) return "Executor.submit";
    const Entity entity = index_.resolve(code.module, code.ir, e);
    if (entity.kind == Entity::Kind::External) return std::string(index_.names().text(entity.name));
    if (entity.kind != Entity::Kind::Nothing) return {};
    // Imported where it is used.
    const std::string dotted = index_.dotted(code.module, code.ir, e);
    return dotted.find('.') == dotted.npos ? std::string() : dotted;
  }

  void note(const FunctionCode& code, std::set<Symbol>& executors, ir::ExprId target) {
    if (!code.name(target).empty()) executors.insert(code.ir.exprs[target].symbol);
  }

  void note_executor(const FunctionCode& code, std::set<Symbol>& executors, ir::ExprId target, ir::ExprId value) {
    if (!code.name(value).empty() && executors.count(code.ir.exprs[value].symbol)) note(code, executors, target);
  }

  bool submits(const FunctionCode& code, const std::set<Symbol>& executors, ir::ExprId e) {
    const ir::Expr& callee = code.ir.exprs[e];
    if (callee.kind != ir::ExprKind::Attribute || code.text.text(callee.symbol) != "submit") return false;
    const ir::ExprId base = ir::children(code.ir, e)[0];
    return !code.name(base).empty() && executors.count(code.ir.exprs[base].symbol);
  }

  // A thread of every rank may keep to a group that nobody else uses; what interrupts a rank anywhere may not.
  static bool may_own_group(const std::string& where) { return where == "a thread" || where == "an executor's thread"; }

  // Whether the call says in which group, or the object has one: it has it from somebody who made it for this.
  bool names_group(const FunctionCode& code, const Step& step, const Communication& found) const {
    if (found.group.valid() && in_.values()[found.group].kind == ValueKind::Attribute) return true;
    const Site& at = in_.site(step.site);
    const ir::Block& block = code.ir.blocks[at.block];
    if (at.instruction >= block.instructions.size() ||
        block.instructions[at.instruction].kind != ir::InstructionKind::Call)
      return false;
    const auto arguments = ir::arguments(code.ir, block.instructions[at.instruction]);
    return std::ranges::any_of(arguments, [&](const ir::Argument& a) {
      return among(code.text.text(a.keyword), {"group", "process_group", "pg"});
    });
  }

  // `broadcast_object_list(["terminate"])` as a process ends, and others that go round for ever for what they are told:
  // the one that has the handler is the one that tells.
  bool is_command(const Communication& found) {
    return found.model->root.present() && obeyed().contains(found.model->op);
  }

  // Whether one of the function's communications is such a command: what goes before it and behind it goes with it.
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
        for (ir::BlockId header : s->graph.order()) add_obeyed(*s, header);
    return *obeyed_;
  }

  void add_obeyed(const Summary& s, ir::BlockId header) {
    const ValueId more = s.blocks[header.index].condition;
    if (!s.graph.is_loop_header(header) || !more.valid() || in_.values().truth(more) != ValueStore::Truth::Yes) return;
    for (ir::BlockId b : s.graph.loop_blocks(header))
      for (const Step& step : s.blocks[b.index].steps)
        if (const auto told = communication_of(in_, step); told && told->model->root.present())
          obeyed_->insert(told->model->op);
  }

  // Whether a place that some ranks pass alone reads what the function keeps: where all read alike, all compute it
  // alike.
  bool is_read_by_some(FunctionKey property) {
    for (const FunctionKey key : in_.judged()) {
      const Summary* s = in_.summary(key);
      if (!s || key == property) continue;
      const FunctionCode code(index_, *s);
      for (ir::BlockId b : code.graph.order()) {
        if (!reads_property(code, b, property)) continue;
        const auto other = detached_.find(key);
        if (diverging_guard_of(in_.values(), *s, b).valid() ||
            (other != detached_.end() && other->second != kCachedProperty))
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
    return index_.spell(index_.modules()[index_.functions()[f].module].text(index_.function(f).name));
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

  // One finding per function: its first communication.
  void report(FunctionKey f, const std::string& where) {
    const Summary* s = in_.summary(f);
    if (!s || !s->communicates || (where == "an exit handler" && gives_commands(*s))) return;
    const FunctionCode code(index_, *s);
    for (ir::BlockId b : s->graph.order())
      for (const Step& step : s->blocks[b.index].steps)
        if (const std::optional<Communication> found = communication_of(in_, step)) {
          if (where == kCachedProperty && !is_read_by_some(f)) return;
          if (may_own_group(where) && names_group(code, step, *found)) continue;
          DetachedCollective fact;
          fact.function = f;
          fact.range = step.range;
          fact.where = where;
          fact.op = found->model->op;
          fact.group = group_name(in_, *found);
          // Groups that are made on first use are mostly used first at one place.
          const bool made_when_used =
              found->model->kind == ModelKind::GroupCreate && (where == kCachedProperty || !step.event);
          if (made_when_used) fact.certainty.doubt({Reason::MadeWhenUsed, {f, step.range}});
          fact.certainty.lower_to(found->certainty);
          facts_.detached.push_back(std::move(fact));
          return;
        }
  }

  const Query& in_;
  const ProjectIndex& index_;
  Facts& facts_;
  std::map<FunctionKey, std::string> detached_;
  std::map<FunctionKey, bool> known_by_name_;    // properties, once it was asked for
  std::optional<std::set<std::string>> obeyed_;  // once it was asked for
};

}  // namespace

void find_detached_collectives(const Query& query, Facts& facts) { Detached(query, facts).run(); }

}  // namespace ranklint
