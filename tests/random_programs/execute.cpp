// A run is two steps. First each rank alone: it communicates or it does not, whatever the others do, since nothing in
// these programs depends on what is received; so its steps are a list. Then the lists against each other (match.h).
#include "tests/random_programs/execute.h"

#include <algorithm>
#include <array>

namespace ranklint::random_programs {
namespace {

constexpr size_t kMostSteps = 200;
constexpr uint32_t kFew = 4;        // ranks, all views of which are tried
constexpr uint32_t kMostLooks = 2;  // of one rank, at what it sees alone; later looks see nothing

int size_along(const Mesh& mesh, Axis axis) {
  return axis == Axis::World ? mesh.size() : axis == Axis::Tp ? mesh.tp : mesh.dp;
}

// What a caller gives to a function.
struct Given {
  bool parameter = false;
  Axis group = Axis::World;

  Axis resolved(Axis axis) const { return axis == Axis::Handed ? group : axis; }
};

// One rank through the program.
class Rank {
 public:
  Rank(const Program& program, const Hang& choices, int rank, bool sends_to_itself)
      : program_(program),
        choices_(choices),
        sends_to_itself_(sends_to_itself),
        at_(coordinates(choices.mesh, rank)),
        sees_(choices.local.empty() ? 0 : choices.local[static_cast<size_t>(rank)]) {}

  std::vector<Issued> run() {
    failed_ = block(program_.functions[choices_.start], {choices_.parameter, choices_.group}) == Way::Raise;
    return std::move(issued_);
  }
  bool failed() const { return failed_; }
  bool addressed_nobody() const { return addressed_nobody_; }
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
      case Statement::Kind::Collective: issued_.push_back({.axis = given.resolved(s.axis), .op = s.op}); return Way::On;
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
      case Statement::Kind::Transfer:
        if (!post(s.sends, s.peer, s.tag)) return nobody();
        wait_for(issued_.size() - 1);
        return Way::On;
      case Statement::Kind::Started: {
        if (!post(s.sends, s.peer, s.tag)) return nobody();
        const size_t started = issued_.size() - 1;
        const Way way = block(s.body, given);
        if (way == Way::On) wait_for(started);
        return way;
      }
      case Statement::Kind::Batch: {
        if (!is_rank(s.peer) || !is_rank(s.from)) return nobody();
        post(s.sends, s.sends ? s.peer : s.from, 0);
        post(!s.sends, s.sends ? s.from : s.peer, 0);
        wait_for(issued_.size() - 2);
        wait_for(issued_.size() - 2);
        return Way::On;
      }
    }
    return Way::On;
  }

  int number(const Peer& peer) const {
    const int size = choices_.mesh.size();
    switch (peer.kind) {
      case Peer::Kind::Number: return peer.number;
      case Peer::Kind::Next: return (at_.rank + 1) % size;
      case Peer::Kind::Previous: return (at_.rank + size - 1) % size;
      case Peer::Kind::Above: return at_.rank + 1;
      case Peer::Kind::Below: return at_.rank - 1;
      case Peer::Kind::Mirror: return size - 1 - at_.rank;
      case Peer::Kind::Other: return other_;
    }
    return -1;
  }

  bool is_rank(const Peer& peer) const {
    const int n = number(peer);
    return n >= 0 && n < choices_.mesh.size() && (n != at_.rank || sends_to_itself_);
  }

  Way nobody() {
    addressed_nobody_ = true;
    return Way::Raise;
  }

  // False: there is no such rank, and the call raises.
  bool post(bool sends, const Peer& peer, int tag) {
    if (!is_rank(peer)) return false;
    issued_.push_back({.kind = sends ? Issued::Kind::Send : Issued::Kind::Receive, .peer = number(peer), .tag = tag});
    return true;
  }
  void wait_for(size_t started) { issued_.push_back({.kind = Issued::Kind::Wait, .started = started}); }

  int rounds(const Statement& s) const {
    switch (s.times) {
      case Statement::Times::Unknown: return choices_.rounds;
      case Statement::Times::Two: return 2;
      case Statement::Times::Rank: return along(s.axis);
      case Statement::Times::Others: return choices_.mesh.size() - 1;
    }
    return 0;
  }

  Way repeat(const Statement& s, const Given& given) {
    const int last = rounds(s);
    for (int round = 0; round < last; ++round) {
      if (s.times == Statement::Times::Others) other_ = round + 1;
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
  const bool sends_to_itself_;
  const Coordinates at_;
  const uint32_t sees_;
  uint32_t looks_ = 0;
  bool failed_ = false, addressed_nobody_ = false;
  int other_ = 0;  // in a loop over the others
  std::vector<Issued> issued_;
};

// Executes all ranks; `looks`: the most often that one of them looked at what it sees alone.
std::optional<Ending> ending_unless_failed(const Program& program, const Hang& choices, Sends sends,
                                           bool sends_to_itself, uint32_t& looks) {
  std::vector<std::vector<Issued>> lists;
  looks = 0;
  bool failed = false;  // an uncaught exception ends the job
  for (int rank = 0; rank < choices.mesh.size(); ++rank) {
    Rank one(program, choices, rank, sends_to_itself);
    lists.push_back(one.run());
    looks = std::max(looks, one.looks());
    failed = failed || one.failed();
  }
  if (failed) return std::nullopt;
  return ending_of(choices.mesh, lists, sends);
}

bool hangs(const Program& program, const Hang& choices, Sends sends, uint32_t& looks) {
  return ending_unless_failed(program, choices, sends, false, looks).value_or(Ending{}).stuck;
}

// One rank of many sees something else than the others do.
bool hangs_by_one(const Program& program, Hang& choices, Sends sends) {
  const auto ranks = static_cast<uint32_t>(choices.mesh.size());
  for (uint32_t one = 0; one < ranks; ++one)
    for (uint32_t seen = 0; seen < 16; ++seen) {
      choices.local.assign(ranks, seen >> 2);
      choices.local[one] = seen & 3;
      uint32_t looks = 0;
      if (hangs(program, choices, sends, looks)) return true;
    }
  choices.local.clear();
  return false;
}

// All that ranks may see by themselves, where they are few. What is seen decides how often they look.
bool hangs_by_local(const Program& program, Hang& choices, Sends sends) {
  const auto ranks = static_cast<uint32_t>(choices.mesh.size());
  if (ranks > kFew) return hangs_by_one(program, choices, sends);
  for (uint32_t all = 0; all < 1u << (kMostLooks * ranks); ++all) {
    choices.local.assign(ranks, 0);
    for (uint32_t rank = 0; rank < ranks; ++rank) choices.local[rank] = all >> (kMostLooks * rank) & 3;
    uint32_t looks = 0;
    if (hangs(program, choices, sends, looks)) return true;
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
          if (outer * tp * dp <= most_ranks && (tp_is_fastest || (tp > 1 && dp > 1)))
            all.push_back({outer, tp, dp, tp_is_fastest});
  return all;
}

std::vector<Mesh> flat_meshes(int most_ranks) {
  std::vector<Mesh> all;
  for (int ranks = 1; ranks <= most_ranks; ++ranks) all.push_back({1, ranks, 1});
  return all;
}

}  // namespace

static std::optional<Hang> find_hang_from(const Program& program, size_t start, const Given& given, Sends sends) {
  const bool flat = given.group == Axis::World && !names_axes(program);  // then only how many ranks there are matters
  static const std::vector<Mesh> kAll = meshes(8), kAllFlat = flat_meshes(8);
  for (const Mesh& mesh : flat ? kAllFlat : kAll)
    for (int choice = 0; choice < 12; ++choice) {
      Hang hang{mesh, {(choice & 1) != 0, (choice & 2) != 0}, choice / 4, given.parameter, given.group, start, {}};
      uint32_t looks = 0;
      if (hangs(program, hang, sends, looks)) return hang;
      if (looks > 0 && hangs_by_local(program, hang, sends)) return hang;
    }
  return std::nullopt;
}

std::optional<Hang> find_hang(const Program& program, Sends sends) { return find_hang_from(program, 0, {}, sends); }

namespace {

// The choices of all ranks together, there being nothing that a rank sees alone.
std::vector<Hang> shared_choices(int ranks) {
  std::vector<Hang> all(12);
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].mesh = {1, ranks, 1};
    all[i].flags[0] = (i & 1) != 0;
    all[i].flags[1] = (i & 2) != 0;
    all[i].rounds = static_cast<int>(i / 4);
  }
  return all;
}

}  // namespace

static bool hangs_for_certain_or_not_at_all(const Program& program) {
  bool hangs = false, hangs_whole = false, finishes = false;
  for (int ranks = 2; ranks <= 8; ++ranks) {
    bool hangs_here = false, finishes_here = false;
    for (const Hang& choices : shared_choices(ranks)) {
      uint32_t looks = 0;
      const std::optional<Ending> ending = ending_unless_failed(program, choices, Sends::Wait, false, looks);
      if (!ending) continue;
      (ending->stuck ? hangs_here : finishes_here) = true;
      hangs_whole = hangs_whole || (ending->stuck && ending->both_ways);
    }
    hangs = hangs || hangs_here;
    finishes = finishes || (finishes_here && !hangs_here);
  }
  return !hangs || (hangs_whole && !finishes);
}

bool is_exact(const Program& program) {
  return in_exact_domain(program) && (!has_messages(program) || hangs_for_certain_or_not_at_all(program));
}

bool addresses_nobody(const Program& program, int ranks) {
  for (const Hang& choices : shared_choices(ranks))
    for (int rank = 0; rank < ranks; ++rank) {
      Rank one(program, choices, rank, false);
      one.run();
      if (one.addressed_nobody()) return true;
    }
  return false;
}

std::optional<Ending> ending_in_mpi(const Program& program, const Hang& choices, Sends sends) {
  uint32_t looks = 0;
  return ending_unless_failed(program, choices, sends, true, looks);
}

bool some_function_hangs(const Program& program) {
  for (size_t f = 0; f < program.functions.size(); ++f)
    for (const bool parameter : {false, true})
      for (const Axis group : {Axis::World, Axis::Tp, Axis::Dp})
        if (find_hang_from(program, f, {parameter, group}, Sends::Wait)) return true;
  return false;
}

}  // namespace ranklint::random_programs
