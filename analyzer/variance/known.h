// What a term says where all that it is made of is written down or known on one rank: a number, a text or a list of
// these.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "analyzer/variance/computed.h"
#include "analyzer/variance/values.h"

namespace ranklint {

// Nothing: not all of it is known, or it is too much.
std::optional<KnownValue> known_of(ValueStore& values, const ProjectIndex& index, ValueId v);

// Whether it is made of nothing but what a world says and what is written down, so that it is known on a rank of one.
bool may_be_known(const ValueStore& values, const ProjectIndex& index, ValueId v);

ValueId term_of(ValueStore& values, const ProjectIndex& index, const KnownValue& known);

// A number, or a tuple of numbers: `3, 12`. Invalid: the text is something else.
ValueId value_stated(ValueStore& values, std::string_view text);

// What the function makes of terms that are known, or of each side of a choice. Invalid: it is not known.
ValueId computed_of(ValueStore& values, const ProjectIndex& index, Symbol function, std::span<const ValueId> given);

// `["a"] + ["b"]` where the lists are what they were when they were written down. Invalid: it is another sum, or too
// long a list.
ValueId lists_joined(ValueStore& values, ValueId left, ValueId right);

// What a comparison says of two that are known, at least one of which is a list or a text, and what repeats a list.
ValueId computed_of(ValueStore& values, const ProjectIndex& index, ir::Operator op, ValueId left, ValueId right);

}  // namespace ranklint
