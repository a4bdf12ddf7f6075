// Valid Python that the grammar can not read, in a spelling that it can.
//
// The grammar lacks four things. A line within brackets may not be indented less than the statement, unless the bracket
// could close there. A type parameter has no default (PEP 696). Outside of brackets and in subscripts a star stands
// before a name and nothing else. In an annotation a name with a subscript is a generic type, so that the result has no
// subscript and the first one is no slice. The other spelling has the same length, so that every byte stays where it
// is; what it changes is put back in the tree:
//
//     (a +⏎ b)             (a +  b)             places are counted in bytes, and lines from the source
//     class C[T = int]     class C[T      ]     a default is computed when somebody asks for it: never, to us
//     x, *(0,) * n         x,  (0,) * n         a splat is put around the operand
//     x: table[0][1]       x: 11111[0][1]       the number becomes the name again
//
// It is for text that has been read with errors, and is good where it is read with none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ranklint::python {

struct Respelling {
  struct Star {
    uint32_t begin, operand;  // in bytes
  };
  std::string text;
  std::vector<Star> stars;      // that were taken out, in their order
  std::vector<uint32_t> names;  // where they begin, in their order
  bool changed = false;         // is `text` another one than the source's?
};

Respelling respelling_of(std::string_view source);

}  // namespace ranklint::python
