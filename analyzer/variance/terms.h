// What is asked of terms and done to them in many places.
#pragma once

#include <string_view>

#include "analyzer/resolve/builtins.h"
#include "analyzer/variance/derived.h"
#include "analyzer/variance/local_source.h"
#include "analyzer/variance/values.h"

namespace ranklint {

// The name of the function that a Pure is a call of; empty for other terms.
std::string_view function_of(const ValueStore& values, const ProjectIndex& index, ValueId v);
// Whether it is such a call of what the language gives.
bool is_call_of(const ValueStore& values, const ProjectIndex& index, ValueId v, Builtin builtin);

Derived derived_of(const ValueStore& values, const ProjectIndex& index, ValueId v);
ValueId derive(ValueStore& values, const ProjectIndex& index, Derived derived, std::span<const ValueId> parts);

// What this rank alone sees that the term depends on; no word: nothing.
struct SeenAlone {
  LocalSource source = LocalSource::None;
  std::string_view word;  // for people: "clock"
};
SeenAlone seen_alone(const ValueStore& values, const ProjectIndex& index, ValueId v);
LocalSource local_source(const ValueStore& values, const ProjectIndex& index, ValueId v);
// The same of the term itself, and not of a part.
LocalSource source_of(const Value& v, const SymbolTable& names);
// Whether the term itself is a number that a rank draws at random, or several.
bool is_drawn(const Value& v, const SymbolTable& names);
// Whether the term is what a rank alone sees as such, and not only made of it or drawn at random.
bool is_seen_alone(const Value& v, const SymbolTable& names);

// Whether it is made of the batch that this rank loaded, and says so where ranks are compared: its numbers, or what
// they were found to be.
bool is_of_batch(const ValueStore& values, const ProjectIndex& index, ValueId v);

// Whether a library's type is the one that is asked for, `FSDP`, or one of those, `(FSDP, DDP)`.
bool is_among_kinds(const ValueStore& values, const SymbolTable& names, Symbol type, ValueId asked);

// The parameter or closure variable that determines the callee: the callee itself, or the name of the method. Invalid:
// none does.
ValueId passed_by_caller(const ValueStore& values, const ProjectIndex& index, ValueId callee);

// The group that the object was made with, or that something computed with it was. Invalid: none that is known.
ValueId group_made_with(const ValueStore& values, const ProjectIndex& index, ValueId object);

// What the result of a reduction implies about each rank's own operand: `part` has the same truth on every rank
// wherever the result is true (`when_true`) or wherever it is false. Invalid part: nothing.
struct OwnPart {
  ValueId part;
  bool when_true = true;
};
OwnPart own_part_implied_by(const ValueStore& values, const ProjectIndex& index, ValueId v);

// Whether the term is computed of constants alone: only what they make is not known.
bool asks_numbers(const ValueStore& values, const ProjectIndex& index, ValueId v);

// Whether the term is computed of constants, of sizes of groups, and of what may have any value: what a caller gives,
// and what the rounds of a loop bring.
bool rests_on_given(const ValueStore& values, const ProjectIndex& index, ValueId v);

// Whether it is a list that is written down, with nothing in it.
bool is_empty_list(const ValueStore& values, ValueId v);

bool has_part(const ValueStore& values, ValueId whole, ValueId part);

// What `v` does, done to other parts, folded.
ValueId with_parts(ValueStore& values, ValueId v, std::span<const ValueId> parts);

}  // namespace ranklint
