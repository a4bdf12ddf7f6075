// Messages that ranks of a small world wait for in vain, in words.
#pragma once

#include "analyzer/messages/messages.h"
#include "analyzer/project/shared.h"
#include "rules/rule.h"

namespace ranklint {

Finding finding_of(const RuleInfo& rule, const Shared& shared, const StuckMessage& m);

}  // namespace ranklint
