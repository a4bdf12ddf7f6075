#include "analyzer/doubts/doubts.h"

#include "analyzer/doubts/doubt_matchers.h"

namespace ranklint {
namespace {

struct Matcher {
  Reason reason;
  Seen (*look)(const Scene&);
};

constexpr Matcher kMatchers[] = {
    {Reason::ManyDecisions, doubts::many_decisions},
    {Reason::TakesTurns, doubts::takes_turns},
    {Reason::ContradictsItself, doubts::contradicts_itself},
    {Reason::OneRoundForAll, doubts::one_round_for_all},
    {Reason::NoNumberFits, doubts::number_fits_nowhere},
    {Reason::JobOfOneRank, doubts::job_of_one_rank},
    {Reason::UnusedOption, doubts::unused_option},
    {Reason::SetUpOption, doubts::set_up_option},
    {Reason::SetByContext, doubts::set_by_context},
    {Reason::MetBefore, doubts::met_before},
    {Reason::OneOfTheKinds, doubts::one_of_the_kinds},
    {Reason::GivesUp, doubts::gives_up},
    {Reason::FailsBefore, doubts::fails_before},

    {Reason::TestsMembership, doubts::tests_membership},
    {Reason::UnknownGroup, doubts::unknown_group},
    {Reason::TestsPart, doubts::reads_part},
    {Reason::OwnEntry, doubts::own_entry},
    {Reason::OwnNumber, doubts::own_number},
    {Reason::ChecksOwnRank, doubts::checks_own_rank},
    {Reason::SeveralGroups, doubts::several_groups},
    {Reason::GroupOfNumber, doubts::group_of_number},
    {Reason::TellsHowMany, doubts::tells_how_many},
    {Reason::GroupOfFirst, doubts::group_of_first},
    {Reason::HandsOverPart, doubts::hands_over_part},
    {Reason::SetsUpPart, doubts::sets_up_part},

    {Reason::CommandedByRoot, doubts::commanded_by_root},
    {Reason::CommandsServants, doubts::commands_servants},
    {Reason::ServantsElsewhere, doubts::servants_elsewhere},

    {Reason::WorldOfItsOwn, doubts::world_of_its_own},
    {Reason::StatesOneRank, doubts::states_one_rank},
    {Reason::AssertsRank, doubts::asserts_rank},
    {Reason::NamesTwoRanks, doubts::names_two_ranks},
    {Reason::LooksAtResults, doubts::looks_at_results},
    {Reason::SetsUpWorldBelow, doubts::sets_up_world_below},
    {Reason::AgreesOnManyDevices, doubts::agrees_on_many_devices},

    {Reason::MadeBefore, doubts::made_before},
    {Reason::PostedAhead, doubts::posted_ahead},
    {Reason::MemoisedCallee, doubts::memoised_callee},
    {Reason::RemembersKey, doubts::remembers_key},
    {Reason::Unfilled, doubts::unfilled},
    {Reason::EqualShares, doubts::equal_shares},
    {Reason::AnsweredByJoin, doubts::answered_by_join},
    {Reason::SameLoopCondition, doubts::same_loop_condition},

    {Reason::WrittenOut, doubts::written_out},
    {Reason::HandsCommunicationOn, doubts::hands_communication_on},

    {Reason::TrainsWithoutGradients, doubts::trains_without_gradients},
    {Reason::KeepsBuffers, doubts::keeps_buffers},
    {Reason::SendsBuffersOnce, doubts::sends_buffers_once},
    {Reason::OtherStrategy, doubts::other_strategy},
    {Reason::TakenForSharded, doubts::taken_for_sharded},
    {Reason::AsksKind, doubts::tests_kind},
    {Reason::ShardedBehind, doubts::sharded_behind},
    {Reason::LoadedUnwrapped, doubts::loaded_unwrapped},
    {Reason::WholeBefore, doubts::whole_before},
    {Reason::HandedPlain, doubts::handed_plain},
    {Reason::NotSharded, doubts::not_sharded},
    {Reason::OlderLibrary, doubts::older_library},

    {Reason::RefusesArguments, doubts::refuses_arguments},
    {Reason::ChecksInput, doubts::checks_input},
    {Reason::AlikeOnRanks, doubts::alike_on_ranks},
    {Reason::OneBatch, doubts::one_batch},
    {Reason::TrainsInTime, doubts::trains_in_time},
    {Reason::RaisesByChance, doubts::raises_by_chance},
};

}  // namespace

std::vector<Doubt> doubts_about(const Scene& scene) {
  std::vector<Doubt> found;
  for (const Matcher& matcher : kMatchers)
    if (const Seen place = matcher.look(scene)) found.push_back({matcher.reason, *place});
  return found;
}

}  // namespace ranklint
