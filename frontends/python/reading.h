// What a text was read as, before it has a place in its file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/python/syntax.h"

namespace ranklint::python {

// A comment that is addressed to us. The place is that of the address.
struct Comment {
  uint32_t begin = 0, end = 0;  // in bytes
  std::string text = {};
  bool own_line = false;
};

// What a text was read as. Places count from where it begins.
struct Reading {
  std::vector<Node> nodes = {};
  std::vector<Comment> comments = {};
  bool has_error = false;
};

// Reads the texts of one file (parse.cpp).
class TextParser {
 public:
  // `size_bytes`: of the file. The deadline that all its texts have together follows from it.
  explicit TextParser(size_t size_bytes);
  ~TextParser();

  // No value: it took too long.
  std::optional<Reading> read(std::string_view text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same, with each bracket that is longer than `longest` in pieces where it can be cut (pieces.cpp, brackets.h).
std::optional<Reading> read_in_pieces(TextParser& parser, std::string_view text, size_t longest);

}  // namespace ranklint::python
