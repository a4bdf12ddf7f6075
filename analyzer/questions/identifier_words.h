// What the words of an expression say: a number of ranks, a number of heads, a rank.
//
// Sizes come from configurations, so their values are not known, only their names; the names are the field's:
// `sp_size`, `get_ulysses_sequence_parallel_world_size()`, `num_key_value_heads`.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/questions/code.h"

namespace ranklint {

// All identifiers of an expression in small letters, each with a space before and after it; the result of a call
// has the words of the call.
std::string identifier_words(const FunctionCode& code, ir::ExprId e, ProgramPoint at, int depth = 0);
// The same, and of a variable also those of the calls that gave it its value: whose size `world_size` is.
std::string identifier_words_with_source(const FunctionCode& code, ir::ExprId e, ProgramPoint at);

// Whether one of the words has the meaning.
bool any_suggests(const NamePriors& priors, std::string_view words, NameMeaning meaning);
bool name_suggests_sequence_size(const NamePriors& priors, std::string_view words);  // or that of the world
bool name_suggests_degree(const NamePriors& priors, std::string_view words);         // ranks along any axis

}  // namespace ranklint
