// Which part of a collective's memory each rank sends to which other: gathers, scatters, all-to-alls, and those of
// neighbours.
#pragma once

#include <vector>

#include "analyzer/mpi_check/world.h"

namespace ranklint::mpi_check {

// One part on its way: from one member's memory into another's. Buffers begin where the part does.
struct Piece {
  const Part* from = nullptr;
  const Part* to = nullptr;
  Buffer sent = {}, received = {};
};

// All parts of a collective that has arrived everywhere. Empty where its memory is not known or it moves none.
std::vector<Piece> pieces_of(const World& world, const Collective& collective);

// The parts of one rank's own memory: what it sends, what it receives. Of a v-form nothing where its lists are not
// known.
std::vector<Buffer> sent_by(const Comm& comm, const Movement& moves, const Part& part, int64_t own);
std::vector<Buffer> received_by(const Comm& comm, const Movement& moves, const Part& part, int64_t own);

// The neighbours of a rank, in the order of the topology; `kProcNull` for none.
const std::vector<int64_t>& sources_of(const Comm& comm, size_t rank);
const std::vector<int64_t>& destinations_of(const Comm& comm, size_t rank);

}  // namespace ranklint::mpi_check
