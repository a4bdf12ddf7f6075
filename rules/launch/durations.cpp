#include "rules/launch/durations.h"

#include <charconv>

namespace ranklint {
std::optional<double> seconds_noted(const RoleEntry& entry) {
  double seconds = 0;
  const char* const end = entry.note.data() + entry.note.size();
  return std::from_chars(entry.note.data(), end, seconds).ptr == end ? std::optional(seconds) : std::nullopt;
}

// What a file gives the variable, where functions give it nothing.
static ValueId given_to_global(const Query& in, ModuleKey module, Symbol name) {
  const Summary* top = in.summary(in.index().key(module, ir::FunctionId{0}));
  if (!top || !in.program().global_assignments(module, name).empty()) return {};
  return top->at_end(name);
}

// What a parameter holds where a caller gives nothing, if the module has a name for it: `timeout=DEFAULT_TIMEOUT`.
static ValueId default_of(const Query& in, FunctionKey f, uint32_t parameter) {
  const ir::Function& function = in.index().function(f);
  const ir::ExprId given =
      parameter < function.parameters.size() ? function.parameters[parameter].default_value : ir::ExprId{};
  if (!given.valid()) return {};
  const Entity named = in.index().resolve(in.index().functions()[f].module, function, given);
  return named.kind == Entity::Kind::Variable ? given_to_global(in, named.module, named.name) : ValueId{};
}

std::optional<double> seconds_of(const Query& in, ValueId duration) {
  const Value value = in.values()[duration];
  if (value.kind == ValueKind::Parameter) {
    const ValueId given = default_of(in, FunctionKey{value.a}, value.b);
    const bool is_known = given.valid() && in.values()[given].kind != ValueKind::Parameter;
    return is_known ? seconds_of(in, given) : std::nullopt;
  }
  if (value.kind == ValueKind::Global) {
    const ValueId given = given_to_global(in, ModuleKey{value.a}, Symbol{value.b});
    const bool is_another = given.valid() && in.values()[given].kind != ValueKind::Global;
    return is_another ? seconds_of(in, given) : std::nullopt;
  }
  const Site* site = in.made_at(duration);
  if (!site || value.kind != ValueKind::Opaque) return std::nullopt;
  const auto made = in.watched().calls.find({site->function, site->block, site->instruction});
  if (made == in.watched().calls.end()) return std::nullopt;
  const Call& call = made->second.call;
  size_t known = 0;
  double seconds = 0;
  for (const RoleEntry* unit : in.roles().all(in.callee_path(call.callee), Role::MakesDuration)) {
    const ValueId given = in.argument(call, unit->argument);
    const std::optional<double> of_unit = seconds_noted(*unit);
    double number = 0;
    if (!of_unit || !given.valid() || !in.values().number_of(given, number)) continue;
    seconds += number * *of_unit;
    ++known;
  }
  const bool is_all = known > 0 && known == call.positional.size() + call.keywords.size() && !call.open_ended;
  return is_all ? std::optional(seconds) : std::nullopt;
}

std::optional<double> seconds_given_to(const Query& in, const WatchedCall& call) {
  const RoleEntry* role = in.roles().find(in.callee_path(call.call.callee), Role::TakesTimeout);
  if (!role && call.model) role = in.roles().find(call.model->name, Role::TakesTimeout);
  const ValueId given = role ? in.argument(call.call, role->argument) : ValueId{};
  return given.valid() ? seconds_of(in, given) : std::nullopt;
}

}  // namespace ranklint
