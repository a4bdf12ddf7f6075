#include "analyzer/base/symbols.h"

#include <algorithm>
#include <charconv>
#include <functional>

namespace ranklint {

Symbol SymbolTable::intern(std::string_view text) {
  if (const Symbol known = find(text); known.valid()) return known;
  if (const std::optional<uint32_t> number = number_of(text)) {
    add_temporaries(*number / kTemporaries);
    return Symbol{kFirstTemporary + *number};
  }
  const Symbol symbol{static_cast<uint32_t>(size())};
  texts_.push_back(keep(text));
  numbers_.add(std::hash<std::string_view>()(text), symbol);
  return symbol;
}

Symbol SymbolTable::find(std::string_view text) const {
  if (const std::optional<uint32_t> number = number_of(text)) {
    const Symbol symbol{kFirstTemporary + *number};
    return contains(symbol) ? symbol : Symbol{};
  }
  const Symbol known = numbers_.find(std::hash<std::string_view>()(text),
                                     [&](Symbol symbol) { return texts_[symbol.index - first_] == text; });
  return known.valid() || !below_ ? known : below_->find(text);
}

std::string_view SymbolTable::text(Symbol symbol) const {
  if (!symbol.valid()) return {};
  if (!is_temporary(symbol)) return symbol.index < first_ ? below_->text(symbol) : texts_[symbol.index - first_];
  const uint32_t number = symbol.index - kFirstTemporary;
  if (!has_temporary(number)) return below_ ? below_->text(symbol) : std::string_view();
  const char* const text = temporaries_[number / kTemporaries].get() + number % kTemporaries * kLongestTemporary;
  size_t length = 2;
  for (uint32_t rest = number; rest >= 10; rest /= 10) ++length;
  return {text, length};
}

bool SymbolTable::contains(Symbol symbol) const {
  if (!is_temporary(symbol)) return symbol.index < size();
  return has_temporary(symbol.index - kFirstTemporary) || (below_ && below_->contains(symbol));
}

// In this table itself, not in the one below.
bool SymbolTable::has_temporary(uint32_t number) const {
  const size_t piece = number / kTemporaries;
  return piece < temporaries_.size() && temporaries_[piece];
}

std::vector<Symbol> SymbolTable::pieces_of_temporaries() const {
  std::vector<Symbol> all;
  for (uint32_t piece = 0; piece < temporaries_.size(); ++piece)
    if (temporaries_[piece]) all.push_back({kFirstTemporary + piece * kTemporaries});
  return all;
}

void SymbolTable::add_temporaries_of(const SymbolTable& other) {
  if (other.below_) add_temporaries_of(*other.below_);
  for (size_t piece = 0; piece < other.temporaries_.size(); ++piece)
    if (other.temporaries_[piece]) add_temporaries(piece);
}

// As the builder spells them: no value for any other text.
std::optional<uint32_t> SymbolTable::number_of(std::string_view text) {
  if (text.size() < 2 || text.size() > kLongestTemporary || text[0] != '%' || (text[1] == '0' && text.size() > 2))
    return std::nullopt;
  uint32_t number = 0;
  const auto [at, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error != std::errc() || at != text.data() + text.size() || number >= kMostTemporaries) return std::nullopt;
  return number;
}

void SymbolTable::add_temporaries(size_t piece) {
  if (piece >= temporaries_.size()) temporaries_.resize(piece + 1);
  if (temporaries_[piece]) return;
  temporaries_[piece] = std::make_unique<char[]>(size_t{kTemporaries} * kLongestTemporary);
  for (uint32_t i = 0; i < kTemporaries; ++i) {
    char* const text = temporaries_[piece].get() + i * kLongestTemporary;
    text[0] = '%';
    std::to_chars(text + 1, text + kLongestTemporary, static_cast<uint32_t>(piece) * kTemporaries + i);
  }
}

std::string_view SymbolTable::keep(std::string_view text) {
  if (room_ < text.size()) {
    // A long one has a piece for itself.
    const size_t size = text.size() > kPiece / 4 ? text.size() : kPiece;
    letters_.push_back(std::make_unique_for_overwrite<char[]>(size));
    if (size != kPiece) {
      std::ranges::copy(text, letters_.back().get());
      return {letters_.back().get(), text.size()};
    }
    next_ = letters_.back().get();
    room_ = kPiece;
  }
  std::ranges::copy(text, next_);
  const std::string_view kept(next_, text.size());
  next_ += text.size();
  room_ -= text.size();
  return kept;
}

}  // namespace ranklint
