#include <catch2/catch.hpp>

#include "analyzer/base/line_index.h"

namespace ranklint {

TEST_CASE("an offset has a line and a column, and they have the offset") {
  const LineIndex lines("ab\n\nc\r\nd");
  CHECK(lines.range(0, 2) == SourceRange{1, 1, 1, 3});
  CHECK(lines.range(2, 3) == SourceRange{1, 3, 2, 1});  // the "\n" is the last byte of its line
  CHECK(lines.range(4, 7) == SourceRange{3, 1, 4, 1});
  CHECK(lines.range(7, 8) == SourceRange{4, 1, 4, 2});
  CHECK(lines.offset(3, 1) == 4);
  CHECK(lines.offset(4, 2) == 8);
}

TEST_CASE("a text has a line behind its last line end, and none beyond") {
  CHECK(LineIndex("").range(0, 0) == SourceRange{1, 1, 1, 1});
  const LineIndex lines("a\n");
  CHECK(lines.range(2, 2) == SourceRange{2, 1, 2, 1});
  CHECK(lines.offset(2, 1) == 2);
  CHECK(lines.count() == 2);
  CHECK(LineIndex("").count() == 1);
  CHECK_FALSE(lines.offset(3, 1));
  CHECK_FALSE(lines.offset(0, 1));
  CHECK_FALSE(lines.offset(1, 0));
}

}  // namespace ranklint
