// What a project says of the version of a library, as Python's packaging (PEP 508), conda and Poetry write it:
//
//     torch>=1.13,<2     pytorch-lightning==1.9.*     lightning~=1.8     conda-forge::pytorch=1.13
//     torch^1.13
//
// A version counts by its numbers alone: `2.0.0rc1` and `2.0.0+cu118` are 2.0.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ranklint {

using Version = std::vector<uint32_t>;  // 1.9 is {1, 9}

struct LibraryRequirement {
  std::string package;  // in small letters, with `-` between words
  // The first version that is allowed, and the first that is too new; empty: there is no such bound.
  Version from, below;
};

// None: it is no requirement, or says nothing of the version.
std::optional<LibraryRequirement> read_requirement(std::string_view text);

// Whether it is a requirement with a first version: `torch>=2.2`.
bool is_first_version(std::string_view text);

// 1.9 and 1.9.0 are the same.
bool is_before(const Version& a, const Version& b);

// Whether each version that `stated` allows is too old for `needed`, or each is new enough. Of the same package.
bool is_too_old(const LibraryRequirement& stated, const LibraryRequirement& needed);
bool is_new_enough(const LibraryRequirement& stated, const LibraryRequirement& needed);

}  // namespace ranklint
