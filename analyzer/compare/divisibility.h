// Where sizes have to divide each other and nothing makes them.
#pragma once

namespace ranklint {

class Query;
struct Facts;

// Fills Facts::size_hazards.
void find_size_hazards(const Query& query, Facts& facts);

}  // namespace ranklint
