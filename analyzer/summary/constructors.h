// What constructors are given, also those of bases:
//
//     class Table(Base):
//         def __init__(self, path, shared=False):
//             super().__init__(path, shared)          # Table(path) has what Base keeps of path and False
#pragma once

#include <optional>

#include "analyzer/summary/query.h"

namespace ranklint {

bool is_constructor(const ProjectIndex& index, FunctionKey f);

// What the constructor `of` gets where an object of the class is made: its own arguments from the call that makes it,
// a base's from the derived constructor's call. Nothing: it is not called there, as far as is known.
std::optional<Binding> given_when_made(const Query& in, ClassKey c, ValueId object, FunctionKey of);

}  // namespace ranklint
