// A small model as a checkpoint, and what each rank is to get of it.
#pragma once

#include "runtime/loader/load.h"
#include "runtime/loader/writer.h"
#include "runtime/sharded/dtensor.h"
#include "tests/runtime_loader/files.h"
#include "tests/runtime_loader/ranks.h"

namespace ranklint::runtime::test {

constexpr LoadStrategy kStrategies[] = {LoadStrategy::RankZeroReads, LoadStrategy::EveryRankReads,
                                        LoadStrategy::EachReadsItsShard};

struct Stored {
  std::string name;
  Tensor tensor;
  int64_t shard_dim = -1;  // -1: kept whole by every rank
};

inline std::vector<Stored> model() {
  return {{"bias", Tensor::arange(7, DType::F64), 0},
          {"columns", Tensor::arange(6 * 10).reshape({6, 10}), 1},
          {"empty", Tensor::zeros({0, 3}, DType::BF16), 1},
          {"norm", Tensor::arange(9, DType::F16)},
          {"rows", Tensor::arange(5 * 6, DType::I32).reshape({5, 6}), 0},
          {"step", Tensor::arange(1, DType::I64).reshape({})},
          {"cube", Tensor::arange(3 * 4 * 5).reshape({3, 4, 5}), 1}};
}

inline uint64_t total_bytes(const std::vector<Stored>& stored) {
  uint64_t bytes = 0;
  for (const Stored& tensor : stored) bytes += tensor.tensor.size_bytes();
  return bytes;
}

inline Placement placement_of(const Stored& stored) {
  return stored.shard_dim < 0 ? Placement(Replicate{}) : Placement(Shard{stored.shard_dim});
}

inline Box part_of(const Stored& stored, int rank, int ranks) {
  return box_of(local_shape_and_offset(stored.tensor.shape(), {ranks}, {rank}, {placement_of(stored)}));
}

inline std::vector<Wanted> wanted_by(int rank, int ranks, const std::vector<Stored>& stored) {
  std::vector<Wanted> out;
  for (const Stored& s : stored)
    out.push_back(
        {.name = s.name, .shape = s.tensor.shape(), .dtype = s.tensor.dtype(), .part = part_of(s, rank, ranks)});
  return out;
}

inline Tensor expected_part(const Stored& stored, const Box& part) {
  Tensor out = stored.tensor;
  for (size_t d = 0; d < part.sizes.size(); ++d)
    out = out.narrow(static_cast<int64_t>(d), part.offsets[d], part.sizes[d]);
  return out;
}

// Two files and their index.
inline void write_model(const TemporaryFolder& folder, const std::vector<Stored>& stored) {
  std::vector<NamedBytes> files[2];
  std::string map;
  for (size_t i = 0; i < stored.size(); ++i) {
    files[i % 2].push_back(named_bytes(stored[i].name, stored[i].tensor));
    map += (i ? ",\"" : "\"") + stored[i].name + "\":\"s" + std::to_string(i % 2) + "\"";
  }
  for (size_t i = 0; i < 2; ++i) REQUIRE(write_safetensors(folder.path("s" + std::to_string(i)), files[i]));
  folder.write("model.safetensors.index.json", "{\"weight_map\":{" + map + "}}");
}

inline void check_parts(const std::vector<Result<Loaded>>& results, const std::vector<Stored>& stored) {
  const int ranks = static_cast<int>(results.size());
  for (int rank = 0; rank < ranks; ++rank) {
    const Loaded& loaded = success(results[static_cast<size_t>(rank)]);
    REQUIRE(loaded.tensors.size() == stored.size());
    for (const Stored& s : stored) {
      INFO("rank " << rank << ", " << s.name);
      CHECK(loaded.tensors.at(s.name).bit_equal(expected_part(s, part_of(s, rank, ranks))));
    }
  }
}

}  // namespace ranklint::runtime::test
