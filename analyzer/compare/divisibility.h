// Where sizes have to divide each other and nothing makes them.
#pragma once

namespace ranklint {

class Interpreter;
struct Facts;

// Fills Facts::size_hazards.
void find_size_hazards(Interpreter& interpreter, Facts& facts);

}  // namespace ranklint
