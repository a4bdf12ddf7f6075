#include "analyzer/program/set_ups.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "analyzer/flow/reached.h"
#include "analyzer/flow/side_of_branch.h"
#include "analyzer/ir/any_instruction.h"
#include "analyzer/program/test_files.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr size_t kMostCallersOfSetUp = 500;  // that are looked at for all set-ups together
constexpr int kMostLevels = 3;               // of calls above a set-up

bool is_flag(const ir::Function& f, ir::ExprId e) {
  return e.valid() && (f.exprs[e].kind == ir::ExprKind::True || f.exprs[e].kind == ir::ExprKind::False);
}

// Code outside the project may call a function that needs no arguments.
bool needs_arguments(const ir::Function& f) {
  return std::ranges::any_of(f.parameters, [](const ir::Parameter& p) {
    return p.kind == ir::ParameterKind::Positional && !p.default_value.valid();
  });
}

}  // namespace

SetUps::SetUps(const ProjectIndex& index, const Models& models, const ShardingMentions& files)
    : index_(index), models_(models), options_(index.modules().size()) {
  for (const Model& model : models.all())
    if (model.kind == ModelKind::Setup) words_.emplace(last_part(model.name));
  for (ModuleKey m{0}; m.index < index.modules().size(); ++m.index)
    if (index.modules()[m].has(ir::Convention::DeclaresNoTypes)) find_set_ups(m);
  if (!found_.empty()) find_mentions();
  find_callers();
  const auto is_of_test = [&](const SetUp& set_up) {
    return is_test_file(index.modules()[index.functions()[set_up.within].module].path);
  };
  if (!std::ranges::all_of(found_, is_of_test)) std::erase_if(found_, is_of_test);
  tell_all(files);
  // A library, or a part of one: its callers are elsewhere.
  uncalled_counts_ = true;
  of_callers_.clear();
  if (!of_all_) tell_all(files);
  mentions_.clear();
  mentions_of_.clear();
  within_.clear();
}

void SetUps::tell_all(const ShardingMentions& files) {
  for (const SetUp& set_up : found_)
    if (const std::optional<Options> options = options_at(set_up.within, set_up.block))
      tell_programs(index_.functions()[set_up.within].module, *options, files);
}

bool SetUps::deny(ModuleKey module, std::string_view option, bool holds) const {
  const std::optional<Options>& options = options_[module.index] ? options_[module.index] : of_all_;
  return options && std::ranges::any_of(
                        *options, [&](const Option& needed) { return needed.name == option && needed.holds != holds; });
}

bool SetUps::deny(const FlowGraph& graph, FunctionKey within, ir::BlockId block) const {
  const ModuleKey module = index_.functions()[within].module;
  const Options asked = asked_above(graph, within, block);
  return std::ranges::any_of(asked, [&](const Option& option) { return deny(module, option.name, option.holds); });
}

void SetUps::find_set_ups(ModuleKey module) {
  for (uint32_t i = 0; i < index_.modules()[module].functions.size(); ++i) {
    const FunctionKey key = index_.key(module, ir::FunctionId{i});
    const ir::Function& f = index_.function(key);
    for (uint32_t b = 0; b < f.blocks.size(); ++b)
      for (const ir::Instruction& call : f.blocks[ir::BlockId{b}].instructions)
        if (sets_up(module, f, call)) found_.push_back({key, ir::BlockId{b}});
  }
}

// A function that is handed to another, which starts it elsewhere, is not called there.
void SetUps::find_callers() {
  const auto is_call = [&](const Mention& mention) {
    return std::ranges::any_of(
        index_.function(mention.within).blocks[mention.block].instructions,
        [&](const ir::Instruction& i) { return i.kind == ir::InstructionKind::Call && i.value == mention.name; });
  };
  std::set<FunctionKey> called;
  for (const SetUp& set_up : found_) called.insert(set_up.within);
  for (int level = 0; level < kMostLevels && !called.empty(); ++level) {
    std::set<FunctionKey> callers;
    for (const FunctionKey f : called) {
      if (index_.function(f).kind != ir::FunctionKind::Function || !functions_.insert(f).second) continue;
      names_.insert(index_.name(index_.functions()[f].module, index_.function(f).name));
      for (const Mention& mention : mentions_of(f))
        if (is_call(mention)) callers.insert(mention.within);
    }
    called = std::move(callers);
  }
}

bool SetUps::may_follow(FunctionKey within, ir::BlockId block, const FlowGraph& graph) const {
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above))
    if (sets_up_in(within, above)) return false;
  const ir::Function& f = index_.function(within);
  return std::ranges::any_of(FlowGraph::successors(f.blocks[block]), [&](ir::BlockId next) {
    return leads_to(f, next, [&](ir::BlockId b) { return sets_up_in(within, b); });
  });
}

bool SetUps::sets_up_in(FunctionKey within, ir::BlockId block) const {
  const ir::Function& f = index_.function(within);
  const ModuleKey module = index_.functions()[within].module;
  return std::ranges::any_of(f.blocks[block].instructions, [&](const ir::Instruction& i) {
    return sets_up(module, f, i) || sets_up_through(module, f, i);
  });
}

bool SetUps::sets_up_through(ModuleKey module, const ir::Function& f, const ir::Instruction& call) const {
  if (call.kind != ir::InstructionKind::Call || !ir::is_dotted(f, call.value)) return false;
  if (!names_.contains(index_.name(module, f.exprs[call.value].symbol))) return false;
  const Entity entity = index_.resolve(module, f, call.value);
  return entity.kind == Entity::Kind::Function && functions_.contains(entity.function);
}

bool SetUps::sets_up(ModuleKey module, const ir::Function& f, const ir::Instruction& call) const {
  if (call.kind != ir::InstructionKind::Call || !ir::is_dotted(f, call.value)) return false;
  const std::string_view word = index_.modules()[module].text(f.exprs[call.value].symbol);
  // Asked first: resolving every call of a project would take too long.
  if (!words_.contains(word)) return false;
  const Entity entity = index_.resolve(module, f, call.value);
  const Model* model = entity.kind == Entity::Kind::External ? models_.find(index_.names().text(entity.name)) : nullptr;
  return model && model->kind == ModelKind::Setup;
}

std::optional<SetUps::Options> SetUps::options_at(FunctionKey key, ir::BlockId block) {
  std::optional<Options> options = options_of_callers(key);
  if (!options) return options;
  const Options& own = options_within(key, block);
  options->insert(options->end(), own.begin(), own.end());
  std::ranges::sort(*options);
  return options;
}

// What is asked and noted above the block in its own function.
const SetUps::Options& SetUps::options_within(FunctionKey key, ir::BlockId block) {
  const auto [known, is_new] = within_.try_emplace({key, block});
  if (!is_new) return known->second;
  known->second = asked_above(FlowGraph(index_.function(key)), key, block);
  add_noted(index_.function(key), index_.modules()[index_.functions()[key].module], block, known->second);
  return known->second;
}

// What is asked above the block, and holds there.
SetUps::Options SetUps::asked_above(const FlowGraph& graph, FunctionKey key, ir::BlockId block) const {
  const ir::Function& f = index_.function(key);
  const ModuleKey module = index_.functions()[key].module;
  Options all;
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above)) {
    const std::optional<bool> side = side_of_branch(graph, f, above, block);
    const ir::Terminator& end = f.blocks[above].terminator;
    if (!side || end.is_loop) continue;
    Options asked;
    add_asked(f, module, end.value, *side, asked);
    std::erase_if(asked, [&](const Option& option) { return is_changed_later(graph, f, module, above, option); });
    all.insert(all.end(), asked.begin(), asked.end());
  }
  return all;
}

// `if not self.ready: dist.init_process_group(...); self.ready = True`: a later test of the flag follows the set-up.
bool SetUps::is_changed_later(const FlowGraph& graph, const ir::Function& f, ModuleKey module, ir::BlockId asked,
                              const Option& option) const {
  return std::ranges::any_of(graph.order(), [&](ir::BlockId b) {
    if (b == asked || !graph.dominates(asked, b)) return false;
    return std::ranges::any_of(f.blocks[b].instructions, [&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Assign || !i.target.valid()) return false;
      Options given;
      add_asked(f, module, i.target, option.holds, given);
      const bool stays = f.exprs[i.value].kind == (option.holds ? ir::ExprKind::True : ir::ExprKind::False);
      return !stays && std::ranges::find(given, option) != given.end();
    });
  });
}

void SetUps::find_mentions() {
  for (uint32_t f = 0; f < index_.functions().size(); ++f) {
    const FunctionKey key{f};
    const ModuleKey module = index_.functions()[key].module;
    if (index_.modules()[module].has(ir::Convention::DeclaresNoTypes) &&
        index_.function(key).kind == ir::FunctionKind::Function)
      mentions_[index_.name(module, index_.function(key).name)];
  }
  for (uint32_t f = 0; f < index_.functions().size(); ++f)
    if (index_.modules()[index_.functions()[FunctionKey{f}].module].has(ir::Convention::DeclaresNoTypes))
      find_mentions_in(FunctionKey{f});
}

void SetUps::find_mentions_in(FunctionKey within) {
  const ir::Function& f = index_.function(within);
  const ModuleKey module = index_.functions()[within].module;
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    const auto note = [&](ir::ExprId e) {
      if (!ir::is_dotted(f, e) || SymbolTable::is_temporary(f.exprs[e].symbol)) return false;
      const auto known = mentions_.find(index_.name(module, f.exprs[e].symbol));
      if (known != mentions_.end()) known->second.push_back({within, ir::BlockId{b}, e});
      return false;
    };
    const ir::Block& block = f.blocks[ir::BlockId{b}];
    for (const ir::Instruction& i : block.instructions) {
      ir::any_part(f, i.value, note);
      for (const ir::Argument& a : ir::arguments(f, i)) ir::any_part(f, a.value, note);
    }
    ir::any_part(f, block.terminator.value, note);
  }
}

// A method is meant by its name: what the object is remains open.
bool SetUps::means(const Mention& mention, FunctionKey f) const {
  const ir::Function& within = index_.function(mention.within);
  const Entity entity = index_.resolve(index_.functions()[mention.within].module, within, mention.name);
  if (entity.kind == Entity::Kind::Function) return entity.function == f;
  return index_.functions()[f].owner.valid() && within.exprs[mention.name].kind == ir::ExprKind::Attribute;
}

// Functions that call each other are settled together, from having no caller that counts on: what one of them finds
// out makes the others have less in common, until nothing changes. Where there are too many, nothing is known.
std::optional<SetUps::Options> SetUps::options_of_callers(FunctionKey key) {
  if (!of_callers_.emplace(key, std::nullopt).second) return of_callers_.at(key);
  std::vector<FunctionKey> callers{key};
  for (size_t i = 0; i < callers.size() && of_callers_.size() <= kMostCallersOfSetUp; ++i) {
    const FunctionKey called = callers[i];
    for (const Mention& mention : mentions_of(called))
      if (of_callers_.emplace(mention.within, std::nullopt).second) callers.push_back(mention.within);
  }
  if (of_callers_.size() > kMostCallersOfSetUp)
    for (const FunctionKey caller : callers) of_callers_[caller] = Options();
  for (bool again = of_callers_.size() <= kMostCallersOfSetUp; again;) {
    again = false;
    for (auto caller = callers.rbegin(); caller != callers.rend(); ++caller) {
      std::optional<Options> common = common_options(*caller);
      again |= common != of_callers_[*caller];
      of_callers_[*caller] = std::move(common);
    }
  }
  return of_callers_.at(key);
}

// Where the function is meant, but for in itself.
const std::vector<SetUps::Mention>& SetUps::mentions_of(FunctionKey f) {
  const auto [known, is_new] = mentions_of_.try_emplace(f);
  if (is_new && index_.function(f).kind == ir::FunctionKind::Function)
    std::ranges::copy_if(mentions_[index_.name(index_.functions()[f].module, index_.function(f).name)],
                         std::back_inserter(known->second),
                         [&](const Mention& mention) { return mention.within != f && means(mention, f); });
  return known->second;
}

// What all that call it have in common.
std::optional<SetUps::Options> SetUps::common_options(FunctionKey key) {
  const ir::Function& f = index_.function(key);
  if (f.kind != ir::FunctionKind::Function) return Options();
  std::optional<Options> common;
  for (const Mention& mention : mentions_of(key)) {
    const std::optional<Options> there = options_at(mention.within, mention.block);
    if (!there) continue;
    agree(common, *there);
    if (common->empty()) return common;
  }
  return !mentions_of(key).empty() || (needs_arguments(f) && !uncalled_counts_) ? common : Options();
}

void SetUps::add_asked(const ir::Function& f, ModuleKey module, ir::ExprId e, bool holds, Options& options) const {
  if (!e.valid()) return;
  const ir::Module& text = index_.modules()[module];
  const ir::Expr& asked = f.exprs[e];
  if (const ir::Instruction* call = ir::call_giving(f, e)) {
    add_answer(f, module, *call, holds, options);
  } else if (ir::is_dotted(f, e) && !SymbolTable::is_temporary(asked.symbol)) {
    options.push_back({std::string(text.text(asked.symbol)), holds});
  } else if (asked.kind == ir::ExprKind::Subscript) {
    const ir::Expr& key = f.exprs[ir::children(f, e)[1]];
    if (key.kind == ir::ExprKind::String) options.push_back({std::string(text.text(key.symbol)), holds});
  } else if (asked.kind == ir::ExprKind::Unary && asked.op == ir::Operator::Not) {
    add_asked(f, module, ir::children(f, e)[0], !holds, options);
  } else if (asked.kind == (holds ? ir::ExprKind::And : ir::ExprKind::Or)) {
    for (const ir::ExprId part : ir::children(f, e)) add_asked(f, module, part, holds, options);
  }
}

// `torch.cuda.is_available()`: what the whole run asks gets one answer.
void SetUps::add_answer(const ir::Function& f, ModuleKey module, const ir::Instruction& call, bool holds,
                        Options& options) const {
  if (!ir::arguments(f, call).empty() || !ir::is_dotted(f, call.value)) return;
  const Entity entity = index_.resolve(module, f, call.value);
  if (entity.kind != Entity::Kind::External) return;
  const std::string_view name = index_.names().text(entity.name);
  if (models_.roles().play(name, Role::FollowsFromArguments)) options.push_back({std::string(name), holds});
}

// The attributes that are set to one constant above the block and to the other one elsewhere in the function.
void SetUps::add_noted(const ir::Function& f, const ir::Module& text, ir::BlockId block, Options& options) const {
  const FlowGraph graph(f);
  std::set<std::pair<std::string_view, bool>> above, elsewhere;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    for (const ir::Instruction& i : f.blocks[ir::BlockId{b}].instructions) {
      if (i.kind != ir::InstructionKind::Assign || !i.target.valid() || !is_flag(f, i.value)) continue;
      if (f.exprs[i.target].kind != ir::ExprKind::Attribute) continue;
      const bool leads_there = ir::BlockId{b} == block || graph.dominates(ir::BlockId{b}, block);
      (leads_there ? above : elsewhere)
          .emplace(text.text(f.exprs[i.target].symbol), f.exprs[i.value].kind == ir::ExprKind::True);
    }
  for (const auto& [name, holds] : above)
    if (elsewhere.contains({name, !holds}) && !above.contains({name, !holds}))
      options.push_back({std::string(name), holds});
}

// What all have in common.
void SetUps::agree(std::optional<Options>& known, const Options& options) {
  Options both;
  if (known) std::ranges::set_intersection(*known, options, std::back_inserter(both));
  known = known ? both : options;
}

void SetUps::tell_programs(ModuleKey module, const Options& options, const ShardingMentions& files) {
  for (const ModuleKey file : files.files_around(module)) agree(options_[file.index], options);
  agree(of_all_, options);
}

}  // namespace ranklint
