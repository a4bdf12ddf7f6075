#include <catch2/catch.hpp>

#include "app/files/glob.h"
#include "app/files/ignore.h"
#include "app/files/paths.h"

using namespace ranklint::app;

namespace {

bool matches(std::string_view pattern, std::string_view path) {
  const std::optional<Glob> glob = Glob::compile(pattern);
  return glob && glob->matches(path);
}

}  // namespace

TEST_CASE("a star stays inside a component, two stars span several") {
  CHECK(matches("*.py", "a.py"));
  CHECK_FALSE(matches("*.py", "a/b.py"));
  CHECK(matches("**/b.py", "b.py"));
  CHECK(matches("**/b.py", "x/y/b.py"));
  CHECK_FALSE(matches("**/b.py", "x/ab.py"));
  CHECK(matches("a/**/b", "a/b"));
  CHECK(matches("a/**/b", "a/x/y/b"));
  CHECK_FALSE(matches("a/**/b", "ab"));
  CHECK(matches("a/**", "a/x/y"));
  CHECK_FALSE(matches("a/**", "a"));
  CHECK_FALSE(matches("a**b", "a/b"));
  CHECK(matches("a**b", "axb"));
}

TEST_CASE("brackets are sets, with ranges, negation and named classes") {
  CHECK(matches("[a-c]", "b"));
  CHECK_FALSE(matches("[!a-c]", "b"));
  CHECK(matches("[]a]", "]"));
  CHECK(matches("[a-]", "-"));
  CHECK(matches("[[:digit:]]", "7"));
  CHECK_FALSE(matches("[^x]", "/"));
  CHECK_FALSE(Glob::compile("[a").has_value());
}

TEST_CASE("a backslash takes away a meaning") {
  CHECK(matches("\\*", "*"));
  CHECK_FALSE(matches("\\*", "x"));
  CHECK_FALSE(Glob::compile("a\\").has_value());
}

TEST_CASE("a hostile pattern takes no longer than any other") {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  CHECK_FALSE(matches(pattern + "b", std::string(2000, 'a')));
}

TEST_CASE("what lies in a folder that is left out is left out") {
  IgnorePatterns patterns("/p");
  patterns.add_text("vendor/\n!vendor/keep.py\n*.gen.py\n");
  CHECK(patterns.leaves_out("/p/x/vendor/keep.py", false));
  CHECK(patterns.leaves_out("/p/a.gen.py", false));
  CHECK_FALSE(patterns.leaves_out("/p/vendor", false));  // a file of that name
  CHECK_FALSE(patterns.leaves_out("/elsewhere/vendor/a.py", false));
}

TEST_CASE("paths are made absolute and shown relative to where one is") {
  CHECK(absolute_path("a/./b/../c/", "/w") == "/w/a/c");
  CHECK(absolute_path("../../../x", "/w") == "/x");
  CHECK(absolute_path("/", "/w").empty());
  CHECK(shown_path("/w/a.py", "/w") == "a.py");
  CHECK(shown_path("/www/a.py", "/w") == "/www/a.py");
  CHECK(shown_path("/w", "/w") == ".");
}
