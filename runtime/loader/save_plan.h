// Who writes what: every rank says which parts it holds, and each works out the same manifest from that.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/loader/manifest.h"
#include "runtime/loader/save.h"

namespace ranklint::runtime {

// What a rank tells the others about its parts, as JSON.
Result<std::string> describe_parts(std::span<const OwnPart> parts);

struct SavePlan {
  Manifest manifest;  // without the files' sizes and fingerprints
  // Per rank of the group: the names of the tensors of which it writes its part.
  std::vector<std::set<std::string>> writes;
};

std::string part_file_name(uint64_t generation, int rank);
bool is_part_file_name(std::string_view name);  // of any generation and rank, or the temporary name of one

// `descriptions`: by rank.
Result<SavePlan> plan_save(std::span<const std::string> descriptions, uint64_t generation, const std::string& folder);

}  // namespace ranklint::runtime
