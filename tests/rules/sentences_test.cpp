// The words for facts: which tables are refused, and how a sentence is filled.
#include <catch2/catch.hpp>

#include "rules/mpi/sentences.h"

using namespace ranklint;
using mpi_check::Fact;
using mpi_check::ProblemKind;
using mpi_check::state;

TEST_CASE("the places of a sentence are the arguments of its fact") {
  CHECK(has_its_places("`{0}` is given the count {1}", "a count is zero or more", 2));
  CHECK(has_its_places("`{0}` is given 0", "give a {1}", 2));
  CHECK(has_its_places("the epoch begins here", "", 0));
  CHECK_FALSE(has_its_places("`{0}` is given a count", "a count is zero or more", 2));
  CHECK_FALSE(has_its_places("`{0}` is given the count {2}", "not {1}", 2));
  CHECK_FALSE(has_its_places("`{0}` is given {", "", 1));
  CHECK_FALSE(has_its_places("`{0}` is given {10}", "", 2));
  CHECK_FALSE(has_its_places("`{0}` is given }", "", 1));
}

TEST_CASE("a problem has a help, a note has none, and neither is empty") {
  CHECK(is_whole({Fact::CalledBeforeInit, "`{0}` is early", "wait"}));
  CHECK_FALSE(is_whole({Fact::CalledBeforeInit, "`{0}` is early"}));
  CHECK(is_whole({Fact::FinalizedHere, "here"}));
  CHECK_FALSE(is_whole({Fact::FinalizedHere, "here", "go"}));
  CHECK_FALSE(is_whole({Fact::FinalizedHere, ""}));
}

TEST_CASE("a table has each fact of its kind once, and no other") {
  const Sentence whole[] = {{Fact::SendsInCircle, "{0} {1} {2} {3}", "h"}};
  const Sentence twice[] = {{Fact::SendsInCircle, "{0} {1} {2} {3}", "h"},
                            {Fact::SendsInCircle, "{0} {1} {2} {3}", "h"}};
  const Sentence more[] = {{Fact::SendsInCircle, "{0} {1} {2} {3}", "h"}, {Fact::FinalizedHere, "here"}};
  CHECK(is_complete(ProblemKind::SendCycle, whole));
  CHECK_FALSE(is_complete(ProblemKind::SendCycle, twice));
  CHECK_FALSE(is_complete(ProblemKind::SendCycle, more));
  CHECK_FALSE(is_complete(ProblemKind::SendCycle, {}));
  CHECK_FALSE(is_complete(ProblemKind::OutsideMpi, more));
}

TEST_CASE("a sentence is filled with numbers, names, lines and phrases") {
  static constexpr Sentence kTable[] = {
      {Fact::UnansweredSend, "`{0}` of {1} to {2} with {3}", "send {0}"},
      {Fact::UnansweredReceive, "{0} {1} {2} {3}", "h"},
      {Fact::UnreadySend, "{0} {1} {2}", "h"},
      {Fact::ReceivesHere, "{0}"},
      {Fact::NeverReceived, "{3} {2} {1} {0}", "h"},
  };
  constexpr Sentences sentences{ProblemKind::UnmatchedMessage, kTable};
  const auto send = state<Fact::UnansweredSend>("MPI_Send", 3, state<Fact::AnyRank>(), state<Fact::OneTag>(-7));
  CHECK(words_of(send, sentences) == "`MPI_Send` of 3 to any rank with tag -7");
  CHECK(help_of(send, sentences) == "send MPI_Send");
  CHECK(words_of(state<Fact::NeverReceived>("MPI_Isend", 0, 1, 2), sentences) == "2 1 0 MPI_Isend");
  const mpi_check::Mark mark{.file = "a.c", .range = {.line = 12, .column = 1, .end_line = 12, .end_column = 2}};
  CHECK(words_of(state<Fact::WaitsHere>(1, "MPI_Recv", mark), sentences) == "rank 1 waits in `MPI_Recv` (line 12)");
}
