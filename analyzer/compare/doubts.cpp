#include "analyzer/compare/doubts.h"

#include <algorithm>

#include "analyzer/base/among.h"
#include "analyzer/compare/contexts.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr std::string_view kSharded[] = {"FSDP", "FullyShardedDataParallel", "FSDPModule", "DTensor",
                                         "DeepSpeedEngine"};

// Whether code asks if something is sharded: `isinstance(x, DTensor)`, in itself or in what it calls.
class ShardingQuestion {
 public:
  explicit ShardingQuestion(const ProjectIndex& index) : index_(index) {}

  bool is_asked_in(FunctionKey f, int depth = 3) const {
    const ir::Function& code = index_.function(f);
    const ModuleKey module = index_.functions()[f].module;
    const ir::Module& text = index_.modules()[module];
    for (const ir::Block& block : code.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call || code.exprs[i.value].kind != ir::ExprKind::Name) continue;
        const auto arguments = ir::arguments(code, i);
        if (text.text(code.exprs[i.value].symbol) == "isinstance" && arguments.size() == 2 &&
            names_sharded(code, text, arguments[1].value))
          return true;
        const Entity callee = index_.resolve(module, code, i.value);
        if (depth > 0 && callee.kind == Entity::Kind::Function && is_asked_in(callee.function, depth - 1)) return true;
      }
    return depth > 0 && is_asked_below(f, depth - 1);
  }

 private:
  // In a generator, lambda or function that is written inside `f`.
  bool is_asked_below(FunctionKey f, int depth) const {
    const ModuleKey module = index_.functions()[f].module;
    for (FunctionKey inner{f.index + 1};
         inner.index < index_.functions().size() && index_.functions()[inner].module == module; ++inner.index)
      if (index_.functions()[inner].parent == f && is_asked_in(inner, depth)) return true;
    return false;
  }

  static bool names_sharded(const ir::Function& code, const ir::Module& text, ir::ExprId e) {
    const ir::Expr& expr = code.exprs[e];
    if (expr.kind == ir::ExprKind::Name || expr.kind == ir::ExprKind::Attribute)
      return among(text.text(expr.symbol), kSharded);
    return expr.kind == ir::ExprKind::Tuple &&
           std::ranges::any_of(ir::children(code, e), [&](ir::ExprId part) { return names_sharded(code, text, part); });
  }

  const ProjectIndex& index_;
};

}  // namespace

static bool takes_gradients_off(std::string_view name) { return among(last_part(name), {"no_grad", "inference_mode"}); }

bool runs_without_gradients(const ProjectIndex& index, FunctionKey f) {
  const ir::Function& function = index.function(f);
  return std::ranges::any_of(function.decorators, [&](ir::ExprId decorator) {
    const bool called = function.exprs[decorator].kind == ir::ExprKind::Call;
    return takes_gradients_off(
        index.dotted(index.functions()[f].module, function, called ? ir::children(function, decorator)[0] : decorator));
  });
}

bool runs_without_gradients(const ProjectIndex& index, const Summary& summary, SourceRange call) {
  return runs_without_gradients(index, summary.function) ||
         std::ranges::any_of(open_contexts(index, summary, call), takes_gradients_off, &OpenContext::name);
}

bool takes_for_training(const Query& query, const Choices& choices) {
  const ValueStore& values = query.values();
  return std::ranges::any_of(choices.all(), [&](const auto& chosen) {
    const Value& v = values[chosen.first];
    return chosen.second && v.kind == ValueKind::Attribute && query.index().names().text(Symbol{v.a}) == "training";
  });
}

// `isinstance(x, DTensor)` is a part of it, by what the class is called: here, or where it comes from.
static bool asks_for_sharded(const ValueStore& values, const ProjectIndex& index, ValueId condition) {
  const auto name_of = [&](const Value& v) -> std::string_view {
    switch (v.kind) {
      case ValueKind::Class:
        return index.modules()[index.classes()[ClassKey{v.a}].module].text(index.klass(ClassKey{v.a}).name);
      case ValueKind::External:
      case ValueKind::Attribute: return index.names().text(Symbol{v.a});
      case ValueKind::Global:
      case ValueKind::Free: return index.names().text(Symbol{v.b});
      default: return {};
    }
  };
  const auto names_sharded = [&](ValueId part) {
    const std::string_view name = name_of(values[part]);
    return std::ranges::any_of(kSharded, [&](std::string_view sharded) { return name.find(sharded) != name.npos; });
  };
  return values
      .find_part(condition,
                 [&](ValueId part) {
                   return function_of(values, index, part) == "isinstance" &&
                          values.find_part(part, names_sharded).valid();
                 })
      .valid();
}

bool takes_for_sharded(const Query& query, const Choices& choices) {
  const ValueStore& values = query.values();
  return std::ranges::any_of(choices.all(), [&](const auto& chosen) {
    if (!chosen.second) return false;
    // `any(is_sharded(m) for m in models)`: what the generator yields is known by its place only.
    const ValueId unknown = values.find_part(chosen.first, [&](ValueId part) {
      return values[part].kind == ValueKind::Pure && values[part].child_count == 1 &&
             values[values.child(part, 0)].kind == ValueKind::Opaque;
    });
    if (unknown.valid() &&
        ShardingQuestion(query.index()).is_asked_in(query.site(SiteId{values[values.child(unknown, 0)].a}).function))
      return true;
    return asks_for_sharded(values, query.index(), chosen.first);
  });
}

}  // namespace ranklint
