// The words for facts: a table in the file of each rule, with all that it can say.
//
// `{0}` is the place of the first argument; names stand in backquotes of the sentence's own. A table that lacks a fact
// of its kind, says one twice or has one of another kind does not compile, nor does a sentence whose places are not the
// fact's arguments.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyzer/mpi_check/problem.h"

namespace ranklint {

// Whether each place names one of the arguments, and each argument has a place in the text or in the help.
constexpr bool has_its_places(std::string_view text, std::string_view help, size_t arguments) {
  uint32_t met = 0;
  for (const std::string_view words : {text, help})
    for (size_t at = words.find_first_of("{}"); at != words.npos; at = words.find_first_of("{}", at + 3)) {
      if (words[at] != '{' || at + 2 >= words.size() || words[at + 2] != '}') return false;
      const auto place = static_cast<size_t>(words[at + 1] - '0');
      if (place >= arguments) return false;
      met |= uint32_t{1} << place;
    }
  return met == (uint32_t{1} << arguments) - 1;
}

struct Sentence {
  mpi_check::Fact fact;
  std::string_view text;
  std::string_view help = {};  // of a problem
};

constexpr bool is_whole(const Sentence& s) {
  const mpi_check::FactInfo& info = mpi_check::info_of(s.fact);
  return !s.text.empty() && s.help.empty() != info.is_problem && has_its_places(s.text, s.help, info.arguments);
}

// Whether the table has each fact of the kind once, and no other.
constexpr bool is_complete(std::optional<mpi_check::ProblemKind> kind, std::span<const Sentence> sentences) {
  size_t facts = 0;
  for (const mpi_check::FactInfo& info : mpi_check::kFacts) {
    if (info.kind != kind) continue;
    ++facts;
    size_t said = 0;
    for (const Sentence& s : sentences) said += s.fact == info.fact ? 1 : 0;
    if (said != 1) return false;
  }
  return facts == sentences.size();
}

// A table that was found complete.
struct Sentences {
  std::optional<mpi_check::ProblemKind> kind;
  std::span<const Sentence> all;

  template <size_t count>
  consteval Sentences(std::optional<mpi_check::ProblemKind> of, const Sentence (&table)[count]) : kind(of), all(table) {
    for (const Sentence& s : table)
      if (!is_whole(s)) throw "a sentence whose places are not the arguments of its fact, or without its help";
    if (!is_complete(of, table)) throw "a fact without a sentence, or a sentence too many";
  }
};

// The words of a statement, or of an argument: from the rule's own sentences, or those that all rules share.
std::string words_of(const mpi_check::Statement& statement, const Sentences& own);
std::string words_of(const mpi_check::Argument& argument, const Sentences& own);
std::string help_of(const mpi_check::Statement& statement, const Sentences& own);

}  // namespace ranklint
