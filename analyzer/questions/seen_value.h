// What a rule can know of a value: of an argument, or of a condition.
//
// Nothing of it refers to the query's terms, so that it outlives them; what is for people decides nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/summary/query.h"
#include "analyzer/variance/local_source.h"

namespace ranklint {

struct SeenValue {
  enum class Kind : uint8_t { Unknown, None, Bool, Integer, Text, Name, Sequence };
  enum class Ranks : uint8_t { None, World, Node, Others };  // all of the job, those of one machine, or of other groups
  Kind kind = Kind::Unknown;
  bool believed = false;        // only a name says that ranks' values differ
  bool counts_devices = false;  // it is how many devices this machine has
  int64_t integer = 0;          // Bool, Integer; Sequence: how many
  std::string text;  // Text: the content, of a number with a point its digits; Name: of a function, class or constant
  std::string spelled;        // for people, as one would write it; empty when it has no short form
  std::string axes;           // for people, along which ranks' values differ: "dp-cp"; empty: along none that is known
  Ranks along = Ranks::None;  // the same
  LocalSource local_source = LocalSource::None;  // what a rank alone sees of it
  std::string local;                             // the same for people: "clock"; empty: nothing
  // Among which ranks it counts, where it is the rank's own number there, or a text or a list around that number alone.
  Ranks counts = Ranks::None;
  bool is_own_rank = false;        // this rank's number in the world, as it is
  bool is_offset = false;          // the rank and a number that all have alike, `rank - 1`: at one end no rank has it
  bool is_reduced = false;         // some number in it is smaller than what it is made of: `rank % n`, `rank - n`
  bool combines = false;           // it is made of several numbers, or looked up: `node * n + i`, `ranks[i]`
  bool is_choice = false;          // nothing says which of several values it is
  std::optional<int64_t> product;  // of a sequence of positive numbers
  std::string key;                 // the constant text that it is looked up by: `batch["labels"]`
  uint32_t term = 0;               // two values with one number are one; nothing else follows from it
  std::optional<int64_t> rank;     // of a condition that holds on this one rank of the world and on no other
  bool differs_by_rank() const { return along != Ranks::None; }
  bool diverges() const { return differs_by_rank() || !local.empty(); }
  bool is_constant() const {
    return kind == Kind::None || kind == Kind::Bool || kind == Kind::Integer || kind == Kind::Text;
  }
};

SeenValue see(const Query& in, ValueId v);
// What a branch asks. Ranks that answer alike in every job do not part.
SeenValue see_asked(const Query& in, ValueId condition);

}  // namespace ranklint
