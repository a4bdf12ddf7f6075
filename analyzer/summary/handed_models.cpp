// Models that are wrapped in one function and run in another:
//
//     model = FSDP(model)
//     evaluate(model, data)      # def evaluate(model, data): if rank == 0: model(data)
//
// No annotation says whether a model is wrapped. What is read is the text alone: the name that is handed over was given a
// wrapper above the call, in the same function, and nothing else since. A function within that function is handed what its
// names hold where it stands. What asks by itself whether its model is wrapped (isinstance, or the option under which the
// caller wrapped it) handles both, and is left alone.
#include <algorithm>

#include "analyzer/base/among.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/flow/deciding_branch.h"
#include "analyzer/summary/handed.h"
#include "analyzer/variance/values.h"

namespace ranklint {
namespace {

// What gives back the model that it takes.
constexpr std::string_view kKeeping[] = {"compile", "to", "cuda", "train", "eval", "half", "float", "bfloat16"};
// Words that ask what a model is.
constexpr std::string_view kAsking[] = {"isinstance", "hasattr", "type", "unwrap_model", "unwrap", "extract_model_from_parallel"};

struct Wrapping {
  uint32_t line = 0;
  Symbol wrapper;                     // invalid: something else
  std::vector<std::string> options;   // names that the branches above mention
};

class Reader {
 public:
  Reader(const ProjectIndex& index, const Models& models, FunctionKey f)
      : index_(index), models_(models), module_(index.functions()[f].module), ir_(index.modules()[module_]), key_(f), f_(index.function(f)) {
    find_wrappings();
  }

  // Each name that holds a wrapped model where the function within stands, and what it is wrapped in.
  template <typename Found>
  void read_captured(FunctionKey inner, Found found) const {
    for (Symbol name : wrapped_)
      if (const Wrapping* w = last_above(name, index_.function(inner).range.line); w && w->wrapper.valid() && !asks(inner, w->options)) found(name, w->wrapper);
  }

  // Each argument that is a wrapped model, and what it is wrapped in.
  template <typename Found>
  void read(Found found) const {
    if (wrapped_.empty()) return;
    for (uint32_t b = 0; b < f_.blocks.size(); ++b)
      for (const ir::Instruction& i : f_.blocks[ir::BlockId{b}].instructions)
        if (i.kind == ir::InstructionKind::Call) read_call(i, found);
  }

 private:
  const Model* wrapper_of(const ir::Instruction& i) const {
    const ir::Expr& callee = f_.exprs[i.value];
    if ((callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) || !sounds_like_wrapper(ir_.text(callee.symbol))) return nullptr;
    const Entity entity = index_.resolve(module_, f_, i.value);
    const Model* model = entity.kind == Entity::Kind::External ? models_.find(index_.names().text(entity.name)) : nullptr;
    return model && model->about == "wrapper" && !model->instance.empty() ? model : nullptr;
  }

  // Asked first: resolving every call of a project would take too long.
  static bool sounds_like_wrapper(std::string_view name) {
    return name.find("FSDP") != name.npos || name.find("DDP") != name.npos || name.ends_with("Parallel") || name == "fully_shard";
  }

  void find_wrappings() {
    for (uint32_t b = 0; b < f_.blocks.size(); ++b)
      for (const ir::Instruction& i : f_.blocks[ir::BlockId{b}].instructions) {
        const bool call = i.kind == ir::InstructionKind::Call;
        const Model* wrapper = call ? wrapper_of(i) : nullptr;
        ir::ExprId subject = i.target;
        // fully_shard(model)
        if (wrapper && (!subject.valid() || is_temporary(subject))) {
          const auto arguments = ir::arguments(f_, i);
          subject = arguments.empty() ? ir::ExprId{} : arguments.front().value;
          if (wrapper->kind != ModelKind::GroupCreate) wrapper = nullptr;
        }
        if (!subject.valid() || f_.exprs[subject].kind != ir::ExprKind::Name || (call && !wrapper && keeps(i))) continue;
        if (!wrapper && !i.target.valid()) continue;
        Wrapping w{.line = i.range.line, .wrapper = {}, .options = {}};
        if (wrapper) {
          w.wrapper = find_name(wrapper->instance);
          w.options = options_above(ir::BlockId{b});
          if (w.wrapper.valid()) wrapped_.push_back(f_.exprs[subject].symbol);
        }
        given_[f_.exprs[subject].symbol].push_back(std::move(w));
      }
  }

  Symbol find_name(const std::string& text) const { return index_.spell(text); }
  bool is_temporary(ir::ExprId e) const { return f_.exprs[e].kind == ir::ExprKind::Name && ir_.text(f_.exprs[e].symbol).starts_with('%'); }

  bool keeps(const ir::Instruction& i) const {
    const ir::Expr& callee = f_.exprs[i.value];
    if (callee.kind != ir::ExprKind::Attribute && callee.kind != ir::ExprKind::Name) return false;
    return among(ir_.text(callee.symbol), kKeeping);
  }

  // What the branches ask that stand above the block, as far as the text shows: those whose sides it does not follow both.
  std::vector<std::string> options_above(ir::BlockId block) const {
    std::vector<std::string> options;
    const FlowGraph graph(f_);
    for (ir::BlockId above = graph.dominator(block); above.valid(); above = graph.dominator(above)) {
      const ir::Terminator& end = f_.blocks[above].terminator;
      if (end.kind == ir::TerminatorKind::Branch && decides(graph, above, block)) mention(f_, ir_, end.value, options);
    }
    return options;
  }

  static void mention(const ir::Function& f, const ir::Module& module, ir::ExprId e, std::vector<std::string>& names) {
    if (!e.valid()) return;
    const ir::Expr& expr = f.exprs[e];
    if (expr.kind == ir::ExprKind::Attribute || expr.kind == ir::ExprKind::Name) names.emplace_back(module.text(expr.symbol));
    // `args.fsdp`: the option is what is asked for, not whose it is.
    if (expr.kind == ir::ExprKind::Attribute) return;
    for (ir::ExprId child : ir::children(f, e)) mention(f, module, child, names);
  }

  template <typename Found>
  void read_call(const ir::Instruction& i, Found found) const {
    for (const HandedArgument& a : handed_arguments(index_, key_, i)) {
      if (f_.exprs[a.value].kind != ir::ExprKind::Name) continue;
      if (const Wrapping* w = last_above(f_.exprs[a.value].symbol, i.range.line); w && w->wrapper.valid() && !asks(a.callee, w->options))
        found(a, w->wrapper);
    }
  }

  const Wrapping* last_above(Symbol name, uint32_t line) const {
    const auto all = given_.find(name);
    if (all == given_.end()) return nullptr;
    const Wrapping* last = nullptr;
    for (const Wrapping& w : all->second)
      if (w.line < line && (!last || w.line >= last->line)) last = &w;
    return last;
  }

  // Whether the callee asks for one of the options, or what a model is.
  bool asks(FunctionKey callee, const std::vector<std::string>& options) const {
    const ir::Function& to = index_.function(callee);
    const ir::Module& module = index_.modules()[index_.functions()[callee].module];
    for (uint32_t b = 0; b < to.blocks.size(); ++b) {
      const ir::Block& block = to.blocks[ir::BlockId{b}];
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call) continue;
        const ir::Expr& called = to.exprs[i.value];
        if ((called.kind == ir::ExprKind::Name || called.kind == ir::ExprKind::Attribute) && among(module.text(called.symbol), kAsking)) return true;
      }
      if (block.terminator.kind != ir::TerminatorKind::Branch) continue;
      std::vector<std::string> asked;
      mention(to, module, block.terminator.value, asked);
      for (const std::string& name : asked)
        if (std::find(options.begin(), options.end(), name) != options.end() || name.find("fsdp") != name.npos || name.find("deepspeed") != name.npos) return true;
    }
    return false;
  }

  const ProjectIndex& index_;
  const Models& models_;
  const ModuleKey module_;
  const ir::Module& ir_;
  const FunctionKey key_;
  const ir::Function& f_;
  std::map<Symbol, std::vector<Wrapping>> given_;
  std::vector<Symbol> wrapped_;
};

}  // namespace

void HandedTypes::read_models(ModuleKey module) {
  for (uint32_t f = 0; f < index_.modules()[module].functions.size(); ++f)
    Reader(index_, models_, index_.key(module, ir::FunctionId{f})).read([&](const HandedArgument& a, Symbol wrapper) {
      models_handed_[{a.callee, a.parameter}].push_back({module, ValueStore::type_of_external(wrapper)});
    });
}

void HandedTypes::read_captured_models(FunctionKey outer, std::span<const FunctionKey> inner) {
  const Reader reader(index_, models_, outer);
  for (FunctionKey f : inner)
    reader.read_captured(f, [&](Symbol name, Symbol wrapper) {
      captured_[{f, index_.name(index_.functions()[outer].module, name)}] = ValueStore::type_of_external(wrapper);
    });
}

}  // namespace ranklint
