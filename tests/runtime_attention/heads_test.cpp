#include <catch2/catch.hpp>

#include "runtime/attention/heads.h"

namespace ranklint::test {

namespace rt = ranklint::runtime;

TEST_CASE("KV heads divide, or repeat for several ranks") {
  const rt::HeadSplit divided = *rt::split_heads(8, 4, 2, false);
  CHECK(divided.kv_heads == std::vector<rt::Interval>{{0, 2}, {2, 4}});
  const rt::HeadSplit repeated = *rt::split_heads(8, 2, 4, false);
  CHECK(repeated.kv_heads == std::vector<rt::Interval>{{0, 1}, {0, 1}, {1, 2}, {1, 2}});
  CHECK(repeated.kv_head_of(8, 2, 3) == std::vector<int>{0, 0});
}

TEST_CASE("an uneven split gives the first ranks one head more, and each the KV heads that it reads") {
  const rt::HeadSplit split = *rt::split_heads(8, 4, 3, true);
  CHECK(split.q_heads == std::vector<rt::Interval>{{0, 3}, {3, 6}, {6, 8}});
  CHECK(split.kv_heads == std::vector<rt::Interval>{{0, 2}, {1, 3}, {3, 4}});
  CHECK(split.kv_head_of(8, 4, 0) == std::vector<int>{0, 0, 1});
  CHECK(split.kv_head_of(8, 4, 1) == std::vector<int>{0, 1, 1});
}

TEST_CASE("heads that do not fit are refused with numbers and a way out") {
  CHECK(rt::split_heads(8, 8, 3, false).error().message ==
        "8 heads and 8 KV heads over 3 ranks: the heads do not divide; use ring or U x R");
  CHECK(rt::split_heads(12, 6, 4, false).error().message ==
        "12 heads and 6 KV heads over 4 ranks: the KV heads neither divide nor repeat; use ring or U x R");
  CHECK(rt::split_heads(2, 1, 3, true).error().message ==
        "2 heads and 1 KV heads over 3 ranks: fewer heads than ranks; use ring or U x R");
  CHECK_FALSE(rt::split_heads(8, 3, 2, true));
}

TEST_CASE("heads are not divided over nobody") {
  CHECK(rt::split_heads(4, 4, 0, false).error().kind == rt::ErrorKind::InvalidArgument);
  CHECK(rt::split_heads(4, 4, -2, true).error().kind == rt::ErrorKind::InvalidArgument);
}

}  // namespace ranklint::test
