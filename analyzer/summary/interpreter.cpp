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

// What one stage of the check may do for one function: about a second, and ten times what the largest functions of real
// projects need. A project may have as many such functions as its size allows; the functions after them may do little.
constexpr uint64_t kMostWork = 8000000;
constexpr uint64_t kLittleWork = 200000;
constexpr uint64_t kMostWorkOfProject = 40000000;  // and more with each of its functions
constexpr uint64_t kMostWorkPerFunction = 20000;

Interpreter::Interpreter(const ProjectIndex& index, const Models& models, int deepest_call)
    : index_(index),
      models_(models),
      values_(index),
      handed_(std::make_shared<HandedTypes>(index, models)),
      declared_(std::make_shared<Declared>()),
      deepest_call_(deepest_call) {
  summaries_.resize(index.functions().size());
  state_.resize(index.functions().size(), Made::Not);
  allow_work();
  for (uint32_t m = 0; m < index.modules().size(); ++m) take_module(ModuleKey{m});
}

Interpreter::Interpreter(const Interpreter* below)
    : below_(below),
      own_names_(ProjectIndex::over(below->index_)),
      index_(*own_names_),
      models_(below->models_),
      values_(below->values_, index_),
      sites_(StableVector<SiteId, Site>::over(below->sites_)),
      site_ids_(decltype(site_ids_)::over(below->site_ids_)),
      paths_(decltype(paths_)::over(below->paths_)),
      last_path_(below->last_path_),
      first_judged_(below->first_judged_),
      stop_(below->stop_),
      handed_(below->handed_),
      declared_(below->declared_),
      stand_ins_(below->stand_ins_),
      free_names_(decltype(free_names_)::over(below->free_names_)),
      fields_(decltype(fields_)::over(below->fields_)),
      class_attributes_(decltype(class_attributes_)::over(below->class_attributes_)),
      globals_(decltype(globals_)::over(below->globals_)),
      member_models_(decltype(member_models_)::over(below->member_models_)),
      decorated_(decltype(decorated_)::over(below->decorated_)),
      attribute_types_(decltype(attribute_types_)::over(below->attribute_types_)),
      mentions_(decltype(mentions_)::over(below->mentions_)),
      settled_(decltype(settled_)::over(below->settled_)),
      deepest_call_(below->deepest_call_),
      probe_(below->probe_),
      cut_seen_(below->cut_seen_),
      work_left_(below->work_left_) {}

void Interpreter::get_ready_for_views() { handed_->read_all(); }

void Interpreter::add_notes(Notes notes) {
  work_left_ -= std::min(work_left_, notes.work);
  for (const auto& [f, reason] : notes.incomplete) note_incomplete(f, reason);
  std::ranges::move(notes.broken, std::back_inserter(broken_));
}

void Interpreter::take_module(ModuleKey m) {
  for (uint32_t f = 0; f < index_.modules()[m].functions.size(); ++f)
    declared_->flags.push_back(flags_of(index_.key(m, ir::FunctionId{f})));
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
      declared_->annotations[{info.owner.index, name.index}].push_back({f, a.annotation});
    if (target.kind == ir::ExprKind::Name && index_.function(f).kind == ir::FunctionKind::ClassBody) {
      for (uint32_t c = 0; c < module.classes.size(); ++c)
        if (module.classes[ir::ClassId{c}].body == a.function)
          declared_->annotations[{index_.key(m, ir::ClassId{c}).index, name.index}].push_back({f, a.annotation});
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
        declared_->global_assignments[{m.index, index_.name(m, symbol).index}].push_back({key, ir::BlockId{b}, i});
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
  allow_work();
  watched_.calls.clear();
  take_module(guest);
  std::set<ModuleKey> past(guests_.begin(), guests_.end());
  past.insert(original);
  handed_->leave_out(std::move(past));
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

void Interpreter::note_incomplete(FunctionKey f, IncompleteReason reason) {
  const auto [known, is_new] = incomplete_.try_emplace(f, reason);
  if (!is_new && reason < known->second) known->second = reason;
}

void Interpreter::allow_work() { work_left_ = kMostWorkOfProject + kMostWorkPerFunction * index_.functions().size(); }

const Summary* Interpreter::summary(FunctionKey f) {
  if (below_) return below_->state_[f.index] == Made::Whole ? below_->summaries_[f.index].get() : nullptr;
  if (state_[f.index] == Made::Whole) return summaries_[f.index].get();
  if (state_[f.index] == Made::InProgress || is_stopped()) return nullptr;
  if (depth_ >= deepest_call_) {
    if (running_.valid()) note_incomplete(running_, IncompleteReason::DeepCalls);
    return nullptr;
  }
  state_[f.index] = Made::InProgress;
  const bool is_whole = contain(f, "summary", [&] {
    require_stack_room();
    ++depth_;
    const FunctionKey caller = std::exchange(running_, f);
    summaries_[f.index] = std::make_unique<Summary>(FunctionRun(*this, f).run());
    running_ = caller;
    --depth_;
  });
  if (!is_whole) give_up(f);
  state_[f.index] = Made::Whole;
  if (values_.cut() != cut_seen_) note_incomplete(f, IncompleteReason::DeepTerms);
  cut_seen_ = values_.cut();
  return summaries_[f.index].get();
}

Summary Interpreter::nothing_known(FunctionKey f) {
  const ir::Function& function = index_.function(f);
  Summary summary(f, function);
  const auto unknown = [&](ir::BlockId block) {
    const SiteId site = intern_site({.function = f, .block = block, .why = Site::Why::NotFollowed});
    return values_.leaf(ValueKind::Opaque, site.index);
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

// Whoever is running when something breaks has counted what it began and not what it ended.
bool Interpreter::contain(FunctionKey f, std::string_view stage, const std::function<void()>& body) {
  const auto counts = std::tuple(depth_, lookups_, lookup_budget_, running_);
  const std::string_view name = f.valid() ? index_.qualified_name(f) : std::string_view();
  const CurrentWork work(stage, f.valid() ? index_.path(f) : std::string_view("all files"), name);
  bool is_finished = true;
  std::optional<std::string> what = ranklint::contain([&] {
    if (probe_) probe_(stage, name);
    const WorkLimit limit(!f.valid() ? UINT64_MAX : work_left_ > 0 ? kMostWork : kLittleWork);
    try {
      body();
    } catch (const WorkLimitReached&) {
      is_finished = false;
    }
    if (!f.valid()) return;
    work_left_ -= std::min(work_left_, limit.used());
    work_done_ += limit.used();
  });
  if (!what && is_finished) return true;
  std::tie(depth_, lookups_, lookup_budget_, running_) = counts;
  free_in_progress_.clear();
  if (what)
    broken_.push_back({f, std::string(stage), std::move(*what)});
  else
    note_incomplete(f, IncompleteReason::MuchWork);
  return false;
}

SiteId Interpreter::intern_site(const Site& site) {
  const SiteId* known = site_ids_.find(site);
  return known ? *known : site_ids_.set(site, sites_.push_back(site));
}

uint32_t Interpreter::extend_path(uint32_t path, SiteId site) {
  const std::pair key{path, site.index};
  const uint32_t* known = paths_.find(key);
  return known ? *known : paths_.set(key, ++last_path_);
}

Interpreter::Flags Interpreter::flags_of(FunctionKey f) const {
  Flags flags;
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

bool Interpreter::is_context_manager(FunctionKey f) { return flags(f).is_context_manager; }
bool Interpreter::is_property(FunctionKey f) { return flags(f).is_property; }

std::string_view Interpreter::class_name(ClassKey c) const {
  return index_.modules()[index_.classes()[c].module].text(index_.klass(c).name);
}

std::string_view Interpreter::last_name(ValueId v) {
  const Value& value = values_[v];
  const SymbolTable& names = index_.names();
  switch (value.kind) {
    case ValueKind::Attribute: return names.text(Symbol{value.a});
    case ValueKind::Global:
    case ValueKind::Free: return names.text(Symbol{value.b});
    case ValueKind::External: return last_part(names.text(Symbol{value.a}));
    case ValueKind::Parameter: {
      const FunctionKey f{value.a};
      const auto& parameters = index_.function(f).parameters;
      if (value.b >= parameters.size()) return {};
      return index_.modules()[index_.functions()[f].module].text(parameters[value.b].name);
    }
    case ValueKind::Believed: return last_name(values_.child(v, 0));
    case ValueKind::Module: return last_part(index_.modules()[ModuleKey{value.a}].name);
    default: return {};
  }
}

const OtherThreads& Interpreter::other_threads() {
  if (!other_threads_) other_threads_ = std::make_unique<OtherThreads>(index_);
  return *other_threads_;
}

}  // namespace ranklint
