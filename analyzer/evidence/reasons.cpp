#include "analyzer/evidence/reason.h"

#include "analyzer/base/enum_table.h"

namespace ranklint {
namespace {

using enum Reason;

constexpr ReasonInfo kReasons[] = {
    {ManyDecisions, "many-decisions", "more than sixteen open decisions have to fall alike on the way"},
    {TakesTurns, "takes-turns", "the loop lets every rank enter in turn"},
    {ContradictsItself, "contradicts-itself", "what is taken to hold in one place is taken not to hold in another"},
    {OneRoundForAll, "one-round-for-all", "what holds in one round of a loop is taken for all of them, or for none"},
    {NoNumberFits, "no-number-fits", "no number is what the way takes it for on both sides"},
    {JobOfOneRank, "job-of-one-rank", "this is the way of a job that has one rank"},
    {UnusedOption, "unused-option",
     "the way needs an option to be what no program of the project makes it, or an argument that no caller gives a "
     "constructor"},
    {SetUpOption, "set-up-option",
     "the way needs an option, or what the machine has, to be such that no process group is set up"},
    {SetByContext, "set-by-context", "a `with` block around a call sets what was taken not to be set"},
    {MetBefore, "met-before", "both sides have met since they parted, and further decisions alone tell them apart"},
    {OneOfTheKinds, "one-of-the-kinds", "the side that never comes handles kinds of which one is sure to be there"},
    {GivesUp, "gives-up", "the collective stands on the way out of an error"},
    {FailsBefore, "fails-before", "the other ranks fail in an earlier step: it reads what one rank alone has made"},

    {TestsMembership, "tests-membership", "the condition asks for members, of this group most likely"},
    {UnknownGroup, "unknown-group",
     "nothing says who is in the group, and the condition does not ask for a rank in it"},
    {TestsPart, "tests-part", "the condition asks for the part that a rank is in, and the group may be that part"},
    {OwnEntry, "own-entry", "what a rank looks up for itself may be the same for all members"},
    {OwnNumber, "own-number", "the condition compares a rank with what is, or may be, a number of its own"},
    {ChecksOwnRank, "checks-own-rank", "who raises on its own rank checks how it was set up"},
    {SeveralGroups, "several-groups", "a loop goes through what was taken for one group: some ranks are in several"},
    {GroupOfNumber, "group-of-number", "the group is made with its number of ranks, and these are there"},
    {TellsHowMany, "tells-how-many", "the ranks that go on are told how many they are"},
    {GroupOfFirst, "group-of-first", "the first ranks go on with a group of their own, most likely"},
    {HandedWorld, "handed-world", "the group is a parameter, and no caller in sight hands in another than the world"},
    {HandsOverPart, "hands-over-part", "the call is given a communicator of a part of the ranks"},
    {SetsUpPart, "sets-up-part", "a function on the way sets up a part of the ranks"},

    {CommandedByRoot, "commanded-by-root", "one class of ranks waits in a loop for the other's commands"},
    {CommandsServants, "commands-servants", "who waits sends a command to ranks that serve in a loop"},
    {ServantsElsewhere, "servants-elsewhere",
     "another function of the file or method of the object is where the other ranks wait for commands"},

    {WorldOfItsOwn, "world-of-its-own", "a function on the way makes this process a world of its own"},
    {StatesOneRank, "states-one-rank", "a call before it says that there is one rank"},
    {AssertsRank, "asserts-rank", "further down the rank is asserted: the others do not come here"},
    {NamesTwoRanks, "names-two-ranks", "the program names each of two ranks, and is for two"},
    {LooksAtResults, "looks-at-results", "rank 0 looks at results by itself where the others have ended"},
    {SetsUpWorldBelow, "sets-up-world-below", "what sets up the world asks whether it is there"},
    {AgreesOnManyDevices, "agrees-on-many-devices", "with more than one device the ranks agree on what is asked"},
    {StartedAlone, "started-alone", "all that starts this code starts one process of it"},
    {StartedOnOneMachine, "started-on-one-machine",
     "all that starts this code, the address where its ranks meet, or a check puts every rank on one machine"},
    {NoJob, "no-job", "the program asks whether there is a job, and nothing that leads here sets one up"},
    {NothingRuns, "nothing-runs", "nothing in the project is seen to run it"},
    {InTest, "in-test",
     "it stands in a test: what runs the tests decides what ranks there are and what they are given"},
    {SyntaxError, "syntax-error", "a part of the function is no code, and what stands around it was guessed"},
    {UndefinedName, "undefined-name", "a name that nothing defines is read before it, and every rank fails there"},

    {MadeBefore, "made-before", "what is made here and kept may have been made before"},
    {PostedAhead, "posted-ahead",
     "it is only posted here and waited for elsewhere, where others may have posted theirs"},
    {MemoisedCallee, "memoised-callee", "a function on the way keeps its result and may have been called before"},
    {RemembersKey, "remembers-key", "the condition asks for the key of what was made last, which may be old on all"},
    {Unfilled, "unfilled", "the loop goes through what the object has nothing of"},

    {EqualShares, "equal-shares", "the items are cut or padded to equal shares"},
    {AnsweredByJoin, "answered-by-join", "`join` answers for ranks that have no more data"},
    {SameLoopCondition, "same-loop-condition", "a round without the call leaves the condition of the loop as it was"},

    {WrittenOut, "written-out", "the other side may write out what the library does in several collectives"},
    {HandsCommunicationOn, "hands-communication-on",
     "the other side hands what communicates to somebody unknown, or calls a function that is not known"},

    {TrainsWithoutGradients, "trains-without-gradients",
     "the model is taken to be in training where gradients are off"},
    {KeepsBuffers, "keeps-buffers", "the model is wrapped so that it sends no buffers"},
    {SendsBuffersOnce, "sends-buffers-once", "buffers are sent in the first pass behind one with gradients only"},
    {OtherStrategy, "other-strategy", "another strategy of sharding is in use than one that communicates here"},
    {TakenForSharded, "taken-for-sharded", "the model is taken to be sharded by a helper that asks whether it is"},
    {AsksKind, "asks-kind", "the code asks of what kind the model is, which need not be sharded"},
    {ShardedBehind, "sharded-behind", "the model is sharded further down only"},
    {LoadedUnwrapped, "loaded-unwrapped",
     "the model was loaded, copied, or made by this rank alone, and nothing has wrapped it since"},
    {WholeBefore, "whole-before", "what is read was gathered whole before"},
    {HandedPlain, "handed-plain", "who calls this hands over a model that nothing has wrapped, unlike in another call"},
    {NotSharded, "not-sharded",
     "it communicates only if the model is sharded, and nothing of a program that comes here shards one"},
    {OlderLibrary, "older-library",
     "the project is written for an older version of the library, in which it is not so"},

    {RefusesArguments, "refuses-arguments", "the side that leaves reports an error in its arguments"},
    {ChecksInput, "checks-input", "who raises on its own number checks its input, most of the time"},
    {AlikeOnRanks, "alike-on-ranks", "what is asked is alike on most ranks of a job"},
    {OneBatch, "one-batch", "only data-parallel ranks have batches and seeds of their own"},
    {TrainsInTime, "trains-in-time", "who looks at the time before it trains is one process"},
    {RaisesByChance, "raises-by-chance", "a drawn number alone decides who fails: the fault is injected on purpose"},
    {CallersOwn, "callers-own", "what decides is what one caller happens to pass"},

    {OneOfManyClasses, "one-of-many-classes", "of many classes that the object may be of, most do nothing here"},
    {SometimesCommunicates, "sometimes-communicates", "the library call communicates at times only"},
    {BelievedRank, "believed-rank", "that it is the rank is known by its name only"},

    {PartsInLoop, "parts-in-loop", "the ranks part at a loop, which may turn as often on each"},
    {ChosenArgument, "chosen-argument", "the argument depends on a decision on the way"},
    {PairedSizes, "paired-sizes", "sizes are paired rank by rank, and need not be equal"},
    {UnknownSize, "unknown-size", "nothing is known of the size, which mostly is a multiple of the number of parts"},
    {OnlyWarns, "only-warns", "for a rank that is not in the group the operation only warns"},
    {EndsOtherwise, "ends-otherwise", "with another number of ranks all of them end"},
    {MadeWhenUsed, "made-when-used", "a group that is made on first use is used first at one place, mostly"},
    {KeepsOrder, "keeps-order", "a sampler that keeps the order deals out what is evaluated"},
    {TakenWithGroup, "taken-with-group", "what is dealt out is handed to somebody else's code together with the group"},
    {PicksDevice, "picks-device", "a barrier sends no tensor, and picks a GPU by the remainder of the rank"},
    {WrittenAlike, "written-alike", "all may write the same, and no rank may read it before it is whole"},
    {DrawsNotSeen, "draws-not-seen", "nothing shows what is drawn afterwards, and whether it has to be alike"},
    {SeldomReal, "seldom-real", "findings like it were more often wrong than real where they were judged"},
};

static_assert(is_in_order(kReasons, &ReasonInfo::reason), "the table is in the order of the enumeration");

}  // namespace

std::span<const ReasonInfo> all_reasons() { return kReasons; }

const ReasonInfo& info_of(Reason reason) { return kReasons[static_cast<size_t>(reason)]; }

std::optional<Reason> reason_of(std::string_view id) {
  const auto found = std::ranges::find(kReasons, id, &ReasonInfo::id);
  return found == std::end(kReasons) ? std::nullopt : std::optional(found->reason);
}

}  // namespace ranklint
