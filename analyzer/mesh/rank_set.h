// Sets of ranks that hold for groups of every size, and what they are called.
//
// A condition over a rank's number picks a set from each group that it is asked in. Most of these sets have one plain
// description: numbers from the start (0-3), from the end (the last rank), all but these, the even or the odd ones.
// `fit` finds it from what the condition says in groups of several sizes; a description that any of these refutes is
// none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ranklint {

struct RankSet {
  std::vector<uint32_t> from_start;  // numbers, ascending
  std::vector<uint32_t> from_end;    // 0: the last one; ascending
  bool complement = false;           // all but these
  std::optional<uint32_t> parity;    // those with this remainder by two; the lists are empty then

  bool contains(uint32_t number, uint32_t size) const;
  friend bool operator==(const RankSet&, const RankSet&) = default;
};

// What a condition says in a group: for each number whether it holds.
using RankSample = std::vector<bool>;

// The description that agrees with all samples; no value: there is none. The last sample is the largest. It has to be
// so large that its first half holds every number counted from the start, and its second half every number counted from
// the end.
std::optional<RankSet> fit(const std::vector<RankSample>& samples);

// What ranks are called, and whether that is several of them in grammar.
struct RankName {
  std::string text = "some ranks";
  bool is_plural = true;
  std::string beside = {};  // the same in the plural after "and not by", where `text` could be read in two ways there
  friend bool operator==(const RankName&, const RankName&) = default;
};

// How a rank is numbered: "`tp` rank"; or "rank" and " in its group". Neither: among all.
struct RankNumbering {
  std::string noun, suffix;
  bool among_all() const { return noun.empty(); }
};

// "rank 0", "ranks 0-3", "even ranks", "every rank but the last". Nothing: it takes too many words.
std::optional<RankName> name_of(const RankSet& set);

// Ranks by their numbers, which ascend: "0-2, 8".
std::string in_runs(const std::vector<uint32_t>& ranks);

// "`tp` rank 0", "an even `tp` rank": what follows "ranks with".
std::optional<std::string> numbered(const RankSet& set, const RankNumbering& numbering);

}  // namespace ranklint
