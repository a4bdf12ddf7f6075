// The boundary at which a rank's failure becomes a value.
#pragma once

#include <functional>
#include <optional>

#include "runtime/base/error.h"

namespace ranklint::runtime {

class RankContext;

// How the body ended; nullopt when it returned.
std::optional<Error> run_body(const std::function<void(RankContext&)>& body, RankContext& context);

}  // namespace ranklint::runtime
