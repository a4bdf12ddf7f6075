// What a rule reports. Plain data: reports, the language server and verify read it, nothing below writes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/confidence.h"
#include "analyzer/base/source_range.h"
#include "analyzer/evidence/assumption.h"
#include "analyzer/evidence/reason.h"
#include "analyzer/execution/replay.h"

namespace ranklint {

enum class Severity { Info, Warning, Error };

struct Location {
  std::string path;  // '/'-separated, relative to the project root where it lies inside
  SourceRange range;
  bool as_checked =
      false;  // in an edited file: of its text when all were checked, which is distinct from what it is now
  friend bool operator==(const Location&, const Location&) = default;
};

struct RelatedLocation {
  Location location;
  std::string message;
};

// One thing a rank does. `nesting` is the depth in calls, 0 in the function of the finding.
struct WitnessStep {
  enum class Kind { Branch, Call, Collective, Exit };
  Kind kind = Kind::Call;
  Location location;
  std::string text;      // "enters `if rank == 0`", "calls `post_init`", "`all_to_all` on `sp`"
  std::string function;  // qualified name of the function the step happens in
  int nesting = 0;
  std::string op;     // Collective: "all_reduce"
  std::string group;  // Collective: "sp"
};

// The steps of one rank class, in order, and how it ends.
struct WitnessLane {
  std::string ranks;  // "rank 0", "ranks 1..3", "ranks with `path` missing"
  std::vector<WitnessStep> steps;
  std::string end;  // "waits for ranks 1..3", "never calls `all_reduce`"
};

struct Witness {
  std::vector<WitnessLane> lanes;        // the waiting rank class first
  std::vector<std::string> assumptions;  // uniform conditions taken on the way: "`training_mode` is false"
};

// What a run of the witness showed.
struct Verdict {
  enum class Kind {
    Confirmed,  // a rank waits forever where the finding says, or the ranks of a group disagree there
    Refuted,    // all ranks finish
    NotReplayable,
  };
  Kind kind = Kind::NotReplayable;
  std::string reason;              // one sentence
  std::vector<std::string> ranks;  // Confirmed: where each rank is, a line each
};

// Why a finding is merely possible.
struct FindingDoubt {
  Reason reason;
  Location place;  // without a path: about no place in particular
};

// What a finding rests on, beside the branches that its witness takes (Witness::assumptions).
struct FindingAssumption {
  Assumption assumption;
  Location place;  // without a path: of no place in particular
};

struct Finding {
  std::string rule;  // "rank-guarded-collective"
  std::string code;  // "RL101"
  Severity severity = Severity::Error;
  Confidence confidence = Confidence::Likely;  // where the analysis is not certain, what such findings have deserved
  Confidence arrived_at =
      Confidence::Possible;          // by the analysis alone, where another word is shown; Possible: it is it
  std::vector<FindingDoubt> doubts;  // Possible, unless a declared rule is so by itself: at least one
  std::vector<FindingAssumption> evidence;
  Location primary;
  std::string message;                   // one sentence: the collective, the group, which ranks disagree
  std::vector<RelatedLocation> related;  // the guard, each call of the chain, the collective, where the others go
  Witness witness;                       // may have no lanes for rules that need none
  std::string help;                      // the way out, one sentence
  std::string function;                  // qualified name of the function the primary range lies in
  std::shared_ptr<const Replay> replay;  // null: not asked for, or there is none
  std::optional<Verdict> verdict;        // of a run
  std::string fingerprint_key;           // what stays the same under unrelated edits: callee, group, guard text
};

// Findings in the order in which every report shows them: by path, then range, then rule.
bool operator<(const Finding& a, const Finding& b);

}  // namespace ranklint
