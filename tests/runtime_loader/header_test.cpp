// What a header may say, and every lie it may tell.
#include <catch2/catch.hpp>

#include <string>

#include "runtime/loader/header.h"

namespace ranklint::runtime::test {

namespace {

std::string entry(std::string_view dtype, std::string_view shape, std::string_view offsets) {
  return "{\"dtype\":\"" + std::string(dtype) + "\",\"shape\":" + std::string(shape) +
         ",\"data_offsets\":" + std::string(offsets) + "}";
}

Header accepted(const std::string& json, uint64_t data_bytes) {
  Result<Header> header = parse_header(json, data_bytes, "m.safetensors");
  INFO((header ? std::string() : header.error().message));
  REQUIRE(header);
  return *header;
}

// Why a header is refused; "" when it is not.
std::string refusal(const std::string& json, uint64_t data_bytes = 0, const HeaderLimits& limits = {}) {
  const Result<Header> header = parse_header(json, data_bytes, "m.safetensors", limits);
  if (!header) CHECK(header.error().kind == ErrorKind::Format);
  return header ? "" : header.error().message;
}

const std::string kA = "\"a\":" + entry("F32", "[2]", "[0,8]");

}  // namespace

TEST_CASE("a header gives its tensors as their data lies, whatever their order in the text") {
  const Header header = accepted("{\"b\":" + entry("U8", "[3]", "[8,11]") + "," + kA + "}", 11);
  REQUIRE(header.tensors.size() == 2);
  CHECK(header.tensors[0] == TensorInfo{"a", StoredType::F32, {2}, 0, 8});
  CHECK(header.tensors[1] == TensorInfo{"b", StoredType::U8, {3}, 8, 11});
}

TEST_CASE("a header may hold nothing, scalars, empty tensors, metadata and trailing spaces") {
  CHECK(accepted("{}", 0).tensors.empty());
  CHECK(accepted("{\"s\":" + entry("F64", "[]", "[0,8]") + "}   ", 8).tensors[0].shape.empty());
  CHECK(accepted("{\"e\":" + entry("F64", "[3,0]", "[0,0]") + "}", 0).tensors[0].shape == Shape{3, 0});
  CHECK(accepted("{\"__metadata__\":null}", 0).metadata.empty());
  CHECK(accepted("{\"__metadata__\":{\"format\":\"pt\"}}", 0).metadata == Metadata{{"format", "pt"}});
}

TEST_CASE("elements of less than a byte must fill whole bytes") {
  CHECK(accepted("{\"q\":" + entry("F4", "[2,3]", "[0,3]") + "}", 3).tensors[0].size_bytes() == 3);
  CHECK(accepted("{\"q\":" + entry("F6_E2M3", "[4]", "[0,3]") + "}", 3).tensors[0].type == StoredType::F6E2M3);
  CHECK_THAT(refusal("{\"q\":" + entry("F4", "[3]", "[0,2]") + "}", 2), Catch::Contains("no whole number of bytes"));
}

TEST_CASE("every type of the format is known by its name") {
  for (const char* name : {"BOOL",    "F4",          "F6_E2M3",     "F6_E3M2", "U8",  "I8",  "F8_E5M2", "F8_E4M3",
                           "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "I16",     "U16", "F16", "BF16",    "I32",
                           "U32",     "F32",         "C64",         "F64",     "I64", "U64"}) {
    INFO(name);
    const std::optional<StoredType> type = stored_type_of(name);
    REQUIRE(type);
    CHECK(name_of(*type) == name);
  }
  CHECK_FALSE(stored_type_of("F128"));
}

TEST_CASE("an unknown field of an entry is passed over") {
  const auto with_x = [](const std::string& name) {
    return "\"" + name + "\":{\"x\":1,\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}";
  };
  CHECK(accepted("{" + with_x("a") + "," + with_x("b") + "}", 0).tensors.size() == 2);
  const std::string extended =
      "{\"a\":{\"dtype\":\"U8\",\"note\":[{}, 1.5, null],\"shape\":[1],\"data_offsets\":[0,1],\"x\":{\"y\":-1}}}";
  CHECK(accepted(extended, 1).tensors[0].name == "a");
}

TEST_CASE("what is no object of entries is refused") {
  CHECK_THAT(refusal(""), Catch::Contains("does not begin with '{'"));
  CHECK_THAT(refusal(" {}"), Catch::Contains("does not begin with '{'"));
  CHECK_THAT(refusal("[]"), Catch::Contains("does not begin with '{'"));
  CHECK_THAT(refusal("{\"a\":1"), Catch::Contains("tensor `a`: its entry is a number"));
  CHECK_THAT(refusal("{\"a\":[]}"), Catch::Contains("tensor `a`: its entry is an array"));
  CHECK_THAT(refusal("{"), Catch::Contains("not valid UTF-8 JSON"));
  CHECK_THAT(refusal("{}x"), Catch::Contains("not valid UTF-8 JSON"));
  CHECK_THAT(refusal("{\"\xff\":1}"), Catch::Contains("not valid UTF-8 JSON"));
}

TEST_CASE("an entry that lacks a field or has one twice is refused") {
  CHECK_THAT(refusal("{\"a\":{}}"), Catch::Contains("tensor `a`: `dtype` is missing"));
  CHECK_THAT(refusal("{\"a\":{\"dtype\":\"U8\",\"shape\":[]}}"), Catch::Contains("`data_offsets` is missing"));
  CHECK_THAT(refusal("{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,0]}}"), Catch::Contains("`shape` is missing"));
  CHECK_THAT(refusal("{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}"), Catch::Contains("`dtype` is there twice"));
  CHECK_THAT(refusal("{\"a\":{\"shape\":[],\"shape\":[1]}}"), Catch::Contains("`shape` is there twice"));
  CHECK_THAT(refusal("{\"a\":{\"x\":1,\"y\":{\"x\":1},\"x\":2}}"), Catch::Contains("tensor `a`: `x` is there twice"));
}

TEST_CASE("fields of the wrong kind are refused") {
  CHECK_THAT(refusal("{\"a\":" + entry("F33", "[]", "[0,4]") + "}", 4), Catch::Contains("unknown dtype `F33`"));
  CHECK_THAT(refusal("{\"a\":{\"dtype\":7}}"), Catch::Contains("tensor `a`: a number"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "{}", "[0,1]") + "}", 1), Catch::Contains("an object"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "[-1]", "[0,1]") + "}", 1), Catch::Contains("a negative number"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "[-0]", "[0,0]") + "}", 0), Catch::Contains("a negative number"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "[1.0]", "[0,1]") + "}", 1), Catch::Contains("not an integer"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "[[1]]", "[0,1]") + "}", 1), Catch::Contains("an array"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "[1]", "[0,\"1\"]") + "}", 1), Catch::Contains("a string"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "[1]", "[0]") + "}", 1), Catch::Contains("1 numbers, not 2"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "[1]", "[0,1,1]") + "}", 1), Catch::Contains("more than 2"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "[true]", "[0,1]") + "}", 1), Catch::Contains("a boolean"));
}

TEST_CASE("a name twice is refused, however it is written") {
  CHECK_THAT(refusal("{" + kA + "," + kA + "}", 8), Catch::Contains("tensor `a`: is in the header twice"));
  const std::string escaped = "\"\\u0061\":" + entry("F32", "[2]", "[8,16]");
  CHECK_THAT(refusal("{" + kA + "," + escaped + "}", 16), Catch::Contains("tensor `a`: is in the header twice"));
  CHECK_THAT(refusal("{\"__metadata__\":{},\"__metadata__\":{}}"), Catch::Contains("`__metadata__` is there twice"));
  CHECK_THAT(refusal("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}"), Catch::Contains("the key `k` twice"));
}

TEST_CASE("metadata other than strings is refused") {
  CHECK_THAT(refusal("{\"__metadata__\":{\"k\":1}}"), Catch::Contains("not only strings"));
  CHECK_THAT(refusal("{\"__metadata__\":{\"k\":null}}"), Catch::Contains("not only strings"));
  CHECK_THAT(refusal("{\"__metadata__\":{\"k\":{}}}"), Catch::Contains("not only strings"));
  CHECK_THAT(refusal("{\"__metadata__\":\"k\"}"), Catch::Contains("not only strings"));
}

TEST_CASE("a NUL byte is refused, in a name and behind the text") {
  CHECK_THAT(refusal("{\"a\\u0000b\":" + entry("U8", "[]", "[0,1]") + "}", 1), Catch::Contains("NUL"));
  CHECK_THAT(refusal(std::string("{}\0{", 4)), Catch::Contains("NUL"));
}

TEST_CASE("nesting and counts have limits") {
  CHECK_THAT(refusal("{\"a\":{\"x\":[[[[[]]]]]}}"), Catch::Contains("nested deeper than 4"));
  CHECK_THAT(refusal("{" + kA + ",\"b\":" + entry("U8", "[0]", "[8,8]") + "}", 8, {.tensors = 1}),
             Catch::Contains("more than 1 tensors"));
  CHECK_THAT(refusal("{\"a\":" + entry("U8", "[1,1,1]", "[0,1]") + "}", 1, {.dimensions = 2}),
             Catch::Contains("more than 2 dimensions"));
}

TEST_CASE("data that overlaps, leaves a hole or ends elsewhere is refused") {
  const auto two = [](const std::string& offsets) { return "{" + kA + ",\"b\":" + entry("F32", "[2]", offsets) + "}"; };
  CHECK(refusal(two("[8,16]"), 16).empty());
  CHECK_THAT(refusal(two("[4,12]"), 12), Catch::Contains("tensor `b`: bytes [4, 12) overlap"));
  CHECK_THAT(refusal(two("[12,20]"), 20), Catch::Contains("tensor `b`: bytes [12, 20) leave a hole"));
  CHECK_THAT(refusal(two("[8,16]"), 17), Catch::Contains("end at byte 16 of the data, the file at 17"));
  CHECK_THAT(refusal(two("[8,16]"), 12), Catch::Contains("tensor `b`: bytes [8, 16) reach beyond the file"));
  CHECK_THAT(refusal("{\"a\":" + entry("F32", "[2]", "[8,0]") + "}", 8), Catch::Contains("end before they begin"));
  CHECK_THAT(refusal("{}", 1), Catch::Contains("end at byte 0"));
}

TEST_CASE("a size that is not what shape and type say, or that overflows, is refused") {
  CHECK_THAT(refusal("{\"a\":" + entry("F32", "[2]", "[0,4]") + "}", 4),
             Catch::Contains("F32[2] is 8 bytes, its offsets say 4"));
  CHECK_THAT(refusal("{\"a\":" + entry("F32", "[4294967296,4294967296]", "[0,0]") + "}"), Catch::Contains("overflows"));
  CHECK_THAT(refusal("{\"a\":" + entry("F32", "[9223372036854775807,2,0]", "[0,0]") + "}"), Catch::Equals(""));
  CHECK_THAT(refusal("{\"a\":" + entry("F32", "[9223372036854775808]", "[0,0]") + "}"),
             Catch::Contains("beyond 2^63 - 1"));
  CHECK_THAT(refusal("{\"a\":" + entry("F32", "[99999999999999999999]", "[0,0]") + "}"),
             Catch::Contains("not an integer"));
}

TEST_CASE("a message names the file and the tensor, and no control character reaches it") {
  const std::string message = refusal("{\"\\u001b[2J\":" + entry("F33", "[]", "[0,4]") + "}", 4);
  CHECK_THAT(message, Catch::StartsWith("m.safetensors: tensor `\\x1b[2J`: "));
  const std::string longest = refusal("{\"" + std::string(5000, 'x') + "\":1}");
  CHECK(longest.size() < 300);
}

}  // namespace ranklint::runtime::test
