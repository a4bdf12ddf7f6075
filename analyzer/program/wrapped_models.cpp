#include "analyzer/program/wrapped_models.h"

#include <algorithm>

#include "analyzer/flow/deciding_branch.h"
#include "analyzer/flow/side_of_branch.h"
#include "analyzer/program/handed.h"

namespace ranklint {
namespace {

// Asked first: resolving every call of a project would take too long.
bool sounds_like_wrapper(const Models& models, std::string_view name) {
  return models.names().suggest(name, NameMeaning::Wrapper);
}

bool has_name(const ir::Function& f, ir::ExprId e) {
  return e.valid() && (f.exprs[e].kind == ir::ExprKind::Name || f.exprs[e].kind == ir::ExprKind::Attribute);
}

}  // namespace

Symbol own_attribute(const ProjectIndex& index, FunctionKey method, ir::ExprId e) {
  const ir::Function& f = index.function(method);
  if (!e.valid() || f.exprs[e].kind != ir::ExprKind::Attribute) return {};
  const ir::Expr& base = f.exprs[ir::children(f, e)[0]];
  const bool is_own = base.kind == ir::ExprKind::Name && index.class_of_self(method, base.symbol).valid();
  return is_own ? index.name(index.functions()[method].module, f.exprs[e].symbol) : Symbol{};
}

void mention_names(const ir::Function& f, const ir::Module& module, ir::ExprId e, std::vector<std::string>& names) {
  if (!e.valid()) return;
  if (has_name(f, e)) names.emplace_back(module.text(f.exprs[e].symbol));
  // `args.fsdp`: the option is what is asked for, not whose it is.
  if (f.exprs[e].kind == ir::ExprKind::Attribute) return;
  for (ir::ExprId child : ir::children(f, e)) mention_names(f, module, child, names);
}

WrappedModels::WrappedModels(const ProjectIndex& index, const Models& models, const GivenBack& given_back,
                             FunctionKey f)
    : index_(index),
      models_(models),
      given_back_(given_back),
      module_(index.functions()[f].module),
      ir_(index.modules()[module_]),
      key_(f),
      f_(index.function(f)) {
  read();
}

const WrappedModel* WrappedModels::above(Symbol name, uint32_t line) const {
  const auto all = given_.find(name);
  if (all == given_.end()) return nullptr;
  const Giving* last = nullptr;
  // A temporary is given one thing, on the line where it is used.
  for (const Giving& g : all->second)
    if ((g.line < line || is_temporary(name)) && (!last || g.line >= last->line)) last = &g;
  return last ? &last->model : nullptr;
}

std::vector<std::pair<uint32_t, WrappedModel>> WrappedModels::given_back() const {
  std::vector<std::pair<uint32_t, WrappedModel>> found;
  if (empty()) return found;
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    const ir::Terminator& end = f_.blocks[ir::BlockId{b}].terminator;
    if (end.kind != ir::TerminatorKind::Return || !end.value.valid()) continue;
    const auto add = [&](ir::ExprId e, uint32_t element) {
      const WrappedModel* model = is_name(e) ? above(f_.exprs[e].symbol, end.range.line) : nullptr;
      if (!model || !model->wrapper.valid()) return;
      found.emplace_back(element, *model);
      for (std::string& option : options_above(ir::BlockId{b}))
        found.back().second.options.push_back(std::move(option));
    };
    if (f_.exprs[end.value].kind != ir::ExprKind::Tuple) {
      add(end.value, kAllOfIt);
      continue;
    }
    uint32_t element = 0;
    for (ir::ExprId part : ir::children(f_, end.value)) add(part, element++);
  }
  return found;
}

std::vector<std::pair<Symbol, WrappedModel>> WrappedModels::kept() const {
  std::vector<std::pair<Symbol, WrappedModel>> found;
  each_attribute_given([&](Symbol attribute, ir::BlockId block, const ir::Instruction& i, uint32_t element) {
    if (i.kind == ir::InstructionKind::Call) {
      if (const WrappedModel model = made_by(block, i, element); model.wrapper.valid())
        found.emplace_back(attribute, model);
    } else if (element == kAllOfIt && is_name(i.value)) {
      const WrappedModel* model = above(f_.exprs[i.value].symbol, i.range.line);
      if (model && model->wrapper.valid()) found.emplace_back(attribute, *model);
    }
  });
  return found;
}

std::vector<Symbol> WrappedModels::kept_from(uint32_t parameter) const {
  std::vector<Symbol> found;
  const Symbol name = f_.parameters[parameter].name;
  each_attribute_given([&](Symbol attribute, ir::BlockId, const ir::Instruction& i, uint32_t element) {
    const bool is_all = i.kind == ir::InstructionKind::Assign && element == kAllOfIt;
    if (is_all && is_name(i.value) && f_.exprs[i.value].symbol == name && !above(name, i.range.line))
      found.push_back(attribute);
  });
  return found;
}

template <typename Seen>
void WrappedModels::each_attribute_given(Seen seen) const {
  for (uint32_t b = 0; b < f_.blocks.size(); ++b)
    for (const ir::Instruction& i : f_.blocks[ir::BlockId{b}].instructions) {
      if (!i.target.valid()) continue;
      if (const Symbol attribute = own_attribute(index_, key_, i.target); attribute.valid())
        seen(attribute, ir::BlockId{b}, i, kAllOfIt);
      if (f_.exprs[i.target].kind != ir::ExprKind::Tuple) continue;
      uint32_t element = 0;
      for (ir::ExprId part : ir::children(f_, i.target)) {
        if (const Symbol attribute = own_attribute(index_, key_, part); attribute.valid())
          seen(attribute, ir::BlockId{b}, i, element);
        ++element;
      }
    }
}

const Model* WrappedModels::wrapper_of(const ir::Instruction& call) const {
  if (!has_name(f_, call.value) || !sounds_like_wrapper(models_, ir_.text(f_.exprs[call.value].symbol))) return nullptr;
  const Entity entity = index_.resolve(module_, f_, call.value);
  const Model* model = entity.kind == Entity::Kind::External ? models_.find(index_.names().text(entity.name)) : nullptr;
  return model && model->about == ModelAbout::Wrapper && !model->instance.empty() ? model : nullptr;
}

// What the call makes, or one element of it.
WrappedModel WrappedModels::made_by(ir::BlockId block, const ir::Instruction& call, uint32_t element) const {
  if (const Model* wrapper = element == kAllOfIt ? wrapper_of(call) : nullptr)
    return {index_.intern(wrapper->instance), options_above(block)};
  if (!has_name(f_, call.value) || !given_back_.names.contains(ir_.text(f_.exprs[call.value].symbol))) return {};
  const auto found = given_back_.models.find({named_callee(index_, key_, call).function, element});
  if (found == given_back_.models.end()) return {};
  WrappedModel made = found->second;
  for (std::string& option : options_above(block)) made.options.push_back(std::move(option));
  return made;
}

void WrappedModels::read() {
  for (uint32_t b = 0; b < f_.blocks.size(); ++b)
    for (const ir::Instruction& i : f_.blocks[ir::BlockId{b}].instructions) {
      if (i.kind == ir::InstructionKind::Call)
        read_call(ir::BlockId{b}, i);
      else if (i.target.valid())
        forget(i.target, i.range.line);
    }
}

void WrappedModels::read_call(ir::BlockId block, const ir::Instruction& call) {
  const Model* wrapper = wrapper_of(call);
  const bool is_named = call.target.valid() && !(is_name(call.target) && is_temporary(f_.exprs[call.target].symbol));
  // fully_shard(model)
  if (wrapper && wrapper->kind == ModelKind::GroupCreate && !is_named) {
    const auto arguments = ir::arguments(f_, call);
    const ir::ExprId model = arguments.empty() ? ir::ExprId{} : arguments.front().value;
    if (model.valid()) give(model, call.range.line, made_by(block, call, kAllOfIt));
    return;
  }
  if (!call.target.valid()) return;
  if (f_.exprs[call.target].kind == ir::ExprKind::Tuple) {
    uint32_t element = 0;
    for (ir::ExprId part : ir::children(f_, call.target)) give(part, call.range.line, made_by(block, call, element++));
    return;
  }
  const bool keeps = !wrapper && has_name(f_, call.value) &&
                     models_.roles().play(ir_.text(f_.exprs[call.value].symbol), Role::ReturnsModule);
  if (!keeps) give(call.target, call.range.line, made_by(block, call, kAllOfIt));
}

void WrappedModels::give(ir::ExprId target, uint32_t line, WrappedModel model) {
  if (!is_name(target)) return;
  const Symbol name = f_.exprs[target].symbol;
  // Nothing is remembered of the many temporaries that hold something else for as long as they are there.
  if (!model.wrapper.valid() && is_temporary(name) && !given_.contains(name)) return;
  if (model.wrapper.valid()) wrapped_.push_back(name);
  given_[name].push_back({line, std::move(model)});
}

void WrappedModels::forget(ir::ExprId target, uint32_t line) {
  if (f_.exprs[target].kind == ir::ExprKind::Tuple) {
    for (ir::ExprId part : ir::children(f_, target)) forget(part, line);
    return;
  }
  give(target, line, {});
}

// Whether both sides of the branch wrap one model: its condition decides how, not whether.
bool WrappedModels::wraps_on_both_sides(const FlowGraph& graph, ir::BlockId branch) const {
  std::set<Symbol> wrapped[2];  // by which name
  for (ir::BlockId b{0}; b.index < f_.blocks.size(); ++b.index) {
    const std::optional<bool> side = side_of_branch(graph, f_, branch, b);
    if (!side) continue;
    for (const ir::Instruction& i : f_.blocks[b].instructions)
      if (i.kind == ir::InstructionKind::Call && i.target.valid() && wrapper_of(i))
        wrapped[*side].insert(f_.exprs[i.target].symbol);
  }
  return std::ranges::any_of(wrapped[0], [&](Symbol name) { return wrapped[1].contains(name); });
}

// What the branches ask that stand above the block, as far as the text shows: those whose sides it does not follow
// both.
std::vector<std::string> WrappedModels::options_above(ir::BlockId block) const {
  std::vector<std::string> options;
  const FlowGraph graph(f_);
  for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above)) {
    const ir::Terminator& end = f_.blocks[above].terminator;
    if (end.kind == ir::TerminatorKind::Branch && decides(graph, above, block) && !wraps_on_both_sides(graph, above))
      mention_names(f_, ir_, end.value, options);
  }
  return options;
}

}  // namespace ranklint
