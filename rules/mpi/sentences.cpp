#include "rules/mpi/sentences.h"

#include <algorithm>

#include "analyzer/base/check.h"

namespace ranklint {

// What rules have in common: parts of their sentences, and what a rank does and how it ends.
namespace mpi_phrases {

using enum mpi_check::Fact;

constexpr Sentence kTable[] = {
    {Named, "`{0}`"},
    {OperatorMadeAt, "an operator of line {0}"},
    {CallOn, "`{0}` on `{1}`"},
    {CallOfRank, "`{0}` of rank {1}"},
    {CallToRank, "`{0}` to rank {1}"},
    {SendTo, "`{0}` to {1} with {2}"},
    {ReceiveFrom, "`{0}` from {1} with {2}"},
    {ExchangeWith, "`{0}` to {1} and from {2}"},
    {WaitsIn, "waits in `{0}`"},
    {WaitsToSend, "waits in `{0}` to {1} with {2}"},
    {WaitsToReceive, "waits in `{0}` from {1} with {2}"},
    {WaitsForPost, "waits in `{0}` for `MPI_Win_post`"},
    {WaitsForComplete, "waits in `{0}` for `MPI_Win_complete`"},
    {WaitsForLock, "waits in `{0}` for the lock"},
    {HasFinalized, "has finalized"},
    {HasEnded, "has ended"},
    {GoesOn, "goes on"},
    {WaitsHere, "rank {0} waits in `{1}` (line {2})"},
    {OneRank, "rank {0}"},
    {AnyRank, "any rank"},
    {NoRank, "no rank"},
    {OneTag, "tag {0}"},
    {AnyTag, "any tag"},
    {Items, "{0} of `{1}`"},
    {DerivedItems, "{0} of a derived type"},
    {SomeItems, "some of `{0}`"},
    {SomeDerivedItems, "some of a derived type"},
    {OfFile, "the file"},
    {OfWindow, "the window"},
    {AnyHandle, "handle"},
    {Communicator, "communicator"},
    {Group, "group"},
    {Datatype, "datatype"},
    {ReductionOperator, "operator"},
    {Request, "request"},
    {Window, "window"},
    {File, "file"},
    {ErrorHandler, "error handler"},
    {InfoObject, "info object"},
    {MessageHandle, "message"},
    {Session, "session"},
};
constexpr Sentences kSentences{std::nullopt, kTable};

}  // namespace mpi_phrases

static const Sentence& sentence_of(mpi_check::Fact fact, const Sentences& own) {
  const std::span<const Sentence> table = mpi_check::info_of(fact).kind ? own.all : mpi_phrases::kSentences.all;
  const auto found = std::ranges::find(table, fact, &Sentence::fact);
  RANKLINT_CHECK(found != table.end(), "a fact of another rule");
  return *found;
}

static std::string filled(std::string_view text, const mpi_check::Statement& statement, const Sentences& own) {
  std::string words;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') {
      words += text[at];
      continue;
    }
    words += words_of(statement.arguments[static_cast<size_t>(text[at + 1] - '0')], own);
    at += 2;
  }
  return words;
}

std::string words_of(const mpi_check::Argument& argument, const Sentences& own) {
  if (const auto* number = std::get_if<int64_t>(&argument)) return std::to_string(*number);
  if (const auto* name = std::get_if<std::string>(&argument)) return *name;
  if (const auto* mark = std::get_if<mpi_check::Mark>(&argument)) return std::to_string(mark->range.line);
  return words_of(std::get<std::vector<mpi_check::Statement>>(argument).front(), own);
}

std::string words_of(const mpi_check::Statement& statement, const Sentences& own) {
  return filled(sentence_of(statement.fact, own).text, statement, own);
}

std::string help_of(const mpi_check::Statement& statement, const Sentences& own) {
  return filled(sentence_of(statement.fact, own).help, statement, own);
}

}  // namespace ranklint
