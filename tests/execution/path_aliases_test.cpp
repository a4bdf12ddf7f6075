// Unknown values of two calls that are taken for one.
#include "analyzer/execution/path_aliases.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

struct Terms {
  ValueId unknown(uint32_t site, uint32_t path) { return values.leaf(ValueKind::Opaque, site, path); }
  ValueId is_none(ValueId v) { return values.binary(ir::Operator::Is, v, values.leaf(ValueKind::None)); }
  const Asked asked{"func f(x) {\n^entry:\n  return\n}\n"};
  ValueStore& values = asked.in().values();
};

}  // namespace

TEST_CASE("what is unknown on one path becomes what is unknown on the other, wherever it is a part") {
  Terms t;
  PathAliases aliases;
  aliases.add(2, 1);
  CHECK(aliases.rewrite(t.values, t.unknown(5, 2)) == t.unknown(5, 1));
  CHECK(aliases.rewrite(t.values, t.is_none(t.unknown(5, 2))) == t.is_none(t.unknown(5, 1)));
  const ValueId pair[] = {t.unknown(5, 2), t.unknown(6, 2)}, meant[] = {t.unknown(5, 1), t.unknown(6, 1)};
  CHECK(aliases.rewrite(t.values, t.values.node(ValueKind::Tuple, pair)) == t.values.node(ValueKind::Tuple, meant));
}

TEST_CASE("what is on other paths, or at other places of one, stays apart") {
  Terms t;
  PathAliases aliases;
  aliases.add(2, 1);
  CHECK(aliases.rewrite(t.values, t.unknown(5, 3)) == t.unknown(5, 3));
  CHECK(aliases.rewrite(t.values, t.unknown(5, 1)) == t.unknown(5, 1));
  CHECK(aliases.rewrite(t.values, t.unknown(6, 2)) != aliases.rewrite(t.values, t.unknown(5, 2)));
  CHECK(PathAliases().rewrite(t.values, t.unknown(5, 2)) == t.unknown(5, 2));
}

}  // namespace ranklint::test
