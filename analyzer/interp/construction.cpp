// What a call of a class makes.
#include "analyzer/interp/function_run.h"

namespace ranklint {

// What a constructor that is made of a class's fields puts into them.
std::vector<ValueId> FunctionRun::field_arguments(const Call& call, const std::vector<Field>& fields) {
  std::vector<ValueId> arguments;
  for (size_t i = 0; i < fields.size(); ++i) {
    ValueId value = call.open_ended ? ValueId{} : fields[i].default_value;
    if (i < call.positional.size()) value = call.positional[i];
    for (const auto& [keyword, given] : call.keywords)
      if (keyword == fields[i].name) value = given;
    arguments.push_back(value.valid() ? value : opaque());
  }
  return arguments;
}

// The object that a constructor makes, even where no __init__ is written. Invalid: it is another call.
ValueId FunctionRun::constructed(const Call& call) {
  const Value callee = values_[call.callee];
  const bool is_class = callee.kind == ValueKind::Class;
  if (!is_class && (callee.kind != ValueKind::Parameter || callee.c != 1 || !values_.class_of(call.callee).valid()))
    return {};
  const ClassKey c = is_class ? ClassKey{callee.a} : values_.class_of(call.callee);
  std::vector<ValueId> arguments;
  const FunctionKey init = index_.find_method(c, index_.intern("__init__"));
  if (!init.valid()) arguments = field_arguments(call, in_.fields(c));
  if (init.valid()) {
    const Target target{
        .function = init, .receiver = values_.leaf(ValueKind::Instance, c.index), .captures = {}, .guard = {}};
    arguments = in_.bind(target, call, 0).parameters;
    if (!arguments.empty()) arguments.erase(arguments.begin());
  }
  const ValueId made =
      is_class ? values_.node(ValueKind::Instance, arguments, c.index) : opaque(ValueStore::type_of_class(c));
  note_made(made);
  return made;
}

}  // namespace ranklint
