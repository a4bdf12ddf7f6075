#include "analyzer/doubts/term_words.h"

namespace ranklint {

std::string_view word_of(const ValueStore& values, const ProjectIndex& index, ValueId v) {
  const Value& value = values[v];
  switch (value.kind) {
    case ValueKind::Text:
    case ValueKind::External:
    case ValueKind::Attribute:
    case ValueKind::Pure: return index.names().text(Symbol{value.a});
    case ValueKind::Global:
    case ValueKind::Free: return index.names().text(Symbol{value.b});
    case ValueKind::LoopPhi: return index.names().text(values.place(PlaceId{value.c}).name);
    case ValueKind::Class:
    case ValueKind::Instance: {
      const ClassKey c{value.a};
      return index.modules()[index.classes()[c].module].text(index.klass(c).name);
    }
    case ValueKind::Function:
    case ValueKind::Bound: return index.qualified_name(FunctionKey{value.a});
    case ValueKind::Parameter: {
      const FunctionKey f{value.a};
      const auto& parameters = index.function(f).parameters;
      return value.b < parameters.size() ? index.modules()[index.functions()[f].module].text(parameters[value.b].name)
                                         : std::string_view();
    }
    default: return {};
  }
}

}  // namespace ranklint
