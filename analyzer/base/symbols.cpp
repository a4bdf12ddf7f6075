#include "analyzer/base/symbols.h"

namespace ranklint {

Symbol SymbolTable::intern(std::string_view text) {
  if (auto found = numbers_.find(text); found != numbers_.end()) return Symbol{found->second};
  const auto number = static_cast<uint32_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(texts_.back(), number);
  return Symbol{number};
}

Symbol SymbolTable::find(std::string_view text) const {
  auto found = numbers_.find(text);
  return found == numbers_.end() ? Symbol{} : Symbol{found->second};
}

std::string_view SymbolTable::text(Symbol symbol) const {
  return symbol.valid() ? std::string_view(texts_[symbol.index]) : std::string_view();
}

}  // namespace ranklint
