// What a rank tells about itself, and what it is told in the end, as values and as bytes.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/group/signature.h"
#include "runtime/group/verdict.h"
#include "runtime/group/watch/unmet.h"
#include "runtime/group/watch/wait_graph.h"
#include "runtime/mpi/bytes.h"

namespace ranklint::runtime {

// Keeps what views and sites of other processes look at. Grows with the number of different names, not of calls.
class Names {
 public:
  const std::string& keep(std::string name) { return *names_.insert(std::move(name)).first; }
  const std::vector<int>& keep(std::vector<int> ranks) { return *ranks_.insert(std::move(ranks)).first; }

 private:
  std::set<std::string> names_;
  std::set<std::vector<int>> ranks_;
};

struct RankReport {
  RankState state;                        // of a waiting rank: the first call that it waits in
  std::vector<WaitCondition> conditions;  // of a waiting rank: all that it waits for; targets are global ranks
  // Letters about calls that this rank has sent to and received from each rank. See arbiter.h.
  std::vector<uint64_t> sent, received;
  std::optional<Verdict> dispute;  // seen by this rank; without the ranks' states
  std::optional<Verdict> reuse;    // likewise
  bool timed_out = false;
  std::vector<Unmet> unmet;               // of a rank that has returned: what it has begun, and messages to it
  std::chrono::milliseconds own_time{0};  // that it has had since it was asked (watch/own_time.h)
};

void encode(ByteWriter& out, const Signature& signature);
Signature decode_signature(ByteReader& in, Names& names);
void encode(ByteWriter& out, const Verdict& verdict);
Verdict decode_verdict(ByteReader& in, Names& names);
void encode(ByteWriter& out, const RankReport& report);
RankReport decode_report(ByteReader& in, Names& names);

}  // namespace ranklint::runtime
