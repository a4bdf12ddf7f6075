// One rank's dump of the flight recorder, as PyTorch (pickle or JSON) and ranklint's runtime (JSON) write it.
//
// The fields are those of dump version 2: entries in the order in which the rank issued them, each with its group, its
// number on that group, its operation, whether it is over, and the Python frames it came from, innermost first.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace ranklint::app {

struct Frame {
  std::string function;
  std::string file;
  uint32_t line = 0;
};

struct TraceEntry {
  std::string group;       // its name, the same in all ranks
  std::string group_said;  // how people call it: "dp"; may be empty
  int64_t sequence = 0;    // on its group; of messages or of collectives
  bool is_message = false;
  std::string op;     // "all_reduce", "send 0->1"
  std::string sizes;  // "[[4], [2, 3]]"
  bool over = false;
  bool started = false;
  std::vector<Frame> frames;
};

struct Dump {
  std::string file;  // as it is shown
  int rank = -1;
  std::vector<TraceEntry> entries;
  std::map<std::string, std::vector<int>> members;  // by group, where the dump lists them; sorted
};

// Whether the bytes may be a dump at all: a pickle, or a JSON object.
bool looks_like_dump(std::string_view bytes);

// The rank is what the dump says, else the digits that the name ends in: "nccl_trace_rank_3", "rank3.json".
Result<Dump> read_dump(std::string_view bytes, const std::string& shown);

}  // namespace ranklint::app
