// Which worlds are run: sizes, the choices that all ranks share, the senders that a wildcard may take.
//
// A run is determined by its choices, so another one is explored by running again with another choice at the end of the
// list: no state is copied or kept (stateless search, as in Godefroid's VeriSoft). The search is bounded; where the
// bound was met, nothing is called exact.
//
// Four ranks show what two and three show, and more: a first, a last, two in between. A program that gives up in such a
// world is asked for its own size: it communicates nothing, or nothing of what `main` itself says, though libraries
// around it may meet at its end. One that leaves ranks waiting of which it has no idea was written for fewer.
#include <algorithm>
#include <set>

#include "analyzer/mpi_check/races.h"
#include "analyzer/mpi_check/size_sensitivity.h"
#include "analyzer/mpi_check/world.h"

namespace ranklint::mpi_check {

namespace {

constexpr size_t kMostRuns = 24;        // of one size
constexpr size_t kMostShortRuns = 200;  // while all of them together take few steps
constexpr uint64_t kFewSteps = 200'000;
constexpr uint64_t kMostStepsInAll = 3'000'000;  // of all ranks in all runs: where it is met, no further run begins
constexpr uint32_t kSizes[] = {4, 2, 3, 5, 6, 8, 16};
constexpr size_t kMostRanksAdded = 12;  // one after the other, where each run names the next one

// The next list of choices in depth-first order; nothing: all were tried.
std::optional<std::vector<uint32_t>> next_choices(const std::vector<Choice>& made) {
  for (size_t i = made.size(); i-- > 0;) {
    if (made[i].taken + 1 >= made[i].options) continue;
    std::vector<uint32_t> wanted;
    for (size_t k = 0; k < i; ++k) wanted.push_back(made[k].taken);
    wanted.push_back(made[i].taken + 1);
    return wanted;
  }
  return std::nullopt;
}

// What all runs of one size say.
struct SizeResult {
  std::vector<Problem> problems = {};
  std::set<std::tuple<int, std::string, SourceRange>> met = {};
  std::set<uint32_t> functions = {};
  CallPlaces messages = {};  // where they were sent and received, and collectives issued
  uint32_t size = 0;
  bool has_finished = false;
  bool has_communicated = false;
  bool receives_from_any = false;  // some rank receives from any source, or tests whether something has come
  bool is_exact = true;
  bool is_lost = false;  // in some run, not only because there are too many
  std::string lost_because = {};

  bool is_clean() const { return has_finished && problems.empty(); }
  // Some rank waits in vain, or not all issue the same.
  bool has_hang() const {
    return std::any_of(problems.begin(), problems.end(), [](const Problem& p) {
      return p.kind == ProblemKind::UnmatchedMessage || p.kind == ProblemKind::CollectiveMismatch ||
             p.kind == ProblemKind::SendCycle;
    });
  }
  // Whether there is nothing to be learned from another size. A program that ends without a word was asked for the
  // wrong one.
  bool is_answer() const { return !problems.empty() || is_lost || (has_finished && has_communicated); }
};

void add_new(SizeResult& all, std::vector<Problem> problems) {
  for (Problem& p : problems)
    if (all.met.emplace(static_cast<int>(p.kind), p.mark.file, p.mark.range).second)
      all.problems.push_back(std::move(p));
}

void gather(SizeResult& all, World& world) {
  for (const Rank& rank : world.ranks)
    for (uint32_t f = 0; f < rank.machine.entered.size(); ++f)
      if (rank.machine.entered[f]) all.functions.insert(f);
  for (const Operation& o : world.operations) {
    Mark mark = mark_of(world, o.place);
    all.messages.emplace(std::move(mark.file), mark.range);
  }
  add_new(all, std::move(world.problems));
  all.has_finished = all.has_finished || world.is_finished;
  all.receives_from_any =
      all.receives_from_any || world.first_tests_fail ||
      std::any_of(world.operations.begin(), world.operations.end(), [](const Operation& o) {
        return o.kind != Operation::Kind::Send && o.kind != Operation::Kind::Collective && o.peer == kAnySource;
      });
  if (!world.is_lost) return;
  all.is_exact = false;
  all.is_lost = true;
  if (all.lost_because.empty()) all.lost_because = world.lost_because;
}

// A program and what its runs have cost so far.
struct Search {
  const machine::Program& program;
  const CallPlaces meetings;  // of `main` itself
  uint64_t steps = 0;
  bool asserts_hold = false;
  bool sends_are_buffered = false;

  bool is_spent() const { return steps > kMostStepsInAll; }
};

bool has_communicated(const Search& search, const SizeResult& result) {
  if (search.meetings.empty()) return !result.messages.empty();
  return std::any_of(search.meetings.begin(), search.meetings.end(),
                     [&](const auto& place) { return result.messages.contains(place); });
}

void run_ways(Search& search, uint32_t size, SizeResult& result, Races& races) {
  std::vector<uint32_t> wanted;
  for (size_t run = 0; run < kMostRuns || (run < kMostShortRuns && search.steps < kFewSteps); ++run) {
    World world;
    world.wanted = wanted;
    world.asserts_hold = search.asserts_hold;
    world.sends_are_buffered = search.sends_are_buffered;
    run_world(world, search.program, size);
    races.hear(world);
    for (const Rank& rank : world.ranks) search.steps += rank.machine.steps;
    search.steps += world.work;
    const auto next = next_choices(world.choices);
    gather(result, world);
    if (!next) return;
    if (search.is_spent()) break;
    wanted = *next;
  }
  result.is_exact = false;
  if (result.lost_because.empty()) result.lost_because = "there are more ways to go than are tried";
}

SizeResult run_size(Search& search, uint32_t size) {
  SizeResult result;
  Races races;
  run_ways(search, size, result, races);
  add_new(result, races.settle());
  result.has_communicated = has_communicated(search, result);
  result.size = size;
  return result;
}

// How many ranks the problems ask for, because they name some that do not exist; 0: none does.
uint32_t needed_size(const SizeResult& result) {
  uint32_t needed = 0;
  for (const Problem& p : result.problems) needed = std::max(needed, p.needed_size);
  return needed;
}

bool is_message(const Posted& posted) { return posted.kind != Posted::Kind::Collective; }

// All that the ranks from `size` on did is collectives.
bool others_are_silent(const Problem& p, uint32_t size) {
  return p.posted.size() > size && std::all_of(p.posted.begin() + size, p.posted.end(), [](const auto& rank) {
           return std::none_of(rank.begin(), rank.end(), is_message);
         });
}

// All messages of all ranks are for rank 0 and from it, and it sends and receives itself.
bool is_for_one(const Problem& p) {
  const auto does = [&](Posted::Kind kind) {
    return !p.posted.empty() && std::any_of(p.posted[0].begin(), p.posted[0].end(),
                                            [&](const Posted& posted) { return posted.kind == kind; });
  };
  return does(Posted::Kind::Send) && does(Posted::Kind::Receive) &&
         std::all_of(p.posted.begin(), p.posted.end(), [](const auto& rank) {
           return std::all_of(rank.begin(), rank.end(),
                              [](const Posted& posted) { return !is_message(posted) || posted.peer == 0; });
         });
}

bool is_same(const Posted& a, const Posted& b) { return a.call == b.call && a.mark.range == b.mark.range; }

bool has(const std::vector<Posted>& rank, const Posted& posted) {
  return std::any_of(rank.begin(), rank.end(), [&](const Posted& p) { return is_same(p, posted); });
}

// Each of the first ranks issues a collective in a branch of its own, and none of the others has one: a program for so
// many.
bool each_has_its_own(const Problem& p, uint32_t size) {
  if (size < 2 || p.posted.size() <= size) return false;
  for (uint32_t rank = 0; rank < size; ++rank) {
    // What the others issue, this one does too, or has instead.
    const bool has_own = std::any_of(p.posted[rank].begin(), p.posted[rank].end(), [&](const Posted& posted) {
      for (uint32_t other = 0; other < p.posted.size(); ++other)
        if (other != rank && has(p.posted[other], posted)) return false;
      return posted.kind == Posted::Kind::Collective && posted.members.size() == p.posted.size();
    });
    if (!has_own) return false;
  }
  return true;
}

// Whether one of the others has got from the first ones what it asked them for: then the program knows of them.
bool serves_others(const Problem& p, uint32_t size) {
  const auto is_served = [&](const std::vector<Posted>& rank) {
    return std::any_of(rank.begin(), rank.end(), [&](const Posted& posted) {
      return posted.kind == Posted::Kind::Receive && posted.is_matched && posted.peer >= 0 &&
             posted.peer < static_cast<int64_t>(size);
    });
  };
  return p.posted.size() > size && std::any_of(p.posted.begin() + size, p.posted.end(), is_served);
}

bool is_for(const std::vector<Posted>& rank, Posted::Kind kind, size_t peer) {
  return std::any_of(rank.begin(), rank.end(),
                     [&](const Posted& p) { return p.kind == kind && p.peer == static_cast<int64_t>(peer); });
}

// Whether one of the others asks one of the first ranks for a message, and that one has one for it, another than is
// asked for.
bool name_each_other(const Problem& p, uint32_t size) {
  for (size_t other = size; other < p.posted.size(); ++other)
    for (size_t first = 0; first < size; ++first)
      if (is_for(p.posted[other], Posted::Kind::Receive, first) && is_for(p.posted[first], Posted::Kind::Send, other))
        return true;
  return false;
}

// Whether a rank waits only because the world has more than `size` ranks.
bool is_spare(const Problem& p, uint32_t size) {
  if (p.kind == ProblemKind::CollectiveMismatch && p.world_size > size) return each_has_its_own(p, size);
  if (p.kind != ProblemKind::UnmatchedMessage || p.world_size <= size) return false;
  return size == 1
             ? is_for_one(p)
             : (p.rank >= size && !serves_others(p, size) && !name_each_other(p, size)) || others_are_silent(p, size);
}

// Whether what the first ranks have for the others is sent in the smaller world as well, to other ranks, and whether
// the collectives that do not match are issued there, those of the others too: else the program knows of those others,
// or refuses the smaller world.
bool speaks_in_both(const Problem& p, const SizeResult& smaller, uint32_t size) {
  const bool mismatches = p.kind == ProblemKind::CollectiveMismatch;
  const auto is_for_the_first = [&](const Posted& posted) {
    return is_message(posted) ? posted.peer < static_cast<int64_t>(size) : !mismatches;
  };
  const size_t asked = mismatches ? p.posted.size() : std::min<size_t>(size, p.posted.size());
  return std::all_of(p.posted.begin(), p.posted.begin() + static_cast<ptrdiff_t>(asked), [&](const auto& rank) {
    return std::all_of(rank.begin(), rank.end(), [&](const Posted& posted) {
      return is_for_the_first(posted) || smaller.messages.contains({posted.mark.file, posted.mark.range});
    });
  });
}

// Whether the program has collectives that no rank reaches in either world: then it does more than the smaller
// one shows.
bool leaves_collectives_out(const Search& search, const SizeResult& result, const SizeResult& smaller) {
  CallPlaces made = result.messages;
  made.insert(smaller.messages.begin(), smaller.messages.end());
  const auto is_mismatch = [](const Problem& p) { return p.kind == ProblemKind::CollectiveMismatch; };
  return std::any_of(result.problems.begin(), result.problems.end(), is_mismatch) &&
         !unmade_meetings(search.program, result.functions, made).empty();
}

// Ranks that wait in vain and do not exist in a smaller world that comes to its end.
void drop_spare_ranks(Search& search, SizeResult& result) {
  for (const uint32_t size : {1u, 2u, 3u}) {
    const auto fits = [&](const Problem& p) { return is_spare(p, size); };
    if (result.problems.empty() || !std::all_of(result.problems.begin(), result.problems.end(), fits)) continue;
    SizeResult smaller = run_size(search, size);
    const bool speaks = std::all_of(result.problems.begin(), result.problems.end(),
                                    [&](const Problem& p) { return speaks_in_both(p, smaller, size); });
    if (speaks && !leaves_collectives_out(search, result, smaller) && smaller.has_finished &&
        smaller.has_communicated && !smaller.has_hang() && !needed_size(smaller))
      result = std::move(smaller);
  }
}

// Whether a rank names another one at the same place in a world of two, and at once: then the number follows from the
// world's size, and no program for a larger one meant it so.
bool names_by_size(Search& search, const SizeResult& result) {
  if (result.size <= 2) return false;
  const SizeResult pair = run_size(search, 2);
  return std::any_of(result.problems.begin(), result.problems.end(), [&](const Problem& p) {
    return p.needed_size && !result.messages.contains({p.mark.file, p.mark.range}) &&
           std::any_of(pair.problems.begin(), pair.problems.end(), [&](const Problem& q) {
             return q.needed_size && q.needed_size != p.needed_size && q.rank == p.rank &&
                    std::tie(q.mark.file, q.mark.range) == std::tie(p.mark.file, p.mark.range);
           });
  });
}

// The smallest world that has all ranks which are named, and the next one that programs are often written for.
std::set<uint32_t> sizes_with(uint32_t needed) {
  const auto* usual = std::ranges::find_if(kSizes, [&](uint32_t size) { return size >= needed && size > kSizes[0]; });
  if (usual == std::end(kSizes)) return {};
  return {needed, *usual};
}

// Where a larger world comes to its end, the program was written for that. A rank that grows with the world never is.
void add_missing_ranks(Search& search, SizeResult& result) {
  uint32_t needed = needed_size(result);
  if (needed && names_by_size(search, result)) return;
  for (size_t tries = 0; tries < kMostRanksAdded && needed; ++tries) {
    uint32_t needed_then = 0;
    for (const uint32_t size : sizes_with(needed)) {
      SizeResult larger = run_size(search, size);
      needed_then = needed_size(larger);
      if (larger.has_finished && !needed_then && !larger.has_hang()) {
        result = std::move(larger);
        return;
      }
      if (needed_then) break;
    }
    needed = needed_then;
  }
}

// The first size that says something; if none does, the first that comes to its end.
SizeResult first_answer(Search& search) {
  SizeResult silent;
  for (const uint32_t size : kSizes) {
    SizeResult result = run_size(search, size);
    // A rank that it lacks was there in the first world, where nothing was wrong with it.
    std::erase_if(result.problems,
                  [&](const Problem& p) { return p.needed_size > size && p.needed_size <= kSizes[0]; });
    if (result.is_answer() || search.is_spent()) return result;
    if (!silent.has_finished) silent = std::move(result);
  }
  return silent;
}

// Where every run ends in an assertion that fails, or in `MPI_Abort` after communication: runs that ignore the
// assertion. The cause of its failure may be the error.
void pass_over_asserts(Search& search, SizeResult& result) {
  if (result.has_finished || !result.problems.empty() || !result.is_exact) return;
  search.asserts_hold = true;
  if (SizeResult again = first_answer(search); again.has_hang()) result = std::move(again);
}

// Errors of messages where the library buffers all sends, in a program that is right where none is: a receive from any
// source may take a message earlier than its senders assumed.
void look_with_buffers(Search& search, SizeResult& result) {
  if (!result.receives_from_any || !result.has_finished || !result.problems.empty() || !result.is_exact) return;
  search.sends_are_buffered = true;
  SizeResult buffered = run_size(search, result.size);
  search.sends_are_buffered = false;
  std::erase_if(buffered.problems, [](const Problem& p) {
    return p.kind != ProblemKind::UnmatchedMessage && p.kind != ProblemKind::CollectiveMismatch;
  });
  if (buffered.problems.empty()) return;
  for (Problem& p : buffered.problems) p.is_with_buffers = true;
  result = std::move(buffered);
}

// Ranks that wait in a call that no rank reached before.
void keep_new_hangs(SizeResult& result, const CallPlaces& unmade) {
  const auto is_new = [&](const Problem& p) {
    if (p.kind != ProblemKind::CollectiveMismatch) return false;
    return std::any_of(p.posted.begin(), p.posted.end(), [&](const auto& rank) {
      return !rank.empty() && unmade.contains({rank.back().mark.file, rank.back().mark.range});
    });
  };
  std::erase_if(result.problems, [&](const Problem& p) { return !is_new(p); });
}

// A program that is right among four ranks, and does otherwise among more.
void look_at_larger_sizes(Search& search, SizeResult& result) {
  if (!result.has_finished || !result.problems.empty() || !result.is_exact) return;
  const CallPlaces unmade = unmade_meetings(search.program, result.functions, result.messages);
  if (unmade.empty()) return;
  for (const uint32_t size : sizes_above(search.program, result.functions, kSizes[0])) {
    SizeResult larger = run_size(search, size);
    keep_new_hangs(larger, unmade);
    if (larger.problems.empty()) continue;
    result = std::move(larger);
    return;
  }
}

}  // namespace

Verdict explore(const machine::Program& program) {
  Search search{.program = program, .meetings = meetings_of(program, program.functions[program.main])};
  SizeResult result = first_answer(search);
  pass_over_asserts(search, result);
  add_missing_ranks(search, result);
  drop_spare_ranks(search, result);
  look_with_buffers(search, result);
  look_at_larger_sizes(search, result);
  Verdict verdict;
  verdict.is_exact = result.is_exact && (result.has_finished || !result.problems.empty());
  verdict.lost_because = result.lost_because;
  for (const uint32_t f : result.functions) {
    const machine::SourceLocation& p = program.places[program.functions[f].place];
    if (p.range.known()) verdict.reached.push_back({program.files[p.file], p.range});
  }
  verdict.problems = std::move(result.problems);
  std::sort(verdict.problems.begin(), verdict.problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.mark.file, a.mark.range, a.kind) < std::tie(b.mark.file, b.mark.range, b.kind);
  });
  return verdict;
}

}  // namespace ranklint::mpi_check
