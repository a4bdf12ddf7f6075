// What a run can state about a program: a closed list of facts, without words.
//
// A row of facts.inc names a fact, the kind of problem that it is, and the types of its arguments. A check states it:
// `report<Fact::NegativeCount>(..., call.name, count)`. The rule about that kind has a sentence for each of its facts,
// with numbered places for the arguments (rules/mpi/sentences.h). A statement with other arguments does not compile,
// nor does a rule that lacks a sentence, or one whose places are not the arguments.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/base/source_range.h"

namespace ranklint::mpi_check {

enum class ProblemKind {
  CollectiveMismatch,   // other collectives, or none, where one waits
  CollectiveArguments,  // root, operator, count or type differ
  UnmatchedMessage,     // a send or a receive without a counterpart
  SendCycle,            // finishes only if the library buffers
  MessageMismatch,      // type or length of a message that was sent and received
  MessageRace,          // which message a wildcard receives is open, and it matters
  InvalidArgument,      // a value that the call does not take
  InvalidHandle,        // null, freed, never set
  RequestNotCompleted,  // no call waits for it
  RequestMisuse,        // started twice, freed while active, never started
  BufferInUse,          // touched while an operation holds it
  AliasedBuffers,       // one memory for two arguments
  BufferType,           // the datatype is not that of the memory, or the memory is too small
  ResourceLeak,         // never freed
  OutsideMpi,           // before init, after finalize, without either
  EpochMisuse,          // one-sided call outside of its epoch, or an epoch that does not fit
  WindowConflict,       // two accesses of window memory that nothing orders
  ThreadLevel,          // a call of a thread that MPI was not initialised for
};

struct Mark {
  std::string file;
  SourceRange range;

  bool operator==(const Mark&) const = default;
};

enum class Fact : uint16_t {
#define FACT(name, ...) name,
#define NOTE(name, ...) name,
#define PHRASE(name, ...) name,
#include "analyzer/mpi_check/facts.inc"
};

struct Statement;

// A number, a name as the program spells it, a place (the number of its line is shown), or a phrase: one statement
// within another.
using Argument = std::variant<int64_t, std::string, Mark, std::vector<Statement>>;

struct Statement {
  Fact fact = {};
  std::vector<Argument> arguments = {};
};

bool operator==(const Statement& a, const Statement& b);

// The types of arguments in facts.inc.
struct Number {
  int64_t value;
  Number(std::integral auto n) : value(static_cast<int64_t>(n)) {}
  operator Argument() && { return value; }
};

struct Name {
  std::string text;
  Name(const std::convertible_to<std::string_view> auto& name) : text(std::string_view(name)) {}
  operator Argument() && { return std::move(text); }
};

struct Line {
  Mark mark;
  Line(Mark at) : mark(std::move(at)) {}
  operator Argument() && { return std::move(mark); }
};

struct Phrase {
  std::vector<Statement> statement;
  Phrase(Statement s) : statement{std::move(s)} {}
  operator Argument() && { return std::move(statement); }
};

using Any = Argument;

template <class First = void, class...>
constexpr bool kIsAboutName = std::is_same_v<First, Name> || std::is_same_v<First, Phrase>;

template <class... Types>
struct Arguments {
  static constexpr size_t kCount = sizeof...(Types);
  static constexpr bool kHasName = kIsAboutName<Types...>;
  static Statement state(Fact fact, Types... given) { return {fact, {Argument(std::move(given))...}}; }
};

template <Fact fact>
struct Takes;

#define FACT_TAKES(name, ...) \
  template <>                 \
  struct Takes<Fact::name> : Arguments<__VA_ARGS__> {};
#define FACT(name, kind, ...) FACT_TAKES(name, __VA_ARGS__)
#define NOTE(name, kind, ...) FACT_TAKES(name, __VA_ARGS__)
#define PHRASE(name, ...) FACT_TAKES(name, __VA_ARGS__)
#include "analyzer/mpi_check/facts.inc"
#undef FACT_TAKES

template <Fact fact, class... Given>
Statement state(Given&&... given) {
  return Takes<fact>::state(fact, std::forward<Given>(given)...);
}

struct FactInfo {
  Fact fact;
  std::optional<ProblemKind> kind;  // nothing: for statements about several kinds
  bool is_problem;
  bool is_about_name;  // its first argument is one, or a phrase about one
  size_t arguments;
};

inline constexpr FactInfo kFacts[] = {
#define FACT_INFO(name, kind, is_problem) \
  {Fact::name, kind, is_problem, Takes<Fact::name>::kHasName, Takes<Fact::name>::kCount},
#define FACT(name, kind, ...) FACT_INFO(name, ProblemKind::kind, true)
#define NOTE(name, kind, ...) FACT_INFO(name, ProblemKind::kind, false)
#define PHRASE(name, ...) FACT_INFO(name, std::nullopt, false)
#include "analyzer/mpi_check/facts.inc"
#undef FACT_INFO
};

constexpr const FactInfo& info_of(Fact fact) { return kFacts[static_cast<size_t>(fact)]; }

}  // namespace ranklint::mpi_check
