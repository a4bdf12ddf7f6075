// Where a Python file is cut into sections, each of which is parsed for itself.
//
// A definition at the left margin begins a statement of the module, whatever stands before it: no bracket that is open
// and no half-written line can go on with `def`, `class` or a decorator. Only a string can hold one. So a cut needs no
// parser, and the trees of the sections, one after the other, are the tree of the file. What it is for: a mistake in
// one section does not reach the next (the parser's own recovery gives up whole functions after a bracket that is
// still open), and an editor parses again only the section that is typed into.
//
// A long section is cut at other statements, too, where no bracket is open: so what the parser needs for its own tree,
// which is many times the text, does not grow with the file. Only a single statement, a class with its body say, is
// never cut here; a long bracket in one is read in pieces (brackets.h).
#pragma once

#include <string_view>
#include <vector>

namespace ranklint::python {

// Together they are the source. At least one; only the first may begin with something else than a definition.
std::vector<std::string_view> sections_of(std::string_view source);

}  // namespace ranklint::python
