// Ranks for a test: bodies that say what they expect, and one place where the world is judged.
#pragma once

#include <functional>
#include <string>

#include "runtime/group/world.h"

namespace ranklint::runtime::test {

// Runs `body` as each of `world_size` ranks and checks that all of them finished.
void on_ranks(int world_size, const std::function<void(RankContext&)>& body);

// For use inside of a body (Catch2's macros are not for several threads): ends the rank with `what`.
void expect(bool holds, const std::string& what);

// The error that `f` ends with; ends the rank when there is none.
Error error_of(const std::function<void()>& f);

// The collectives of a rank's flight record by their order: "all_gather 12", with the elements of the larger side.
std::vector<std::string> calls_in(const std::string& flight_record);

}  // namespace ranklint::runtime::test
