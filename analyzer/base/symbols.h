// Interned strings: a symbol is a number that stands for one spelling in one table.
//
// `%0`, `%1`, ... are what instructions call their results, as many as there are calls: a table keeps no entry for
// each. The number is in the symbol, the same in every table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/base/hash_index.h"
#include "analyzer/base/ids.h"

namespace ranklint {

using Symbol = Id<struct SymbolTag>;

// Numbers are given in order of first use, so equal input gives equal numbers. Views stay valid as long as
// the table; the table moves but does not copy.
class SymbolTable {
 public:
  static constexpr uint32_t kFirstTemporary = uint32_t{1} << 31;  // the symbol of %0
  static bool is_temporary(Symbol symbol) { return symbol.valid() && symbol.index >= kFirstTemporary; }
  // The same of a name's text, and of the names that lowering gives to what has none in the source.
  static bool is_unnamed(std::string_view name) { return name.starts_with('%'); }

  SymbolTable() = default;
  SymbolTable(SymbolTable&&) = default;
  SymbolTable& operator=(SymbolTable&&) = default;
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;
  // Laid over another, as a StableVector may be (analyzer/base/stable.h): it knows the spellings of both.
  static SymbolTable over(const SymbolTable& below) {
    SymbolTable above;
    above.below_ = &below;
    above.first_ = static_cast<uint32_t>(below.size());
    return above;
  }

  Symbol intern(std::string_view text);
  // The symbol of a spelling that is already in the table, or an invalid one.
  Symbol find(std::string_view text) const;
  // Empty for an invalid symbol.
  std::string_view text(Symbol symbol) const;
  bool contains(Symbol symbol) const;
  // Of the spellings but temporaries, whose symbols are the numbers below.
  size_t size() const { return first_ + texts_.size(); }
  // A temporary of each piece that the table has, and its spelling makes the piece one of any other table.
  std::vector<Symbol> pieces_of_temporaries() const;
  // Makes every temporary of the other table one of this.
  void add_temporaries_of(const SymbolTable& other);

 private:
  // The letters of this many temporaries, one after the other in as much room each.
  static constexpr uint32_t kTemporaries = 1024, kLongestTemporary = 9;
  static constexpr uint32_t kMostTemporaries = uint32_t{1} << 24;  // beyond, a spelling is one as any other
  static constexpr size_t kPiece = size_t{1} << 12;

  bool has_temporary(uint32_t number) const;
  static std::optional<uint32_t> number_of(std::string_view text);
  void add_temporaries(size_t piece);
  std::string_view keep(std::string_view text);

  const SymbolTable* below_ = nullptr;
  uint32_t first_ = 0;  // the number of its first own symbol; the table below has those before
  std::vector<std::string_view> texts_;
  HashIndex<Symbol> numbers_{1};
  std::vector<std::unique_ptr<char[]>> letters_;  // never move, so the views above may point into them
  char* next_ = nullptr;
  size_t room_ = 0;
  std::vector<std::unique_ptr<char[]>> temporaries_;  // null: none of these have been met
};

}  // namespace ranklint
