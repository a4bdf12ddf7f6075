// What a rank tells of itself arrives as it was: nothing is left out, and a letter that is cut short is read to its
// end.
#include "runtime/mpi/report.h"

#include <catch2/catch.hpp>

#include <tuple>

using namespace ranklint::runtime;

namespace {

auto fields_of(const RankState& s) {
  return std::tuple(s.rank, s.phase, s.op, s.group, s.sequence, s.detail, std::string(s.site.file), s.site.line,
                    std::string(s.site.function), s.implicit_in, s.waits_for, s.error);
}

auto fields_of(const Signature& s) {
  return std::tuple(s.op, s.dtype, s.reduce, s.root, s.count, s.shape_hash, s.name_hash, s.tag, s.dims, s.shape,
                    s.numel, s.name, s.implicit_in, std::string(s.site.file), s.site.line, std::string(s.site.function),
                    std::vector<int>(s.new_ranks.begin(), s.new_ranks.end()));
}

RankState state() {
  return {.rank = 3,
          .phase = RankPhase::Waiting,
          .op = OpType::AllToAll,
          .group = "tp",
          .sequence = 7,
          .detail = "float32[2]",
          .site = {"src/train.py", 12, "step"},
          .implicit_in = "DTensor.copy_",
          .waits_for = {1, 2},
          .error = "disk full"};
}

Verdict mismatch() {
  return {.kind = VerdictKind::Mismatch,
          .message = "they disagree",
          .ranks = {state()},
          .odd_ranks = {1, 2},
          .disagreement = Disagreement{.about = "count", .group = 5, .of_messages = true, .calls = {{1, 2}, {3, 4}}}};
}

RankReport report() {
  return {.state = state(),
          .conditions = {{WaitCondition::Needs::AnyOf, {1, 2}}, {WaitCondition::Needs::Nothing, {}}},
          .sent = {1, 2},
          .received = {3, 4},
          .dispute = mismatch(),
          .reuse = Verdict{.kind = VerdictKind::BufferReuse},
          .timed_out = true,
          .unmet = {{.group = 6, .call = state(), .more = 2}},
          .own_time = std::chrono::milliseconds(12)};
}

Bytes bytes_of(const RankReport& report) {
  ByteWriter out;
  encode(out, report);
  return out.take();
}

RankReport read(std::span<const std::byte> bytes, Names& names) {
  ByteReader in(bytes);
  return decode_report(in, names);
}

}  // namespace

TEST_CASE("a report arrives whole") {
  Names names;
  const RankReport there = report(), here = read(bytes_of(there), names);
  CHECK(fields_of(here.state) == fields_of(there.state));
  REQUIRE(here.conditions.size() == 2);
  CHECK(here.conditions[0].needs == WaitCondition::Needs::AnyOf);
  CHECK(here.conditions[0].targets == std::vector<int>{1, 2});
  CHECK(here.conditions[1].needs == WaitCondition::Needs::Nothing);
  CHECK(here.sent == there.sent);
  CHECK(here.received == there.received);
  CHECK(here.timed_out);
  CHECK(here.own_time == there.own_time);
  REQUIRE(here.reuse);
  CHECK(here.reuse->kind == VerdictKind::BufferReuse);
  CHECK_FALSE(here.reuse->disagreement);
  REQUIRE(here.unmet.size() == 1);
  CHECK(here.unmet[0].group == 6);
  CHECK(fields_of(here.unmet[0].call) == fields_of(there.unmet[0].call));
  CHECK(here.unmet[0].more == 2);
}

TEST_CASE("a verdict arrives whole, with what its ranks differ in") {
  Names names;
  const Verdict there = mismatch(), here = *read(bytes_of(report()), names).dispute;
  CHECK(here.kind == there.kind);
  CHECK(here.message == there.message);
  CHECK(here.odd_ranks == there.odd_ranks);
  REQUIRE(here.ranks.size() == 1);
  CHECK(fields_of(here.ranks[0]) == fields_of(there.ranks[0]));
  REQUIRE(here.disagreement);
  CHECK(here.disagreement->about == "count");
  CHECK(here.disagreement->group == 5);
  CHECK(here.disagreement->of_messages);
  REQUIRE(here.disagreement->calls.size() == 2);
  CHECK(here.disagreement->calls[1].rank == 3);
  CHECK(here.disagreement->calls[1].sequence == 4);
}

TEST_CASE("a signature arrives whole, also when its letter has gone") {
  const std::vector<int> ranks = {4, 6};
  Signature there;
  static_cast<Terms&>(there) = {.op = OpType::NewGroup,
                                .dtype = DType::BF16,
                                .reduce = ReduceOp::Max,
                                .root = 2,
                                .count = 3,
                                .shape_hash = 4,
                                .name_hash = 5};
  there.tag = 6;
  there.dims = 5;
  there.shape = {7, 8, 9, 10, 11};
  there.numel = 55440;
  there.name = "weight";
  there.implicit_in = "Fsdp";
  there.site = {"src/train.py", 12, "step"};
  there.new_ranks = ranks;
  Names names;
  const Signature here = [&] {
    ByteWriter out;
    encode(out, there);
    const Bytes letter = out.take();
    ByteReader in(letter);
    return decode_signature(in, names);
  }();
  CHECK(fields_of(here) == fields_of(there));
}

TEST_CASE("a report that is cut short anywhere is read all the same") {
  const Bytes whole = bytes_of(report());
  for (size_t size = 0; size < whole.size(); ++size) {
    Names names;
    CHECK(read(std::span(whole).first(size), names).own_time.count() == 0);
  }
}
