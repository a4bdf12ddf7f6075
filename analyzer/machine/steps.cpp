// Steps that compute: what they take from the stack and give to it, and what they do to memory.
#include "analyzer/machine/steps.h"

namespace ranklint::machine {

namespace {

ObjectId text_object(Machine& m, uint32_t index) {
  if (m.texts.size() < m.program->texts.size()) m.texts.resize(m.program->texts.size());
  ObjectId& id = m.texts[index];
  if (id) return id;
  const std::string& text = m.program->texts[index];
  id = make_object(m, Object::Life::Text, text.size() + 1, Scalar::I8);
  for (size_t i = 0; i <= text.size(); ++i)
    store(m.objects[id], static_cast<int64_t>(i), 1, integer(i < text.size() ? static_cast<int8_t>(text[i]) : 0));
  return id;
}

ObjectId global_object(Machine& m, uint32_t index) {
  ObjectId& id = m.globals[index];
  if (id) return id;
  const Variable& v = m.program->globals[index];
  if (!v.size_bytes) return id = named_object(m, v.name);
  id = make_object(m, Object::Life::Global, v.size_bytes, v.element);
  m.objects[id].zeroed = true;
  m.objects[id].name = v.place;
  return id;
}

Value moved(Machine& m, const Value& address, const Value& by, int64_t unit) {
  // `argv[2]`: at an unknown address, but all ranks look at the same place.
  if (address.kind == Value::Kind::Unknown && !address.varies)
    return binary(m, Arithmetic::Add, Scalar::U64, address, by.known() ? integer(by.number * unit) : by);
  if (address.kind == Value::Kind::Int)
    return pointer(0, address.number + (by.kind == Value::Kind::Int ? by.number * unit : 0));
  if (address.kind != Value::Kind::Pointer || by.kind != Value::Kind::Int) return unknown();
  return pointer(address.object, address.number + by.number * unit);
}

void copy_record(Machine& m, int64_t bytes) {
  const Value from = pop(m), to = pop(m);
  push(m, to);
  touch(m, from, bytes, false);
  touch(m, to, bytes, true);
  if (!to.points()) return;
  if (from.points() && m.shadows.empty())
    copy(m.at(to.object), to.number, m.at(from.object), from.number, bytes);
  else
    forget(m.at(to.object), to.number, bytes);
}

void add_to(Machine& m, const Step& step) {
  const Value address = pop(m);
  const uint32_t bytes = size_bytes(step.scalar);
  const Value old = load(m, address, bytes);
  const Value next = step.scalar == Scalar::Pointer
                         ? moved(m, old, integer(step.number), 1)
                         : binary(m, Arithmetic::Add, step.scalar, old,
                                  is_real(step.scalar) ? real(static_cast<double>(step.number)) : integer(step.number));
  store(m, address, bytes, next);
  push(m, step.detail ? old : next);
}

void begin_life(Machine& m, const Step& step) {
  const ObjectId id = m.frames.back().first_object + static_cast<uint32_t>(step.number);
  Object& object = m.at(id);
  if (step.kind == StepKind::Extent) {
    const Value size = pop(m);
    object.size_known = size.kind == Value::Kind::Int;
    object.size_bytes = object.size_known ? static_cast<uint64_t>(size.number) : 0;
  }
  object.dense.clear();
  object.sparse.clear();
  object.zeroed = object.clouded = false;
}

// A constant, or the address of what has a name.
Value given_by(Machine& m, const Step& step) {
  switch (step.kind) {
    case StepKind::Int: return integer(step.number);
    case StepKind::Real: return {.kind = Value::Kind::Real, .varies = false, .number = step.number};
    case StepKind::Null: return pointer(0);
    case StepKind::Text: return pointer(text_object(m, static_cast<uint32_t>(step.number)));
    case StepKind::FunctionAddress: return {.kind = Value::Kind::Function, .varies = false, .number = step.number};
    case StepKind::ExternalAddress: return {.kind = Value::Kind::External, .varies = false, .number = step.number};
    case StepKind::Local: return pointer(m.frames.back().first_object + static_cast<uint32_t>(step.number));
    case StepKind::Global: return pointer(global_object(m, static_cast<uint32_t>(step.number)));
    default: return unknown();
  }
}

}  // namespace

Value pop(Machine& m) {
  if (m.stack.empty()) {
    lose(m, "a value that was never computed");
    return unknown();
  }
  const Value v = m.stack.back();
  m.stack.pop_back();
  return v;
}

void push(Machine& m, Value v) { m.stack.push_back(v); }

void take_simple(Machine& m, const Step& step) {
  switch (step.kind) {
    case StepKind::Int:
    case StepKind::Real:
    case StepKind::Null:
    case StepKind::Text:
    case StepKind::FunctionAddress:
    case StepKind::ExternalAddress:
    case StepKind::Local:
    case StepKind::Global: push(m, given_by(m, step)); break;
    case StepKind::Load: push(m, load(m, pop(m), size_bytes(step.scalar))); break;
    case StepKind::Store: {
      const Value v = pop(m);
      store(m, pop(m), size_bytes(step.scalar), v);
      push(m, v);
      break;
    }
    case StepKind::CopyRecord: copy_record(m, step.number); break;
    case StepKind::Zero: {
      const Value at = pop(m);
      if (at.points()) zero(m.at(at.object), at.number, step.number);
      break;
    }
    case StepKind::Offset: push(m, moved(m, pop(m), integer(step.number), 1)); break;
    case StepKind::Index: {
      const Value by = pop(m);
      push(m, moved(m, pop(m), by, step.number));
      break;
    }
    case StepKind::Distance: {
      const Value b = pop(m), a = pop(m);
      const Value bytes = binary(m, Arithmetic::Subtract, Scalar::I64, a, b);
      push(m, step.number ? binary(m, Arithmetic::Divide, Scalar::I64, bytes, integer(step.number)) : unknown());
      break;
    }
    case StepKind::Binary: {
      const Value b = pop(m), a = pop(m);
      push(m, binary(m, static_cast<Arithmetic>(step.detail), step.scalar, a, b));
      break;
    }
    case StepKind::Unary: push(m, unary(m, static_cast<Arithmetic>(step.detail), step.scalar, pop(m))); break;
    case StepKind::Convert: push(m, convert(pop(m), step.scalar)); break;
    case StepKind::Add: add_to(m, step); break;
    case StepKind::Pop: pop(m); break;
    case StepKind::Duplicate: {
      const Value v = pop(m);
      push(m, v);
      push(m, v);
      break;
    }
    case StepKind::Fresh:
    case StepKind::Extent: begin_life(m, step); break;
    case StepKind::Region: m.regions.push_back(static_cast<Region>(step.detail)); break;
    case StepKind::EndRegion: m.regions.pop_back(); break;
    case StepKind::Element:
      if (const Value& at = m.stack.back(); at.points()) set_element(m.at(at.object), step.scalar);
      break;
    default: lose(m, m.program->texts[static_cast<size_t>(step.number)]); break;
  }
  ++m.frames.back().pc;
}

}  // namespace ranklint::machine
