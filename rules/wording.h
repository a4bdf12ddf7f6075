// From what was found to words and places: what the rules have in common.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/project/shared.h"
#include "rules/rule.h"

namespace ranklint {

// "`all_to_all` on `sp`"
std::string collective_text(const std::string& op, const std::string& group);

// The verb in the number of the ranks: verb(rank 0, " leave") is " leaves".
std::string verb(const RankName& ranks, const std::string& plural);

// "`rank == 0` is true", as the source writes the condition at the range; "the condition is true" where it does not.
std::string decision_text(const Shared& shared, FunctionKey function, const SourceRange& range, bool holds);

// A finding at one place, without lanes.
Finding finding_at(const RuleInfo& rule, const Shared& shared, FunctionKey function, SourceRange range,
                   const Assurance& found_with);

Location location_at(const Shared& shared, FunctionKey f, const SourceRange& range);

// Whether findings in the function's file are wanted.
bool is_reported(const Shared& shared, FunctionKey function);
// Whether the program asks around the function whether there is a job, and none is set up.
bool is_without_job(const Shared& shared, FunctionKey function);
// How sure it is that several ranks run the function at all, where nothing but a set-up need speak for them: a script
// that the project starts as one process may set up a job of one, and so may one that it is not seen to start.
Assurance certainty_of_several_ranks(const Shared& shared, FunctionKey f, Confidence found = Confidence::Likely);
// Whether a run of the whole program says what ranks do in it, so that the function is not judged alone.
bool is_run_through(const Shared& shared, FunctionKey function);

}  // namespace ranklint
