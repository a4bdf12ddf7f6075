// Interned strings: a symbol is a number that stands for one spelling in one table.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analyzer/base/ids.h"

namespace ranklint {

using Symbol = Id<struct SymbolTag>;

// Numbers are given in order of first use, so equal input gives equal numbers. Views stay valid as long as
// the table; the table moves but does not copy.
class SymbolTable {
 public:
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
  size_t size() const { return first_ + texts_.size(); }

 private:
  const SymbolTable* below_ = nullptr;
  uint32_t first_ = 0;             // of its own numbers
  std::deque<std::string> texts_;  // never moves its elements, so the keys below may point into it
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

}  // namespace ranklint
