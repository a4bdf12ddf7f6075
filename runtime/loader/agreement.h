// How ranks of a group fail together.
//
// A loader that throws on one rank leaves the others in a collective forever, and half the public loaders do. Here no
// rank enters a collective that moves data before all have said that they can: every step ends in an all_reduce(max) of
// each rank's outcome. Only when that says that somebody failed do the ranks talk on, and then all of them: the lowest
// failing rank tells its error, and every rank returns it.
#pragma once

#include <span>
#include <string_view>

#include "runtime/base/error.h"
#include "runtime/group/process_group.h"

namespace ranklint::runtime {

// Something that must be the same on all ranks: a text that ends "ranks do not have the same ...", and its fingerprint.
struct Claim {
  std::string_view what;
  uint64_t fingerprint = 0;
};

// Every member calls it with its own outcome and claims of the same number. The same Status on every member; an error
// begins with "rank R: ", R a global rank. Throws only what the group's collectives throw.
Status agree(ProcessGroup& group, const Status& mine, std::span<const Claim> claims = {}, Device device = Device::Host,
             Site site = Site::here());

}  // namespace ranklint::runtime
