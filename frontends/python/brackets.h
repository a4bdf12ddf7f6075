// Where a long bracket is cut, so that the parser never has all of it at once.
//
// A table of data is one statement: one bracket with more elements than the parser's own tree has room for. Its commas
// separate elements that are whole by themselves, so the bracket with its first elements alone says what surrounds it
// (the outline), and each further group of elements can be read in a bracket of its own (a piece):
//
//     table = [⏎ row(1),⏎ row(2),⏎ row(3)⏎]        table = [⏎ row(1),]        [⏎ row(2),]        [⏎ row(3)⏎,]
//
// A comma that does not separate elements stands in the head of a lambda or a comprehension, or between the items of a
// `with`: a bracket with one of their words is left whole.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ranklint::python {

struct LongBracket {
  size_t open = 0;            // where it opens
  std::vector<size_t> cuts;   // after commas: the outline has it up to the first of them, and from each a piece begins
  size_t close = 0;           // where it closes
  bool last_is_open = false;  // a comma has to be put after the last element for it to be a piece
};

// Those that are longer than `longest` and that can be cut, by where they open: none lies in a piece of another one. A
// piece ends with the first element that makes it as long as that.
std::vector<LongBracket> long_brackets_of(std::string_view text, size_t longest);

}  // namespace ranklint::python
