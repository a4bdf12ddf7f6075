// A run is two steps. First each rank alone: it communicates or it does not, whatever the others do, since nothing in
// these programs depends on what is received; so its steps are a list. Then the lists against each other: a collective
// is over when all members of its group stand at the same one. What is left when nothing moves waits for ever.
#include "tests/random_programs/execute.h"

#include <algorithm>
#include <array>

namespace ranklint::random_programs {
namespace {

constexpr size_t kMostSteps = 200;
constexpr uint32_t kMostLooks = 2;  // of one rank, at what it sees alone; later looks see nothing

struct Coordinates {
  int rank = 0, tp = 0, dp = 0, outer = 0;
};

Coordinates coordinates(const Mesh& mesh, int rank) {
  const int fast = mesh.tp_is_fastest ? mesh.tp : mesh.dp;
  const int slow = mesh.tp_is_fastest ? mesh.dp : mesh.tp;
  const int a = rank % fast, b = rank / fast % slow;
  return {rank, mesh.tp_is_fastest ? a : b, mesh.tp_is_fastest ? b : a, rank / (fast * slow)};
}

int size_along(const Mesh& mesh, Axis axis) { return axis == Axis::World ? mesh.size() : axis == Axis::Tp ? mesh.tp : mesh.dp; }

bool share_group(const Mesh& mesh, Axis axis, int x, int y) {
  if (axis == Axis::World) return true;
  const Coordinates a = coordinates(mesh, x), b = coordinates(mesh, y);
  return a.outer == b.outer && (axis == Axis::Tp ? a.dp == b.dp : a.tp == b.tp);
}

// What a caller gives to a function.
struct Given {
  bool parameter = false;
  Axis group = Axis::World;

  Axis resolved(Axis axis) const { return axis == Axis::Handed ? group : axis; }
};

struct Issued {
  Axis axis;
  Op op;
};

// One rank through the program.
class Rank {
 public:
  Rank(const Program& program, const Hang& choices, int rank)
      : program_(program), choices_(choices), at_(coordinates(choices.mesh, rank)), sees_(choices.local.empty() ? 0 : choices.local[static_cast<size_t>(rank)]) {}

  std::vector<Issued> run() {
    failed_ = block(program_.functions[choices_.start], {choices_.parameter, choices_.group}) == Way::Raise;
    return std::move(issued_);
  }
  bool failed() const { return failed_; }
  uint32_t looks() const { return looks_; }

 private:
  enum class Way : uint8_t { On, Return, Break, Continue, Raise };

  Way block(const std::vector<Statement>& statements, const Given& given) {
    for (const Statement& s : statements) {
      if (issued_.size() >= kMostSteps) return Way::Return;
      if (const Way way = statement(s, given); way != Way::On) return way;
    }
    return Way::On;
  }

  Way statement(const Statement& s, const Given& given) {
    switch (s.kind) {
      case Statement::Kind::Collective: issued_.push_back({given.resolved(s.axis), s.op}); return Way::On;
      case Statement::Kind::If: return block(holds(s.condition, given) ? s.body : s.otherwise, given);
      case Statement::Kind::Repeat: return repeat(s, given);
      case Statement::Kind::Return: return Way::Return;
      case Statement::Kind::Break: return Way::Break;
      case Statement::Kind::Continue: return Way::Continue;
      case Statement::Kind::Raise: return Way::Raise;
      case Statement::Kind::Try: {
        const Way way = block(s.body, given);
        return way == Way::Raise ? block(s.otherwise, given) : way;
      }
      case Statement::Kind::Call: {
        const bool handed = holds(s.condition, given);
        const Way way = block(program_.functions[static_cast<size_t>(s.callee)], {handed, given.resolved(s.axis)});
        return way == Way::Raise ? way : Way::On;
      }
    }
    return Way::On;
  }

  Way repeat(const Statement& s, const Given& given) {
    const int rounds = s.times == Statement::Times::Unknown ? choices_.rounds : s.times == Statement::Times::Two ? 2 : along(s.axis);
    for (int round = 0; round < rounds; ++round) {
      const Way way = block(s.body, given);
      if (way == Way::Return || way == Way::Raise) return way;
      if (way == Way::Break) break;
    }
    return Way::On;
  }

  int along(Axis axis) const { return axis == Axis::World ? at_.rank : axis == Axis::Tp ? at_.tp : at_.dp; }

  bool holds(const Condition& c, const Given& given) {
    switch (c.kind) {
      case Condition::Kind::Flag: return choices_.flags[c.number];
      case Condition::Kind::Equals: return along(c.axis) == c.number;
      case Condition::Kind::Less: return along(c.axis) < c.number;
      case Condition::Kind::Even: return along(c.axis) % 2 == 0;
      case Condition::Kind::Last: return along(c.axis) == size_along(choices_.mesh, c.axis) - 1;
      case Condition::Kind::Local: return looks_ < kMostLooks ? sees_ >> looks_++ & 1 : false;
      case Condition::Kind::Parameter: return given.parameter;
      case Condition::Kind::Not: return !holds(c.parts[0], given);
      case Condition::Kind::And: return holds(c.parts[0], given) && holds(c.parts[1], given);
      case Condition::Kind::Or: return holds(c.parts[0], given) || holds(c.parts[1], given);
    }
    return false;
  }

  const Program& program_;
  const Hang& choices_;
  const Coordinates at_;
  const uint32_t sees_;
  uint32_t looks_ = 0;
  bool failed_ = false;
  std::vector<Issued> issued_;
};

// Whether some rank is left when nothing moves any more.
bool gets_stuck(const Mesh& mesh, const std::vector<std::vector<Issued>>& lists) {
  std::vector<size_t> at(lists.size());
  const auto ready = [&](size_t rank) {
    const Issued& mine = lists[rank][at[rank]];
    for (size_t other = 0; other < lists.size(); ++other) {
      if (!share_group(mesh, mine.axis, static_cast<int>(rank), static_cast<int>(other))) continue;
      if (at[other] == lists[other].size()) return false;
      const Issued& theirs = lists[other][at[other]];
      if (theirs.axis != mine.axis || theirs.op != mine.op) return false;
    }
    return true;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t rank = 0; rank < lists.size(); ++rank) {
      if (at[rank] == lists[rank].size() || !ready(rank)) continue;
      const Axis axis = lists[rank][at[rank]].axis;
      for (size_t other = 0; other < lists.size(); ++other)
        if (share_group(mesh, axis, static_cast<int>(rank), static_cast<int>(other))) ++at[other];
      moved = true;
    }
  }
  for (size_t rank = 0; rank < lists.size(); ++rank)
    if (at[rank] < lists[rank].size()) return true;
  return false;
}

// Executes all ranks; `looks`: the most often that one of them looked at what it sees alone.
bool hangs(const Program& program, const Hang& choices, uint32_t& looks) {
  std::vector<std::vector<Issued>> lists;
  looks = 0;
  bool failed = false;  // what nobody catches ends the job
  for (int rank = 0; rank < choices.mesh.size(); ++rank) {
    Rank one(program, choices, rank);
    lists.push_back(one.run());
    looks = std::max(looks, one.looks());
    failed = failed || one.failed();
  }
  if (failed) return false;
  return gets_stuck(choices.mesh, lists);
}

// All that ranks may see by themselves. What is seen decides how often they look.
bool hangs_by_local(const Program& program, Hang& choices) {
  const auto ranks = static_cast<uint32_t>(choices.mesh.size());
  for (uint32_t all = 0; all < 1u << (kMostLooks * ranks); ++all) {
    choices.local.assign(ranks, 0);
    for (uint32_t rank = 0; rank < ranks; ++rank) choices.local[rank] = all >> (kMostLooks * rank) & 3;
    uint32_t looks = 0;
    if (hangs(program, choices, looks)) return true;
  }
  choices.local.clear();
  return false;
}

std::vector<Mesh> meshes(int most_ranks) {
  std::vector<Mesh> all;
  for (int outer = 1; outer <= 2; ++outer)
    for (int tp = 1; tp <= 4; ++tp)
      for (int dp = 1; dp <= 4; ++dp)
        for (const bool tp_is_fastest : {true, false})
          if (outer * tp * dp <= most_ranks && (tp_is_fastest || (tp > 1 && dp > 1))) all.push_back({outer, tp, dp, tp_is_fastest});
  return all;
}

}  // namespace

static std::optional<Hang> find_hang_from(const Program& program, size_t start, const Given& given) {
  const bool local = has_local(program);
  static const std::vector<Mesh> kAll = meshes(8), kFew = meshes(4);
  for (const Mesh& mesh : local ? kFew : kAll)
    for (int choice = 0; choice < 12; ++choice) {
      Hang hang{mesh, {(choice & 1) != 0, (choice & 2) != 0}, choice / 4, given.parameter, given.group, start, {}};
      uint32_t looks = 0;
      if (hangs(program, hang, looks)) return hang;
      if (looks > 0 && hangs_by_local(program, hang)) return hang;
    }
  return std::nullopt;
}

std::optional<Hang> find_hang(const Program& program) { return find_hang_from(program, 0, {}); }

bool some_function_hangs(const Program& program) {
  for (size_t f = 0; f < program.functions.size(); ++f)
    for (const bool parameter : {false, true})
      for (const Axis group : {Axis::World, Axis::Tp, Axis::Dp})
        if (find_hang_from(program, f, {parameter, group})) return true;
  return false;
}

}  // namespace ranklint::random_programs
