// What collectives carry.
#pragma once

#include "analyzer/worlds/world.h"

namespace ranklint::worlds {

// Writes what every member gets of a collective of data that has arrived everywhere, and whose arguments fit.
void carry(World& world, const Collective& collective);

}  // namespace ranklint::worlds
