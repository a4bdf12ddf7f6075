// The recognisers of doubts, by subject: one for each row of the table in doubts.cpp. What each means for people stands
// in analyzer/evidence/reasons.cpp.
#pragma once

#include "analyzer/doubts/scene.h"

namespace ranklint::doubts {

// way_doubts.cpp: what was decided on the way.
Seen many_decisions(const Scene& scene);
Seen takes_turns(const Scene& scene);
Seen contradicts_itself(const Scene& scene);
Seen one_round_for_all(const Scene& scene);
Seen number_fits_nowhere(const Scene& scene);
Seen job_of_one_rank(const Scene& scene);
Seen unused_option(const Scene& scene);
Seen set_up_option(const Scene& scene);
Seen set_by_context(const Scene& scene);
Seen met_before(const Scene& scene);

// member_doubts.cpp: which ranks are in the group, by what decides that.
Seen tests_membership(const Scene& scene);
Seen unknown_group(const Scene& scene);
Seen reads_part(const Scene& scene);
Seen own_entry(const Scene& scene);
Seen own_number(const Scene& scene);
Seen checks_own_rank(const Scene& scene);

// part_doubts.cpp: groups of some ranks, by how they are made and handed on.
Seen several_groups(const Scene& scene);
Seen group_of_number(const Scene& scene);
Seen tells_how_many(const Scene& scene);
Seen group_of_first(const Scene& scene);
Seen hands_over_part(const Scene& scene);
Seen sets_up_part(const Scene& scene);

// servant_doubts.cpp: one class follows the other's commands.
Seen commanded_by_root(const Scene& scene);
Seen commands_servants(const Scene& scene);
Seen servants_elsewhere(const Scene& scene);

// alone_doubts.cpp: ranks that work alone, or in a job of their own.
Seen world_of_its_own(const Scene& scene);
Seen states_one_rank(const Scene& scene);
Seen asserts_rank(const Scene& scene);
Seen names_two_ranks(const Scene& scene);
Seen looks_at_results(const Scene& scene);
Seen sets_up_world_below(const Scene& scene);
Seen agrees_on_many_devices(const Scene& scene);

// kept_doubts.cpp: what is kept from before.
Seen made_before(const Scene& scene);
Seen posted_ahead(const Scene& scene);
Seen memoised_callee(const Scene& scene);
Seen remembers_key(const Scene& scene);

// unfilled.cpp, round_doubts.cpp: how often loops turn.
Seen unfilled(const Scene& scene);
Seen equal_shares(const Scene& scene);
Seen answered_by_join(const Scene& scene);
Seen same_loop_condition(const Scene& scene);

// side_doubts.cpp: what the side does that never comes.
Seen written_out(const Scene& scene);
Seen hands_communication_on(const Scene& scene);
Seen one_of_the_kinds(const Scene& scene);

// model_doubts.cpp: models that are trained, wrapped, sharded, or are not.
Seen trains_without_gradients(const Scene& scene);
Seen keeps_buffers(const Scene& scene);
Seen sends_buffers_once(const Scene& scene);
Seen other_strategy(const Scene& scene);
Seen older_library(const Scene& scene);
Seen taken_for_sharded(const Scene& scene);
Seen tests_kind(const Scene& scene);
Seen sharded_behind(const Scene& scene);
Seen loaded_unwrapped(const Scene& scene);
Seen whole_before(const Scene& scene);

// failure_doubts.cpp: failures that a program makes on purpose, or reports.
Seen gives_up(const Scene& scene);
Seen raises_by_chance(const Scene& scene);
Seen fails_before(const Scene& scene);

// handed_doubts.cpp: what one caller hands over and another does not, and what no program does.
Seen handed_plain(const Scene& scene);
Seen not_sharded(const Scene& scene);

// option_doubts.cpp: what options say that are written out.
Seen made_without_sharding(const Scene& scene);
bool keeps_parameters_whole(const Scene& scene);

// local_doubts.cpp: what one rank alone sees or refuses.
Seen refuses_arguments(const Scene& scene);
Seen checks_input(const Scene& scene);
Seen alike_on_ranks(const Scene& scene);
Seen one_batch(const Scene& scene);
Seen trains_in_time(const Scene& scene);

}  // namespace ranklint::doubts
