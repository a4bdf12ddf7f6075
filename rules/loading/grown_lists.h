// Lists whose length is known only after a loop has run: each iteration adds as many elements as a call gives, or none.
//
//     for group in groups:
//         picked += draw(group)                        # as many as there are
//     mine = [x for x in items if wanted(x)]           # those that are wanted
//
// Silent where the code handles the length: it reads it, cuts the list, or leaves the loop early.
#pragma once

#include <string>

#include "analyzer/questions/code.h"
#include "analyzer/resolve/roles.h"

namespace ranklint {

// The words of what the loop goes over and of what it brings (see words_of) for the list that `name` holds at `at`;
// empty: its length may be known.
std::string words_of_open_growth(const Roles& roles, const FunctionCode& code, Symbol name, ProgramPoint at);

// Whether the function asks how long the list or tensor is, or takes a part of it.
bool cares_for_length(const Roles& roles, const FunctionCode& code, Symbol name);

}  // namespace ranklint
