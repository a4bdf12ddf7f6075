#include "tests/random_programs/program.h"

namespace ranklint::random_programs {
namespace {

size_t size_of(const Condition& c) {
  size_t size = 1;
  for (const Condition& part : c.parts) size += size_of(part);
  return size;
}

bool asks(const Statement& s) { return s.kind == Statement::Kind::If || s.kind == Statement::Kind::Call; }

size_t size_of(const std::vector<Statement>& block) {
  size_t size = 0;
  for (const Statement& s : block)
    size += 1 + (asks(s) ? size_of(s.condition) : 0) + size_of(s.body) + size_of(s.otherwise);
  return size;
}

bool has_local(const Condition& c) {
  if (c.kind == Condition::Kind::Local) return true;
  for (const Condition& part : c.parts)
    if (has_local(part)) return true;
  return false;
}

bool has_local(const std::vector<Statement>& block) {
  for (const Statement& s : block)
    if ((asks(s) && has_local(s.condition)) || has_local(s.body) || has_local(s.otherwise)) return true;
  return false;
}

bool is_message(Statement::Kind kind) {
  return kind == Statement::Kind::Transfer || kind == Statement::Kind::Started || kind == Statement::Kind::Batch;
}

bool has_any(const std::vector<Statement>& block, bool (*wanted)(Statement::Kind)) {
  for (const Statement& s : block)
    if (wanted(s.kind) || has_any(s.body, wanted) || has_any(s.otherwise, wanted)) return true;
  return false;
}

bool has_any(const Program& program, bool (*wanted)(Statement::Kind)) {
  for (const auto& function : program.functions)
    if (has_any(function, wanted)) return true;
  return false;
}

void note_calls(const std::vector<Statement>& block, std::vector<bool>& called) {
  for (const Statement& s : block) {
    if (s.kind == Statement::Kind::Call) called[static_cast<size_t>(s.callee)] = true;
    note_calls(s.body, called);
    note_calls(s.otherwise, called);
  }
}

// The axes that conditions ask for and that groups have, a bit each.
struct Axes {
  unsigned asked = 0, used = 0;
  bool rank_loops = false;
};

void note_axes(const Condition& c, Axes& axes) {
  const bool asks_rank = c.kind >= Condition::Kind::Equals && c.kind <= Condition::Kind::Last;
  if (asks_rank) axes.asked |= 1u << static_cast<unsigned>(c.axis);
  for (const Condition& part : c.parts) note_axes(part, axes);
}

void note_axes(const std::vector<Statement>& block, Axes& axes) {
  for (const Statement& s : block) {
    if (asks(s)) note_axes(s.condition, axes);
    const bool names_group = s.kind == Statement::Kind::Collective || s.kind == Statement::Kind::Call;
    if (names_group && s.axis != Axis::Handed) axes.used |= 1u << static_cast<unsigned>(s.axis);
    const bool by_rank = s.kind == Statement::Kind::Repeat && s.times == Statement::Times::Rank;
    if (by_rank) axes.asked |= 1u << static_cast<unsigned>(s.axis);
    axes.rank_loops = axes.rank_loops || by_rank;
    note_axes(s.body, axes);
    note_axes(s.otherwise, axes);
  }
}

}  // namespace

bool leaves(Statement::Kind kind) {
  return kind == Statement::Kind::Return || kind == Statement::Kind::Break || kind == Statement::Kind::Continue ||
         kind == Statement::Kind::Raise;
}

size_t size_of(const Program& program) {
  size_t size = program.functions.size();
  for (const auto& function : program.functions) size += size_of(function);
  return size;
}

bool has_local(const Program& program) {
  for (const auto& function : program.functions)
    if (has_local(function)) return true;
  return false;
}

bool has_messages(const Program& program) { return has_any(program, is_message); }

namespace {

bool asks_flag(const Condition& c) {
  if (c.kind == Condition::Kind::Flag || c.kind == Condition::Kind::Parameter) return true;
  for (const Condition& part : c.parts)
    if (asks_flag(part)) return true;
  return false;
}

// Which ends of messages a block has, calls included: 1 sends, 2 receives.
unsigned ends_in(const Program& program, const std::vector<Statement>& block) {
  unsigned ends = 0;
  for (const Statement& s : block) {
    if (s.kind == Statement::Kind::Transfer || s.kind == Statement::Kind::Started) ends |= s.sends ? 1u : 2u;
    if (s.kind == Statement::Kind::Batch) ends |= 3u;
    if (s.kind == Statement::Kind::Call) ends |= ends_in(program, program.functions[static_cast<size_t>(s.callee)]);
    ends |= ends_in(program, s.body) | ends_in(program, s.otherwise);
  }
  return ends;
}

bool leaves_early(const std::vector<Statement>& block) {
  return has_any(block, [](Statement::Kind kind) { return leaves(kind); });
}

bool flags_split_messages(const Program& program, const std::vector<Statement>& block) {
  for (const Statement& s : block) {
    const unsigned yes = ends_in(program, s.body), no = ends_in(program, s.otherwise);
    if (s.kind == Statement::Kind::If && asks_flag(s.condition) &&
        (yes == 1 || yes == 2 || no == 1 || no == 2 || (yes && no) || leaves_early(s.body) ||
         leaves_early(s.otherwise)))
      return true;
    if (s.kind == Statement::Kind::Repeat && s.times == Statement::Times::Unknown && (yes == 1 || yes == 2))
      return true;
    if (flags_split_messages(program, s.body) || flags_split_messages(program, s.otherwise)) return true;
  }
  return false;
}

bool flags_split_messages(const Program& program) {
  for (const auto& function : program.functions)
    if (flags_split_messages(program, function)) return true;
  return false;
}

}  // namespace

static Axes axes_of(const Program& program) {
  Axes axes;
  for (const auto& function : program.functions) note_axes(function, axes);
  return axes;
}

bool names_axes(const Program& program) {
  const Axes axes = axes_of(program);
  return ((axes.asked | axes.used) & ~1u) != 0;
}

bool in_exact_domain(const Program& program) {
  if (has_local(program)) return false;
  const bool messages = has_messages(program);
  if (messages && has_any(program, [](Statement::Kind kind) {
        return kind == Statement::Kind::Try || kind == Statement::Kind::Raise;
      }))
    return false;
  if (messages && (names_axes(program) || flags_split_messages(program) || ends_in(program, program.functions[0]) != 3))
    return false;
  const Axes axes = axes_of(program);
  const bool one_axis = (axes.asked & (axes.asked - 1)) == 0;
  return one_axis && !axes.rank_loops && (axes.asked != 1 || (axes.used & ~1u) == 0);
}

void drop_uncalled(Program& program) {
  std::vector<bool> called(program.functions.size());
  called[0] = true;
  for (size_t f = 0; f < program.functions.size(); ++f) {
    if (called[f])
      note_calls(program.functions[f], called);
    else
      program.functions[f].clear();
  }
}

}  // namespace ranklint::random_programs
