// Types of parameters and of elements of lists that no value shows:
//
//     class Trainer:
//       def __init__(self, dist, hooks: list[Hook]):    # Trainer(Dist(), ...) says what `dist` is
//         self.hooks = hooks
//       def train(self):
//         for hook in self.hooks: hook.before()         # a Hook
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// Functions outside of an overlay pass their arguments to the function that its own stands for.
uint32_t Query::stated_by_callers(AskHanded asked, FunctionKey f, uint32_t parameter) const {
  if (const uint32_t type = (program_.handed().*asked)(f, parameter)) return type;
  const FunctionKey original = program_.original_of(f);
  return original == f ? 0 : (program_.handed().*asked)(original, parameter);
}

uint32_t Query::handed_type(FunctionKey f, uint32_t parameter) const {
  return stated_by_callers(&HandedTypes::type_of, f, parameter);
}

uint32_t Query::element_type(ValueId list) const {
  const Value value = values_[list];
  switch (value.kind) {
    case ValueKind::Tuple: {
      ClassKey all;
      for (ValueId part : values_.children(list)) {
        const ClassKey c = values_.class_of(part);
        if (!c.valid()) return 0;
        all = all.valid() ? common_class(index_, all, c) : c;
        if (!all.valid()) return 0;
      }
      return all.valid() ? ValueStore::type_of_class(all) : 0;
    }
    case ValueKind::Parameter: {
      const FunctionKey f{value.a};
      const ir::Function& function = index_.function(f);
      if (value.b >= function.parameters.size()) return 0;
      const ir::ExprId annotation = function.parameters[value.b].annotation;
      if (annotation.valid()) return element_annotation_type(index_.functions()[f].module, function, annotation);
      return stated_by_callers(&HandedTypes::element_type_of, f, value.b);
    }
    case ValueKind::Attribute: {
      const ClassKey c = values_.class_of(values_.child(list, 0));
      if (!c.valid()) return 0;
      const Symbol name{value.a};
      for (ClassKey k : index_.linearization(c)) {
        for (const auto& [f, annotation] : program_.annotations(k, name))
          if (const uint32_t type =
                  element_annotation_type(index_.functions()[f].module, index_.function(f), annotation))
            return type;
        const auto& attributes = index_.classes()[k].attributes;
        const auto sites = attributes.find(name);
        // What the constructor was given, where no other code writes it.
        if (sites == attributes.end() || sites->second.size() != 1) continue;
        const AttributeSite& site = sites->second.front();
        const Summary* setter = summary(site.function);
        const ValueId set = setter ? setter->given_to(name, site) : ValueId{};
        if (!set.valid() || values_[set].kind == ValueKind::Attribute) continue;
        if (const uint32_t type = element_type(set)) return type;
      }
      return 0;
    }
    default: return 0;
  }
}

// `list[Hook]`, `Optional[Sequence["Hook"]]`, `tuple[Hook, ...]`
uint32_t Query::element_annotation_type(ModuleKey module, const ir::Function& f, ir::ExprId annotation) const {
  const ir::Expr& e = f.exprs[annotation];
  if (e.kind == ir::ExprKind::Binary) {
    for (ir::ExprId part : ir::children(f, annotation))
      if (const uint32_t type = element_annotation_type(module, f, part)) return type;
    return 0;
  }
  if (e.kind != ir::ExprKind::Subscript) return 0;
  const std::string whole = index_.dotted(module, f, ir::children(f, annotation)[0]);
  const ir::ExprId inner = ir::children(f, annotation)[1];
  if (is_builtin(last_part(whole), Builtin::Optional)) return element_annotation_type(module, f, inner);
  const bool is_tuple = roles().play(last_part(whole), Role::TupleType);
  if (!is_tuple && !roles().play(last_part(whole), Role::SequenceType)) return 0;
  if (f.exprs[inner].kind != ir::ExprKind::Tuple) return annotation_type(module, f, inner);
  const auto parts = ir::children(f, inner);
  const bool of_any_length = is_tuple && parts.size() == 2 && f.exprs[parts[1]].kind == ir::ExprKind::Ellipsis;
  return of_any_length ? annotation_type(module, f, parts[0]) : 0;
}

}  // namespace ranklint
