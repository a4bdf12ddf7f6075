#include "analyzer/summary/watched.h"

#include <algorithm>

#include "analyzer/resolve/model_reader.h"
#include "analyzer/summary/query.h"

namespace ranklint {

bool Watched::wants(const Model& model) const {
  const bool any_kind = names.lower_bound("<") != names.lower_bound("=");
  return any_kind && wants("<" + std::string(word_of(model.kind)) + ">");
}

std::string_view Query::callee_name(ValueId callee) const {
  const Value& value = values_[callee];
  switch (value.kind) {
    case ValueKind::Function:
    case ValueKind::Bound: {
      const FunctionKey f{value.a};
      return index_.modules()[index_.functions()[f].module].text(index_.function(f).name);
    }
    case ValueKind::Class: return class_name(ClassKey{value.a});
    case ValueKind::Guarded: return callee_name(values_.child(callee, 0));
    // `(model.module if wrapped else model).state_dict`
    case ValueKind::Conditional: {
      const std::vector<ValueId> ends = values_.leaves_of(callee);
      const std::string_view name = callee_name(ends.front());
      return std::ranges::all_of(ends, [&](ValueId end) { return callee_name(end) == name; }) ? name
                                                                                              : std::string_view{};
    }
    default: return last_name(callee);
  }
}

std::string Query::callee_path(ValueId callee) const {
  const Value& value = values_[callee];
  switch (value.kind) {
    case ValueKind::Function:
    case ValueKind::Bound: return index_.import_name(FunctionKey{value.a});
    case ValueKind::Class: return index_.import_name(ClassKey{value.a});
    case ValueKind::Guarded: return callee_path(values_.child(callee, 0));
    case ValueKind::External: return std::string(index_.names().text(Symbol{value.a}));
    case ValueKind::Attribute: {
      const ValueId base = values_.child(callee, 0);
      const std::string name(index_.names().text(Symbol{value.a}));
      if (const Symbol type = values_.external_type_of(base); type.valid())
        return std::string(index_.names().text(type)) + "." + name;
      const std::string owner = callee_path(base);
      return owner.empty() ? name : owner + "." + name;
    }
    default: return std::string(callee_name(callee));
  }
}

}  // namespace ranklint
