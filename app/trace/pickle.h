// Pickled plain data as JSON: None, truth values, numbers, text, lists, tuples, dictionaries.
//
// A pickle is a program for a stack machine, and Python's own reader runs all that it names. This one knows the
// instructions that make plain data and no others: an instruction that would import, call or build something ends the
// reading with an error that names it. The bytes are not trusted: lengths are compared with what is left before
// anything is taken, the number of values has a limit, and so has the length of their text beyond the pickle's own
// length; a value that occurs in several places counts in each, so that a short pickle cannot become a large value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "analyzer/base/result.h"

namespace ranklint::app {

inline constexpr size_t kMostPickledValues = size_t{8} << 20;
inline constexpr size_t kMostRepeats =
    256;  // of a text, where the pickle is little more than that: file names repeat often

// `shown` is the file's name in errors, which state the byte. Keys of dictionaries that are no text become text; bytes
// that are no UTF-8 are kept as they are.
Result<nlohmann::json> read_pickle(std::string_view bytes, const std::string& shown);

}  // namespace ranklint::app
