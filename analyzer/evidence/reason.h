// Why a finding is merely possible: a closed list. The code that doubts hands on a reason with its place, so that a
// report can say it, a fixture can assert it, and a statistic can count it.
//
// Adding one is an enumerator, a row of the table in reasons.cpp, and where it is about two classes of ranks a row of
// the matchers in analyzer/doubts/doubts.cpp. A fixture has to name it: `# possible: [takes-turns]`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ranklint {

enum class Reason : uint8_t {
  // What was decided on the way.
  ManyDecisions,
  TakesTurns,
  ContradictsItself,
  OneRoundForAll,
  NoNumberFits,
  JobOfOneRank,
  UnusedOption,
  SetUpOption,
  SetByContext,
  MetBefore,
  OneOfTheKinds,
  GivesUp,
  FailsBefore,
  // Which ranks are in the group.
  TestsMembership,
  UnknownGroup,
  TestsPart,
  OwnEntry,
  OwnNumber,
  ChecksOwnRank,
  SeveralGroups,
  GroupOfNumber,
  TellsHowMany,
  GroupOfFirst,
  HandedWorld,
  HandsOverPart,
  SetsUpPart,
  // One class follows the other's commands.
  CommandedByRoot,
  CommandsServants,
  ServantsElsewhere,
  // One rank works alone, or its process is a job by itself.
  WorldOfItsOwn,
  StatesOneRank,
  AssertsRank,
  NamesTwoRanks,
  LooksAtResults,
  SetsUpWorldBelow,
  AgreesOnManyDevices,
  StartedAlone,
  StartedOnOneMachine,
  NoJob,
  NothingRuns,
  InTest,
  SyntaxError,
  UndefinedName,
  // What is kept from before.
  MadeBefore,
  PostedAhead,
  MemoisedCallee,
  RemembersKey,
  Unfilled,
  // As many rounds on each.
  EqualShares,
  AnsweredByJoin,
  SameLoopCondition,
  // The other side does the same in another way.
  WrittenOut,
  HandsCommunicationOn,
  // Models and tensors.
  TrainsWithoutGradients,
  KeepsBuffers,
  SendsBuffersOnce,
  OtherStrategy,
  TakenForSharded,
  AsksKind,
  ShardedBehind,
  LoadedUnwrapped,
  WholeBefore,
  HandedPlain,
  NotSharded,
  OlderLibrary,
  // What one rank alone sees.
  RefusesArguments,
  ChecksInput,
  AlikeOnRanks,
  OneBatch,
  TrainsInTime,
  RaisesByChance,
  CallersOwn,
  // How calls and models are known.
  OneOfManyClasses,
  SometimesCommunicates,
  BelievedRank,
  // Of single rules.
  PartsInLoop,
  ChosenArgument,
  PairedSizes,
  UnknownSize,
  OnlyWarns,
  EndsOtherwise,
  MadeWhenUsed,
  KeepsOrder,
  TakenWithGroup,
  PicksDevice,
  WrittenAlike,
  DrawsNotSeen,
  // By what was counted, whatever the code says.
  SeldomReal,
};

// Whether it speaks against the finding or for it.
enum class Direction : uint8_t { Against, For };

struct ReasonInfo {
  Reason reason;
  std::string_view id;        // "takes-turns"
  std::string_view sentence;  // for people, no full stop: "the loop lets every rank enter in turn"
  Direction direction = Direction::Against;
};

// In the order of the enumeration.
std::span<const ReasonInfo> all_reasons();
const ReasonInfo& info_of(Reason reason);
std::optional<Reason> reason_of(std::string_view id);

}  // namespace ranklint
