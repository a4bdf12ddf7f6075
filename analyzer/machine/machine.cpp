#include "analyzer/machine/machine.h"

#include <algorithm>

#include "analyzer/machine/steps.h"

namespace ranklint::machine {

namespace {

constexpr size_t kMostObjects = 400000;
constexpr size_t kDeepestCall = 400;
constexpr uint32_t kUndecidedTurns = 3;  // of a loop whose end is unknown
constexpr uint32_t kMostTurns = 12;      // where it was decided elsewhere that it goes on

void enter(Machine& m, uint32_t function, std::span<const Value> arguments) {
  const Function& f = m.program->functions[function];
  if (m.frames.size() >= kDeepestCall) return lose(m, "calls nest too deep");
  Frame frame{.function = function,
              .first_object = static_cast<uint32_t>(m.objects.size()),
              .stack_base = static_cast<uint32_t>(m.stack.size())};
  for (const Variable& v : f.variables) {
    const ObjectId id = make_object(m, Object::Life::Local, v.size_bytes, v.element);
    m.objects[id].name = v.place;
  }
  if (m.state == Machine::State::Lost) return;
  for (uint32_t i = 0; i < f.parameter_count && i < arguments.size(); ++i) {
    const Variable& v = f.variables[i];
    Object& object = m.objects[frame.first_object + i];
    if (v.element != Scalar::None)
      store(object, 0, size_bytes(v.element), arguments[i]);
    else if (arguments[i].points())
      copy(object, 0, m.at(arguments[i].object), arguments[i].number, static_cast<int64_t>(v.size_bytes));
  }
  m.entered[function] = true;
  m.frames.push_back(frame);
}

// The variables of a function are gone when it returns: operations that hold a part of them are notified.
void end_lives(Machine& m, const Frame& frame) {
  const bool is_heard = m.shadows.empty() && m.host->accessed && m.frames.size() > 1;
  const auto count = static_cast<uint32_t>(m.program->functions[frame.function].variables.size());
  for (ObjectId id = frame.first_object; id < frame.first_object + count; ++id) {
    if (is_heard && m.objects[id].watches)
      m.host->accessed(m, {.object = id,
                           .offset = 0,
                           .size_bytes = static_cast<int64_t>(m.objects[id].size_bytes),
                           .is_write = true,
                           .ends_life = true});
    m.objects[id].freed = true;
  }
}

void leave(Machine& m, std::optional<Value> result) {
  const Frame frame = m.frames.back();
  // A side that leaves the function takes what was to come with it.
  if (!m.shadows.empty() && m.shadows.back().frame + 1 == m.frames.size())
    return lose(m, "a return that only some ranks reach");
  end_lives(m, frame);
  m.frames.pop_back();
  m.stack.resize(frame.stack_base);
  if (m.frames.empty()) {
    m.state = Machine::State::Ended;
    m.result = result.value_or(integer(0));
    return;
  }
  push(m, result ? *result : Value{});
}

// One side of a branch in the shadow has come to its end: walk the other, or go on after both.
void turn_shadow(Machine& m) {
  Frame& frame = m.frames.back();
  while (!m.shadows.empty()) {
    Shadow& s = m.shadows.back();
    if (s.frame + 1 != m.frames.size()) return;
    const bool at_end = frame.pc == s.join || (!s.on_other && frame.pc == s.other);
    if (!at_end) return;
    const bool has_value = m.stack.size() > s.stack_size;
    m.stack.resize(s.stack_size);
    if (!s.on_other && s.other != s.join) {
      s.on_other = true;
      frame.pc = s.other;
      continue;
    }
    frame.pc = s.join;
    m.shadows.pop_back();
    if (has_value) push(m, unknown());
  }
}

// A side that ends the job never meets the other one again.
bool drop_shadow_side(Machine& m) {
  if (m.shadows.empty()) return false;
  const Shadow s = m.shadows.back();
  m.frames.resize(s.frame + 1);
  m.stack.resize(s.stack_size);
  m.shadows.pop_back();
  m.frames.back().pc = s.on_other ? s.join : s.other;
  return true;
}

bool is_shared(const Machine& m, const Value& v) {
  return v.kind == Value::Kind::Unknown && !v.varies && m.host->decide && m.shadows.empty();
}

bool decided(Machine& m, const Value& v, bool in_loop) {
  const Value t = m.host->symbol ? truth_of_shared(m, v) : v;
  return m.host->decide(m, t.object, in_loop) != (t.number == 3);
}

// One more round of a loop with an unknown number of them: whether that is enough.
bool ends_loop(Machine& m, uint64_t loop, const Value& condition) {
  const uint32_t turns = ++m.loop_turns[loop];
  if (turns <= kUndecidedTurns) return false;
  const Value t = m.host->symbol ? truth_of_shared(m, condition) : condition;
  if (!m.host->settle || m.host->settle(t.object, t.number == 3)) return true;
  if (turns > kMostTurns) lose(m, "a loop whose end is not known");
  return false;
}

void branch_unknown(Machine& m, const Step& step, const Value& condition) {
  Frame& frame = m.frames.back();
  const uint32_t target = target_of(step.number), join = join_of(step.number);
  if (is_shared(m, condition)) {
    const uint64_t key = static_cast<uint64_t>(frame.function) << 32 | frame.pc;
    const bool is_enough = step.detail && ends_loop(m, key, condition);
    const bool goes_on = !is_enough && decided(m, condition, step.detail != 0);
    if (!goes_on) m.loop_turns.erase(key);
    frame.pc = goes_on ? frame.pc + 1 : target;
    return;
  }
  if (!join) return lose(m, "a jump that only some ranks take");
  if (!m.shadows.empty() && m.shadows.back().branch == frame.pc && m.shadows.back().frame + 1 == m.frames.size()) {
    frame.pc = target;  // once around the loop
    return;
  }
  m.shadows.push_back({.frame = static_cast<uint32_t>(m.frames.size() - 1),
                       .branch = frame.pc,
                       .other = target,
                       .join = join,
                       .stack_size = static_cast<uint32_t>(m.stack.size())});
  frame.pc += 1;
}

void branch(Machine& m, const Step& step) {
  const Value condition = pop(m);
  if (auto t = truth(condition))
    m.frames.back().pc = *t ? m.frames.back().pc + 1 : target_of(step.number);
  else
    branch_unknown(m, step, condition);
}

// `a && b` with an unknown a: b is left out, and the whole is as unknown as a.
void short_circuit(Machine& m, const Step& step) {
  const Value a = pop(m);
  const bool ends_on = step.kind == StepKind::OrElse;
  auto t = truth(a);
  if (!t && is_shared(m, a)) t = decided(m, a, false);
  if (t && *t != ends_on) {
    ++m.frames.back().pc;
    return;
  }
  if (t)
    push(m, integer(ends_on));
  else
    push(m, binary(m, Arithmetic::Xor, Scalar::U64, a, integer(static_cast<int64_t>(m.place()) << 8 | 1)));
  m.frames.back().pc = target_of(step.number);
}

void take_result(Machine& m, const CallResult& result) {
  switch (result.kind) {
    case CallResult::Kind::Value:
      push(m, result.value);
      ++m.frames.back().pc;
      return;
    case CallResult::Kind::Blocked: m.state = Machine::State::Waiting; return;
    case CallResult::Kind::Ended:
      if (!drop_shadow_side(m)) m.state = Machine::State::Ended;
      return;
    case CallResult::Kind::Lost: m.state = Machine::State::Lost; return;
  }
}

// Functions that may be called on one side of a branch that unknown ranks take: they end the job, or only return facts.
bool is_harmless(const std::string& name) {
  return name == "MPI_Abort" || name == "MPI_Wtime" || name == "MPI_Wtick" || name == "MPI_Error_string" ||
         name == "MPI_Error_class";
}

void call_external(Machine& m, uint32_t index, std::span<const Value> arguments) {
  const std::string& name = m.program->externals[index];
  if (m.host->calls) m.host->calls(m, name, arguments);
  if (auto result = call_library(m, name, arguments)) return take_result(m, *result);
  if (!m.shadows.empty() && !is_harmless(name) && (name.starts_with("MPI_") || !m.program->is_library[index]))
    return lose(m, "`" + name + "` where ranks may differ");
  take_result(m, m.host->call(m, name, arguments));
}

void call(Machine& m, const Step& step) {
  std::vector<Value> arguments(step.detail);
  for (size_t i = step.detail; i-- > 0;) arguments[i] = pop(m);
  if (step.kind == StepKind::CallExternal) return call_external(m, static_cast<uint32_t>(step.number), arguments);
  if (step.kind == StepKind::Call) {
    enter(m, static_cast<uint32_t>(step.number), arguments);
    return;
  }
  const Value callee = pop(m);
  if (callee.kind == Value::Kind::Function)
    enter(m, static_cast<uint32_t>(callee.number), arguments);
  else if (callee.kind == Value::Kind::External)
    call_external(m, static_cast<uint32_t>(callee.number), arguments);
  else
    lose(m, "a call through an unknown pointer");
}

void give_back(Machine& m, const Step& step) {
  if (step.kind == StepKind::ReturnNothing) {
    leave(m, std::nullopt);
  } else {
    Value v = pop(m);
    if (step.detail && v.points()) {
      const ObjectId id = make_object(m, Object::Life::Local, static_cast<uint64_t>(step.number), Scalar::None);
      copy(m.objects[id], 0, m.at(v.object), v.number, step.number);
      v = pointer(id);
    }
    leave(m, v);
  }
  if (m.state == Machine::State::Running && !m.frames.empty()) ++m.frames.back().pc;
}

void take(Machine& m, const Step& step) {
  switch (step.kind) {
    case StepKind::Jump: m.frames.back().pc = target_of(step.number); return;
    case StepKind::Branch: return branch(m, step);
    case StepKind::AndElse:
    case StepKind::OrElse: return short_circuit(m, step);
    case StepKind::Call:
    case StepKind::CallPointer:
    case StepKind::CallExternal: return call(m, step);
    case StepKind::Return:
    case StepKind::ReturnNothing: return give_back(m, step);
    default: return take_simple(m, step);
  }
}

// While it has more frames than these.
void run_above(Machine& m, size_t frames, uint64_t limit) {
  while (m.state == Machine::State::Running && m.frames.size() > frames) {
    if (m.steps >= limit) return lose(m, "the program takes too many steps");
    ++m.steps;
    if (!m.shadows.empty()) turn_shadow(m);
    const auto& steps = m.program->functions[m.frames.back().function].steps;
    if (m.frames.back().pc >= steps.size()) return lose(m, "a function without an end");
    take(m, steps[m.frames.back().pc]);
  }
}

}  // namespace

uint32_t Machine::place() const { return frames.empty() ? 0 : step().place; }

const Value& Machine::shadowed(const Value& v) const {
  static const Value kUnknown = unknown();
  return shadows.empty() ? v : kUnknown;
}

void lose(Machine& m, std::string why) {
  if (m.state == Machine::State::Lost) return;
  m.state = Machine::State::Lost;
  m.lost_because = std::move(why);
}

ObjectId make_object(Machine& m, Object::Life life, uint64_t bytes, Scalar element) {
  if (m.objects.size() >= kMostObjects) lose(m, "too much memory");
  Object object;
  object.life = life;
  object.size_bytes = bytes;
  object.element = element;
  m.objects.push_back(std::move(object));
  return static_cast<ObjectId>(m.objects.size() - 1);
}

ObjectId named_object(Machine& m, const std::string& name) {
  auto [it, is_new] = m.named.try_emplace(name, 0);
  if (is_new) {
    it->second = make_object(m, Object::Life::Global, 0, Scalar::None);
    m.objects[it->second].size_known = false;
  }
  return it->second;
}

void touch(Machine& m, Value address, int64_t bytes, bool is_write) {
  if (!address.points() || address.object >= m.objects.size()) return;
  if (m.objects[address.object].watches && m.shadows.empty() && m.host->accessed)
    m.host->accessed(m,
                     {.object = address.object, .offset = address.number, .size_bytes = bytes, .is_write = is_write});
}

Value load(Machine& m, Value address, uint32_t bytes) {
  if (!address.points()) return address.known() || address.varies ? unknown() : address;
  touch(m, address, bytes, false);
  return load(m.at(address.object), address.number, bytes);
}

void store(Machine& m, Value address, uint32_t bytes, Value value) {
  if (!address.points()) return;
  touch(m, address, bytes, true);
  // A pointer means something to its own machine alone.
  const bool is_foreign = m.objects[address.object].stands_for && value.points();
  store(m.at(address.object), address.number, bytes, is_foreign ? unknown() : m.shadowed(value));
}

void start(Machine& m, const Program& program, const Host& host, uint32_t rank) {
  m.program = &program;
  m.host = &host;
  m.rank = rank;
  m.globals.assign(program.globals.size(), 0);
  m.entered.assign(program.functions.size(), false);
  std::vector<Value> arguments;
  if (program.main_parameters > 0) arguments.push_back(host.symbol ? shared_unknown(host.symbol(1, 0, 0)) : unknown());
  if (program.main_parameters > 1) arguments.push_back(host.symbol ? shared_unknown(host.symbol(1, 1, 0)) : unknown());
  enter(m, program.main, arguments);
  enter(m, 0, {});
  // The globals' function returns into the first step of main.
  if (m.frames.size() == 2) m.frames.front().pc = static_cast<uint32_t>(-1);
}

void run(Machine& m, uint64_t limit) { run_above(m, 0, limit); }

std::optional<Value> call_back(Machine& m, uint32_t function, std::span<const Value> arguments, uint64_t limit) {
  if (m.frames.empty()) {
    lose(m, "a function that is called when the program has ended");
    return std::nullopt;
  }
  const Machine::State before = m.state;
  const size_t frames = m.frames.size();
  const uint32_t pc = m.frames.back().pc;
  m.state = Machine::State::Running;
  enter(m, function, arguments);
  run_above(m, frames, limit);
  if (m.state != Machine::State::Running) {
    lose(m, "a function that the outside calls does not return");
    return std::nullopt;
  }
  m.frames.back().pc = pc;  // the caller goes on when the outside does
  m.state = before;
  return pop(m);
}

void resume(Machine& m, Value result) {
  m.state = Machine::State::Running;
  push(m, result);
  ++m.frames.back().pc;
}

}  // namespace ranklint::machine
