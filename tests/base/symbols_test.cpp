#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "analyzer/base/symbols.h"

namespace ranklint {

TEST_CASE("a spelling has one symbol however often it is interned") {
  SymbolTable table;
  const Symbol rank = table.intern("rank");
  CHECK(table.intern("world") != rank);
  CHECK(table.intern("rank") == rank);
  CHECK(table.text(rank) == "rank");
  CHECK(table.size() == 2);
}

TEST_CASE("a spelling that was never interned has no symbol") {
  const SymbolTable table;
  CHECK_FALSE(table.find("rank").valid());
  CHECK(table.text(Symbol{}).empty());
}

TEST_CASE("symbols stay valid when their table moves") {
  SymbolTable table;
  const Symbol rank = table.intern("rank");
  const SymbolTable moved = std::move(table);
  CHECK(moved.find("rank") == rank);
  CHECK(moved.text(rank) == "rank");
}

TEST_CASE("a temporary has the same symbol in every table, and no room in one") {
  SymbolTable table, other;
  table.intern("rank");
  const Symbol third = table.intern("%2"), far = table.intern("%5000");
  CHECK(SymbolTable::is_temporary(third));
  CHECK(other.intern("%2") == third);
  CHECK(table.size() == 1);
  for (const Symbol s : {third, far}) CHECK(table.find(table.text(s)) == s);
  CHECK(table.text(far) == "%5000");
  CHECK_FALSE(other.find("%5000").valid());
  other.add_temporaries_of(table);
  CHECK(other.text(far) == "%5000");
}

TEST_CASE("what only resembles a temporary is a spelling as any other") {
  SymbolTable table;
  for (const char* text : {"%", "%x", "%01", "%-1", "%1x", "%16777216", "%99999999999", "1"}) {
    const Symbol symbol = table.intern(text);
    CHECK_FALSE(SymbolTable::is_temporary(symbol));
    CHECK(table.text(symbol) == text);
    CHECK(table.find(text) == symbol);
  }
  CHECK(table.text(table.intern("%16777215")) == "%16777215");
}

TEST_CASE("spellings of every length stay where they are") {
  SymbolTable table;
  std::vector<std::string_view> views;
  for (size_t length = 0; length < 6000; length += 7)
    views.push_back(table.text(table.intern(std::string(length, 'x'))));
  for (size_t i = 0; i < views.size(); ++i) CHECK(views[i] == std::string(7 * i, 'x'));
}

}  // namespace ranklint
