// What the hang programs share. Each folder beside this file holds one story: wrong.cpp, which can not finish, fixed.cpp,
// which does, and verdict.json, what the watchdog says of the wrong one. A fixed program looks at its numbers itself.
#pragma once

#include <string>
#include <vector>

#include "runtime/group/device_mesh.h"
#include "runtime/group/world.h"

namespace hangs {

using namespace ranklint::runtime;

inline Tensor floats(std::vector<float> values) {
  const auto count = static_cast<int64_t>(values.size());
  return Tensor::from(std::move(values), {count});
}

// An error of this rank, and so of its world, when a number is not the one that it must be.
inline void expect(const std::string& what, double found, double wanted) {
  if (found != wanted)
    fail(ErrorKind::InvalidArgument, what + " is " + std::to_string(found) + ", not " + std::to_string(wanted));
}

}  // namespace hangs
