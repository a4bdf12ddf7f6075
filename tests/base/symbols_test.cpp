#include <catch2/catch.hpp>

#include <utility>

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

}  // namespace ranklint
