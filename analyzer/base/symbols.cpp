#include "analyzer/base/symbols.h"

namespace ranklint {

Symbol SymbolTable::intern(std::string_view text) {
  if (const Symbol known = find(text); known.valid()) return known;
  const auto number = static_cast<uint32_t>(size());
  texts_.emplace_back(text);
  numbers_.emplace(texts_.back(), number);
  return Symbol{number};
}

Symbol SymbolTable::find(std::string_view text) const {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return Symbol{found->second};
  return below_ ? below_->find(text) : Symbol{};
}

std::string_view SymbolTable::text(Symbol symbol) const {
  if (!symbol.valid()) return {};
  return symbol.index < first_ ? below_->text(symbol) : std::string_view(texts_[symbol.index - first_]);
}

}  // namespace ranklint
