#include "analyzer/summary/interpreter.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "analyzer/base/contain.h"
#include "analyzer/base/current_work.h"
#include "analyzer/base/stack_room.h"
#include "analyzer/base/work_limit.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/function_run.h"

namespace ranklint {

Interpreter::Interpreter(const ProjectIndex& index, const Models& models, int deepest_call)
    : index_(index),
      deepest_call_(deepest_call),
      query_(index, models, *this),
      handed_(index, models),
      summaries_(index.functions().size()),
      state_(index.functions().size(), Made::Not) {
  query_.allow_work();
  for (const auto& [role, trait] : {std::pair(Role::SplitsIntoParts, ValueStore::Trait::SplitsIntoParts),
                                    std::pair(Role::HasNoLiteral, ValueStore::Trait::HasNoLiteral)})
    for (const std::string& name : models.roles().names_in(role)) query_.values().set_trait(index.spell(name), trait);
  for (uint32_t m = 0; m < index.modules().size(); ++m) take_module(ModuleKey{m});
}

void Interpreter::take_module(ModuleKey m) {
  for (uint32_t f = 0; f < index_.modules()[m].functions.size(); ++f)
    declared_.flags.push_back(flags_of(index_.key(m, ir::FunctionId{f})));
  find_actors(m);
  find_changed_attributes(m);
  // Annotations and `global` assignments by what they are about.
  const ir::Module& module = index_.modules()[m];
  for (const ir::Annotation& a : module.annotations) {
    const FunctionKey f = index_.key(m, a.function);
    const ir::Expr& target = index_.function(f).exprs[a.target];
    const Symbol name = index_.name(m, target.symbol);
    const FunctionInfo& info = index_.functions()[f];
    if (target.kind == ir::ExprKind::Attribute && info.owner.valid())
      declared_.annotations[{info.owner.index, name.index}].push_back({f, a.annotation});
    if (target.kind == ir::ExprKind::Name && index_.function(f).kind == ir::FunctionKind::ClassBody) {
      for (uint32_t c = 0; c < module.classes.size(); ++c)
        if (module.classes[ir::ClassId{c}].body == a.function)
          declared_.annotations[{index_.key(m, ir::ClassId{c}).index, name.index}].push_back({f, a.annotation});
    }
  }
  for (uint32_t f = 0; f < module.functions.size(); ++f) {
    const FunctionKey key = index_.key(m, ir::FunctionId{f});
    const ir::Function& function = index_.function(key);
    if (function.globals.empty()) continue;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      const ir::Block& block = function.blocks[ir::BlockId{b}];
      for (uint32_t i = 0; i < block.instructions.size(); ++i) {
        const ir::ExprId target = block.instructions[i].target;
        if (!target.valid() || function.exprs[target].kind != ir::ExprKind::Name) continue;
        const Symbol symbol = function.exprs[target].symbol;
        if (std::find(function.globals.begin(), function.globals.end(), symbol) == function.globals.end()) continue;
        declared_.global_assignments[{m.index, index_.name(m, symbol).index}].push_back({key, ir::BlockId{b}, i});
      }
    }
  }
}

// A function within a function is known to the one around it only, with its captures in an order of its own; and what
// is called with other parameters is not called by those who do not know the guest. Functions of one name are told
// apart by how many stand before.
void Interpreter::take_guest(ModuleKey original, std::vector<bool> wanted) {
  const ModuleKey guest{static_cast<uint32_t>(index_.modules().size() - 1)};
  first_judged_ = index_.key(guest, ir::FunctionId{0}).index;
  wanted_ = std::move(wanted);
  summaries_.resize(index_.functions().size());
  state_.resize(index_.functions().size(), Made::Not);
  query_.allow_work();
  watched_.calls.clear();
  take_module(guest);
  std::set<ModuleKey> past(guests_.begin(), guests_.end());
  past.insert(original);
  handed_.leave_out(std::move(past));
  guests_.push_back(guest);
  stand_ins_.clear();
  std::map<std::pair<std::string_view, uint32_t>, FunctionKey> originals;
  std::map<std::string_view, uint32_t> met;
  const auto name_of = [&](FunctionKey f) {
    return std::pair(index_.qualified_name(f), met[index_.qualified_name(f)]++);
  };
  for (uint32_t f = 0; f < index_.modules()[original].functions.size(); ++f) {
    const FunctionKey old = index_.key(original, ir::FunctionId{f});
    originals[name_of(old)] = old;
  }
  met.clear();
  for (uint32_t f = first_judged_; f < index_.functions().size(); ++f) {
    const FunctionKey now{f};
    const auto found = originals.find(name_of(now));
    const bool is_judged = judged().contains(now);
    RANKLINT_CHECK(is_judged || found != originals.end(), "a function that nobody judged");
    if (found == originals.end()) continue;
    const FunctionKey old = found->second;
    if (!is_judged)
      stand_ins_[f] = old;
    else if (!index_.functions()[old].parent.valid() &&
             index_.function(now).parameters.size() == index_.function(old).parameters.size())
      stand_ins_[old.index] = now;
  }
}

FunctionKey Interpreter::original_of(FunctionKey f) const {
  if (f.index < first_judged_) return f;
  for (const auto& [original, stand_in] : stand_ins_)
    if (stand_in == f && original < first_judged_) return FunctionKey{original};
  return f;
}

const Summary* Interpreter::summary(FunctionKey f) {
  Query::Asking& asking = query_.asking_;
  if (state_[f.index] == Made::Whole) return summaries_[f.index].get();
  if (state_[f.index] == Made::InProgress || is_stopped()) return nullptr;
  if (asking.depth >= deepest_call_) {
    if (asking.running.valid()) query_.note_incomplete(asking.running, IncompleteReason::DeepCalls);
    return nullptr;
  }
  state_[f.index] = Made::InProgress;
  const bool is_whole = query_.contain(f, "summary", [&] {
    require_stack_room();
    ++asking.depth;
    const FunctionKey caller = std::exchange(asking.running, f);
    summaries_[f.index] = std::make_unique<Summary>(FunctionRun(*this, f).run());
    asking.running = caller;
    --asking.depth;
  });
  if (!is_whole) give_up(f);
  state_[f.index] = Made::Whole;
  if (query_.values().cut() != cut_seen_) query_.note_incomplete(f, IncompleteReason::DeepTerms);
  cut_seen_ = query_.values().cut();
  return summaries_[f.index].get();
}

Summary Interpreter::nothing_known(FunctionKey f) {
  const ir::Function& function = index_.function(f);
  Summary summary(f, function);
  const auto unknown = [&](ir::BlockId block) {
    const SiteId site = query_.intern_site({.function = f, .block = block, .why = Site::Why::NotFollowed});
    return query_.values().leaf(ValueKind::Opaque, site.index);
  };
  summary.blocks.resize(function.blocks.size());
  for (const ir::BlockId block : summary.graph.order())
    if (FlowGraph::successors(function.blocks[block]).size() > 1)
      summary.blocks[block.index].condition = unknown(block);
  summary.block_relevant.assign(function.blocks.size(), false);
  summary.result = unknown(ir::BlockId{0});
  return summary;
}

void Interpreter::give_up(FunctionKey f) {
  const WorkLimit none(UINT64_MAX);  // whoever asks may have nothing left
  summaries_[f.index] = std::make_unique<Summary>(nothing_known(f));
  given_up_.insert(f);
}

FunctionFlags Interpreter::flags_of(FunctionKey f) const {
  FunctionFlags flags;
  const ir::Function& function = index_.function(f);
  const ModuleKey module = index_.functions()[f].module;
  for (ir::ExprId decorator : function.decorators) {
    ir::ExprId e = decorator;
    if (function.exprs[e].kind == ir::ExprKind::Call) e = ir::children(function, e)[0];
    const std::string name = index_.dotted(module, function, e);
    const std::string_view last = last_part(name);
    flags.is_property |= last == "property" || last == "cached_property" || last == "lazy_property";
    flags.is_classmethod |= last == "classmethod";
    flags.is_static |= last == "staticmethod";
    flags.is_context_manager |= last == "contextmanager" || last == "asynccontextmanager";
    flags.is_abstract |= last == "abstractmethod";
  }
  const std::string_view name = index_.modules()[module].text(function.name);
  flags.is_classmethod |= name == "__init_subclass__" || name == "__class_getitem__";
  return flags;
}

const OtherThreads& Interpreter::other_threads() {
  if (!other_threads_) other_threads_ = std::make_unique<OtherThreads>(index_, query_.models());
  return *other_threads_;
}

}  // namespace ranklint
