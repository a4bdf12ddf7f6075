// Path patterns as .gitignore writes them: `*` and `?` stay inside one component, `**` spans several.
//
// A pattern is compiled to a row of tokens and matched by keeping the set of tokens that the text read so far can
// stand before. So a match takes time proportional to pattern times text; a pattern like `*a*a*a*b`, which makes a
// backtracking matcher exponential, is as cheap as any other.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ranklint::app {

class Glob {
 public:
  // Nothing for a pattern that can match no path: an unclosed bracket, a trailing backslash.
  static std::optional<Glob> compile(std::string_view pattern);

  // Whether the whole path ('/'-separated, relative, no trailing '/') matches.
  bool matches(std::string_view path) const;

 private:
  enum class Kind : uint8_t {
    Byte,        // this byte
    AnyByte,     // ?
    Class,       // [...]
    Star,        // *: any bytes but '/'
    Components,  // **/ at the start of a component: any number of whole components
    Rest,        // ** at the end: everything
  };
  struct Token {
    Kind kind = Kind::Byte;
    unsigned char byte = 0;
    uint32_t set = 0;  // Class: index into sets_
  };
  using ByteSet = std::bitset<256>;

  // Reads a bracket expression that starts after `[`; returns the position after `]`, or npos.
  size_t compile_class(std::string_view pattern, size_t at);
  bool takes(const Token& token, unsigned char byte) const;
  // Whether the path begins and ends as every match of the pattern does, by the bytes that the pattern spells out.
  bool may_match(std::string_view path) const;

  std::vector<Token> tokens_;
  std::vector<ByteSet> sets_;
};

}  // namespace ranklint::app
