// Says of ranks that are processes what the watchdog says of threads, from what they report. Lives in rank 0's process.
//
// A rank reports when it has waited in vain for a moment, again when anything comes while it waits, and when it ends.
// So reports are old when they are read, and a letter that ends a wait may be under way. The verdict is exact all the
// same, without a clock and without a second look: each report says how many letters the rank had sent to and received
// from every other. Let D be the ranks that wait forever by their reports (wait_graph.h), with those that are gone,
// and let the numbers of every pair within D agree. Suppose that some rank of D went on after its report, and take the
// first one that did. What let it go on is a letter from a rank of D (each of its conditions that can not be met
// otherwise has one there). Sent before its sender's report, the letter is counted there, so the receiver had it when
// it reported, and was waiting still. Sent after, the sender had gone on before. Both contradict.
//
// (A rank that waits also answers letters for its other, asynchronous operations; no condition is met by an answer
// except that of a send, and it was given when the letter was counted.)
//
// When all ranks have ended, what they have left unmet is told. Whoever receives a message knows whether it has been
// met, so here too the numbers must agree first. Nobody begins anything then, and what is still sent in answer meets
// nothing new.
//
// As with threads the verdict is held back while a rank still computes, for a complete picture: until each rank has
// reported where it waits, or has had `settle` of its own time (watch/own_time.h) and has not come, or at last for
// kLongestHold; and until the letters that these reports count have come to the ranks that wait, since a report that is
// older says that its rank waits for somebody whose letter is there by now. A rank that others keep from its processor
// is waited for, so that the picture does not depend on how loaded the machine is. Ranks come later here than threads
// do, so `settle` is longer.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "runtime/mpi/report.h"

namespace ranklint::runtime {

class Arbiter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Arbiter(int world_size, std::chrono::milliseconds settle);

  void take(RankReport report);
  // The verdict, as soon as there is one; Ok when all ranks have ended well.
  std::optional<Verdict> look(Time now);
  // There is a verdict, held back: ranks that compute are to report their own time.
  bool holds_back() const { return held_since_.has_value(); }

 private:
  std::optional<Verdict> urgent() const;
  const Verdict* dispute() const;
  std::vector<RankState> states() const;
  bool counts_agree(size_t a, size_t b) const;
  bool counts_agree(const std::vector<bool>& among) const;
  bool letters_arrived() const;
  std::optional<Verdict> last_verdict() const;
  bool settled(Time now);

  std::vector<RankReport> reports_;
  std::chrono::milliseconds settle_;
  std::optional<Time> held_since_;
};

}  // namespace ranklint::runtime
