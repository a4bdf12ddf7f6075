#include "tests/runtime_sharded/ranks.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ranklint::runtime::test {

void on_ranks(int world_size, const std::function<void(RankContext&)>& body) {
  const WorldReport report = run_world(world_size, body);
  for (const std::optional<Error>& error : report.errors)
    if (error) UNSCOPED_INFO(error->message);
  INFO(report.verdict.to_text());
  CHECK(report.ok());
}

void expect(bool holds, const std::string& what) {
  if (!holds) fail(ErrorKind::InvalidArgument, "unexpected: " + what);
}

Error error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const RankError& error) {
    return error.error();
  }
  fail(ErrorKind::InvalidArgument, "unexpected: no error");
}

static int64_t elements(const nlohmann::json& shapes) {
  int64_t sum = 0;
  for (const auto& shape : shapes) {
    int64_t product = 1;
    for (const auto& size : shape) product *= size.get<int64_t>();
    sum += product;
  }
  return sum;
}

std::vector<std::string> calls_in(const std::string& flight_record) {
  std::vector<std::string> calls;
  const nlohmann::json record = nlohmann::json::parse(flight_record);
  for (const auto& entry : record.at("entries")) {
    const auto name = entry.at("profiling_name").get<std::string>();
    const int64_t moved = std::max(elements(entry.at("input_sizes")), elements(entry.at("output_sizes")));
    calls.push_back(name.substr(name.find(':') + 1) + " " + std::to_string(moved));
  }
  return calls;
}

}  // namespace ranklint::runtime::test
