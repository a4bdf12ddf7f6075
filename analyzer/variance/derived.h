// What the analysis derives of other terms where no source calls a function for it. Such a term is a call (a Pure) of a
// name in angle brackets, so that it prints, and is identified by what it is.
#pragma once

#include <cstdint>
#include <string_view>

namespace ranklint {

enum class Derived : uint8_t {
  None,            // the source's own
  MoreRounds,      // whether a loop over child 0 goes round once more
  MissingBatch,    // whether a loader has none for child 0
  SomeValue,       // of child 0, surely not None
  OfColor,         // the members of a group that is made by child 0
  FromRoot,        // what buffer child 0 holds after a broadcast in each group by child 1, from root child 2
  Keywords,        // names and values: what a function takes as `**kwargs`
  Keyword,         // the entry of keywords child 0 that is called child 1; child 2: what is there otherwise
  Span,            // from one number to another: counts and their factors
  Dimension,       // the size of tensor child 0 along dimension child 1
  MadeWith,        // an object's group, which is child 0: a part of the object's term
  GroupOf,         // the group that child 0 was made with, the world if with none
  ImpliesOwn,      // of a reduction: where part child 1 of it is true (or, child 2, false), so is child 0 on every rank
  NamedAttribute,  // of object child 0, the attribute that child 1 names
  OfEach,  // what child 2 is for each element of child 0, where child 1 stands for one, and child 3 holds or is None
  FilledText,  // child 0: a text with a pair of braces for each other child
  Digits,      // number child 0, written as a text
};

// The name of the call; empty for None.
std::string_view name_of(Derived derived);
Derived derived_named(std::string_view name);

}  // namespace ranklint
