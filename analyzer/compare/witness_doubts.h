// What the functions on a witness's way say in words that refutes it.
#pragma once

#include "analyzer/compare/facts.h"
#include "analyzer/compare/residual.h"
#include "analyzer/resolve/index.h"

namespace ranklint {

// Whether one of them keeps what it once returned, or asks for the key of what it made last, runs with one process,
// says which rank is there, names each of two ranks, makes a group of so many ranks or sets up a part of them, calls
// for the first so many with a group of theirs, hands over a model that nobody has wrapped, or not yet, deals out equal
// shares, or goes round for what an object has nothing of.
bool is_meant_otherwise(const ProjectIndex& index, const Mismatch& mismatch);

// Whether a function on the way goes through what is taken for the one group: some ranks have several.
bool is_of_several_groups(const Query& query, const Mismatch& mismatch);

// Whether a `with` block around one of the calls on the way gives a module's variable another value than was taken for
// it.
bool is_settled_by_context(const Query& query, const Mismatch& mismatch, const Choices& choices);

}  // namespace ranklint
