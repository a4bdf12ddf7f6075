#include "app/trace/stuck.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace ranklint::app {

namespace {

// Calls whose tensors have to be of the same size on all ranks.
constexpr std::array<std::string_view, 5> kSameSizes{"all_reduce", "allreduce", "reduce", "broadcast", "all_gather"};

class Finder {
 public:
  explicit Finder(std::span<const Dump> dumps) : dumps_(dumps) {
    for (const Dump& dump : dumps) {
      for (const auto& [group, ranks] : dump.members) members_[group].insert(ranks.begin(), ranks.end());
      for (const TraceEntry& entry : dump.entries) members_[entry.group].insert(dump.rank);
    }
  }

  std::vector<Stuck> all() {
    std::map<std::string, const TraceEntry*>
        first;  // by group: of the calls that are not over, that of the lowest number
    for (const Dump& dump : dumps_)
      for (const TraceEntry& entry : dump.entries) {
        if (entry.over || entry.is_message) continue;
        const TraceEntry*& known = first[entry.group];
        if (known == nullptr || entry.sequence < known->sequence) known = &entry;
      }
    std::vector<Stuck> found;
    for (const auto& [group, entry] : first) found.push_back(about(*entry));
    add_messages(found);
    std::stable_sort(found.begin(), found.end(), [](const Stuck& a, const Stuck& b) { return a.kind < b.kind; });
    return found;
  }

 private:
  Stuck about(const TraceEntry& call) {
    Stuck stuck{
        .group = call.group, .group_said = call.group_said, .sequence = call.sequence, .op = call.op, .members = {}};
    for (const int rank : members_[call.group]) stuck.members.push_back(standing(rank, call));
    const auto any = [&](Standing::Where where) {
      return std::any_of(stuck.members.begin(), stuck.members.end(),
                         [&](const Standing& s) { return s.where == where; });
    };
    stuck.kind = any(Standing::Where::InAnother)  ? Stuck::Kind::Disagree
                 : any(Standing::Where::NotThere) ? Stuck::Kind::Missing
                                                  : Stuck::Kind::Slow;
    return stuck;
  }

  const Dump* dump_of(int rank) const {
    const auto found = std::find_if(dumps_.begin(), dumps_.end(), [&](const Dump& dump) { return dump.rank == rank; });
    return found == dumps_.end() ? nullptr : &*found;
  }

  static bool same_call(const TraceEntry& a, const TraceEntry& b) {
    if (a.op != b.op) return false;
    const bool compares = std::find(kSameSizes.begin(), kSameSizes.end(), a.op) != kSameSizes.end();
    return !compares || a.sizes == b.sizes || a.sizes.empty() || b.sizes.empty();
  }

  Standing standing(int rank, const TraceEntry& call) const {
    const Dump* dump = dump_of(rank);
    if (dump == nullptr) return {.rank = rank};
    bool is_past = false;
    for (const TraceEntry& entry : dump->entries) {
      if (entry.group != call.group || entry.is_message) continue;
      if (entry.sequence == call.sequence)
        return {.rank = rank,
                .where = same_call(entry, call) ? Standing::Where::InIt : Standing::Where::InAnother,
                .entry = &entry};
      is_past |= entry.sequence > call.sequence;
    }
    if (is_past) return {.rank = rank};  // it was there, and its ring has forgotten
    return {.rank = rank, .where = Standing::Where::NotThere, .entry = where_is(*dump)};
  }

  // Where a rank is: in the first call that is not over, else after its last.
  static const TraceEntry* where_is(const Dump& dump) {
    for (const TraceEntry& entry : dump.entries)
      if (!entry.over) return &entry;
    return dump.entries.empty() ? nullptr : &dump.entries.back();
  }

  // A message that is not over stands for itself: its rank waits for the other.
  void add_messages(std::vector<Stuck>& found) const {
    for (const Dump& dump : dumps_)
      for (const TraceEntry& entry : dump.entries) {
        if (entry.over || !entry.is_message) continue;
        found.push_back({.kind = Stuck::Kind::Slow,
                         .group = entry.group,
                         .group_said = entry.group_said,
                         .sequence = entry.sequence,
                         .op = entry.op,
                         .members = {{.rank = dump.rank, .where = Standing::Where::InIt, .entry = &entry}}});
        break;
      }
  }

  std::span<const Dump> dumps_;
  std::map<std::string, std::set<int>> members_;
};

bool is_library(std::string_view file) {
  return file.empty() || file.starts_with('<') || file.find("/torch/") != std::string_view::npos ||
         file.find("site-packages/") != std::string_view::npos || file.find("dist-packages/") != std::string_view::npos;
}

}  // namespace

std::vector<Stuck> find_stuck(std::span<const Dump> dumps) { return Finder(dumps).all(); }

const Frame* own_frame(const TraceEntry& entry) {
  for (const Frame& frame : entry.frames)
    if (!is_library(frame.file)) return &frame;
  return nullptr;
}

}  // namespace ranklint::app
