#include <catch2/catch.hpp>

#include "app/trace/pickle.h"
#include "tests/support/support.h"

using namespace ranklint;
using namespace ranklint::app;
using Catch::Contains;

namespace {

using namespace std::string_literals;

std::string read(const std::string& bytes) {
  const Result<nlohmann::json> value = read_pickle(bytes, "d");
  return value.has_value() ? value.value().dump() : value.error().path + ": " + value.error().message;
}

}  // namespace

TEST_CASE("plain data is read: numbers, text, nothing, lists, tuples, dictionaries") {
  CHECK(read("\x80\x02K\x07."s) == "7");
  CHECK(read("\x80\x02M\x01\x02."s) == "513");
  CHECK(read("\x80\x02J\xfe\xff\xff\xff."s) == "-2");
  CHECK(read("\x80\x02G\x40\x0c\x00\x00\x00\x00\x00\x00."s) == "3.5");
  CHECK(read("\x80\x02\x8a\x02\x00\xff."s) == "-256");
  CHECK(read("\x80\x02X\x03\x00\x00\x00"
             "abc."s) == "\"abc\"");
  CHECK(read("\x80\x02](K\x01\x88\x89Ne."s) == "[1,true,false,null]");
  CHECK(read("\x80\x02K\x01K\x02\x86."s) == "[1,2]");
  CHECK(read("\x80\x02}(X\x01\x00\x00\x00"
             "aK\x01K\x05K\x06u."s) == R"({"5":6,"a":1})");
}

TEST_CASE("what was kept is fetched again") {
  CHECK(read("\x80\x02](X\x01\x00\x00\x00"
             "aq\x00h\x00h\x00"
             "e."s) == R"(["a","a","a"])");
}

TEST_CASE("a list that is kept and filled afterwards is filled wherever it is, and one that holds itself is an error") {
  CHECK(read("\x80\x02]q\x00K\x07"
             "ah\x00\x86."s) == "[[7],[7]]");
  CHECK_THAT(read("\x80\x02]q\x00h\x00"
                  "a."s),
             Contains("nested too deeply"));
}

TEST_CASE("all protocols that Python writes are read") {
  for (const char* name : {"protocol-3", "protocol-4", "protocol-5"}) {
    const std::string bytes = test::read_file(test::source_path("testdata/fuzz/pickle_fuzz/"s + name));
    const Result<nlohmann::json> value = read_pickle(bytes, name);
    REQUIRE(value.has_value());
    CHECK(value.value()["a"].dump() == "[1,-2,3.5,1.1805916207174113e+21,-1.1805916207174113e+21,null,true]");
    CHECK(value.value()["same"].dump() == R"([["s"],["s"],["s"]])");
    CHECK(value.value()[R"(["c",2])"]["x"] == "\xc3\xa9");
  }
}

TEST_CASE("a pickle that asks for code is refused, and the code is named") {
  CHECK(read("\x80\x02"
             "cos\nsystem\n(X\x02\x00\x00\x00lstR."s) ==
        "d: at byte 2: the pickle asks to import and run code (`os.system`), which no dump of the flight recorder "
        "does; it was not run");
  CHECK_THAT(read("\x80\x04\x8c\x02os\x8c\x06system\x93."s),
             Contains("at byte 14: the pickle asks to import and run code"));
  for (const char op : {'R', 'b', 'o', '\x81', '\x92', 'P', 'Q'})
    CHECK_THAT(read("\x80\x02K\x01K\x02("s + op + "."), Contains("asks to run code"));
}

TEST_CASE("a pickle that is cut short says where") {
  const std::string whole = test::read_file(test::source_path("testdata/trace/checkpoint/pickles/trace_rank_0"));
  for (size_t length = 1; length < whole.size(); length += 7) {
    const Result<nlohmann::json> value = read_pickle(std::string_view(whole).substr(0, length), "d");
    REQUIRE_FALSE(value.has_value());
    CHECK_THAT(value.error().message, Contains("at byte ") && Contains("cut short"));
  }
}

TEST_CASE("a damaged pickle is an error and no crash") {
  CHECK_THAT(read("\x80\x02"
                  "e."s),
             Contains("there is no mark"));
  CHECK_THAT(read("\x80\x02s."s), Contains("a value is missing"));
  CHECK_THAT(read("\x80\x02K\x01K\x02K\x03s."s), Contains("no dictionary to add to"));
  CHECK_THAT(read("\x80\x02h\x07."s), Contains("value 7 was never kept"));
  CHECK_THAT(read("\x80\x02."s), Contains("ends with 0 values"));
  CHECK_THAT(read("\x80\x09."s), Contains("protocol 9"));
  CHECK_THAT(read("\x80\x02\xff."s), Contains("no pickle of plain data"));
  CHECK_THAT(read("\x80\x02X\xff\xff\xff\xff."s), Contains("cut short"));
}

TEST_CASE("a short pickle can not become a large value or a deep one") {
  std::string bomb =
      "\x80\x02K\x01q\x00"
      "0"s;
  for (char round = 0; round < 60; ++round)
    bomb += "h"s + round + "h" + round + "\x86q" + static_cast<char>(round + 1) + "0";
  CHECK_THAT(read(bomb + "h\x3c."), Contains("too many values"));
  std::string deep = "\x80\x02N"s;
  for (int i = 0; i < 100000; ++i) deep += '\x85';
  CHECK_THAT(read(deep + "."), Contains("nested too deeply"));
}

TEST_CASE("a text may be repeated as file names are, and not until a short pickle is a large value") {
  const std::string kept = "\x80\x02](X\x00\x80\x00\x00"s + std::string(32768, 'a') + "q\x00"s;
  const auto repeated = [&](int times) {
    std::string bytes = kept;
    for (int i = 0; i < times; ++i) bytes += "h\x00"s;
    return read(bytes + "e.");
  };
  CHECK(repeated(200).size() > size_t{200} * 32768);
  CHECK_THAT(repeated(1000), Contains("repeats a text too often"));
}
