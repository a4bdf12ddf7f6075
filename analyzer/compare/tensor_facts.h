// What is known about distributed tensors, sharded models and where both come from, for the rules of the packs dtensor,
// fsdp and loading.
#pragma once

#include <string>
#include <vector>

#include "analyzer/messages/messages.h"
#include "analyzer/summary/summary.h"

namespace ranklint {

// A tensor that is distributed from one rank although every rank of the mesh has it.
struct Distribution {
  enum class Held { ReadByEveryRank, Broadcast };
  FunctionKey function;  // that calls what distributes
  SourceRange range;
  std::string called;           // as it is called there: "distribute_tensor", "dtensor_factory"
  SourceRange copied;           // the copy_ that takes the result; unknown: none does
  bool own_placements = false;  // the placements are those of a tensor, not written out
  Held held = Held::ReadByEveryRank;
  FunctionKey held_in;  // where it was read or broadcast
  SourceRange held_at;
  FunctionKey passed_by;  // who hands the function over that distributes; invalid: nobody, it is called by its name
  SourceRange passed_at;
  Assurance certainty = Certainty::Likely;
};

// A place, and another that explains it.
struct Spot {
  FunctionKey function;
  SourceRange range;
  std::string name;      // what stands there, in one word
  FunctionKey other_in;  // invalid: there is no other
  SourceRange other;
  std::string other_name;
  Assurance certainty = Certainty::Likely;
};

struct TensorFacts {
  Messages messages;  // that ranks wait for in vain
  std::vector<Distribution> distributions;
  std::vector<Spot> host_syncs;  // FSDP with sync_module_states and a module on the host; other: where it was made
  std::vector<Spot> meta_uses;   // a module without storage is wrapped; other: where it was made
  std::vector<Spot> foreign_receivers;  // a buffer of a type of its own that a broadcast fills; other: the broadcast
  std::vector<Spot>
      fixed_receivers;  // a buffer of a size of its own for what was counted in a loop; other: the broadcast
  std::vector<Spot> mixed_operands;  // a DTensor and a plain tensor in one operation
  std::vector<Spot> thin_chunks;     // a chunk picked by a mesh coordinate
  std::vector<Spot> device_copies;   // a whole tensor brought to the device to be distributed; other: the copy
  std::vector<Spot>
      misplaced;  // from_local with a placement that the data does not have; other: where that follows from
  std::vector<Spot> uneven_gathers;     // from_local of data of any length, made whole at once
  std::vector<Spot> sharded_norms;      // plain gradient clipping of a model that FSDP shards
  std::vector<Spot> local_norms;        // a norm of sharded gradients that is read without being made whole
  std::vector<Spot> unsorted_picks;     // a rank picks out of a listing; other: the listing
  std::vector<Spot> early_reads;        // all ranks read what rank 0 is writing; other: the writing
  std::vector<Spot> skipped_exchanges;  // left out by ranks that have nothing to compute; other: the condition
  std::vector<Spot> swapped_receives;   // into a tensor that is sent at another turn; other: what is sent at this turn
  std::vector<Spot> early_devices;      // chosen by a local rank that is given further down; other: where it is given
  std::vector<Spot> generated_gathers;  // tokens of a length that each rank has generated; other: where
  std::vector<Spot> shared_writes;      // all ranks write one file; other: a collective that shows that all are there
};

}  // namespace ranklint
