// What collectives carry.
#pragma once

#include "analyzer/mpi_check/world.h"

namespace ranklint::mpi_check {

// Writes what every member gets of a collective of data that has arrived everywhere, and whose arguments fit.
void move_data(World& world, const Collective& collective);

// Writes what `to` holds together with what `from` does.
void carry_locally(World& world, uint32_t rank, const Buffer& from, const Buffer& to, const Operator& op);

}  // namespace ranklint::mpi_check
