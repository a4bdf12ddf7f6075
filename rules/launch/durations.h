// How long a value says that something takes: `timedelta(minutes=30)`.
#pragma once

#include <optional>

#include "analyzer/summary/query.h"

namespace ranklint {

// In seconds, where a call of known numbers made the value, wherever it stands. The calls that make durations have to
// be watched for (Rule::calls).
std::optional<double> seconds_of(const Query& in, ValueId duration);

// The same of the time-out that a call which makes groups is given.
std::optional<double> seconds_given_to(const Query& in, const WatchedCall& call);

// What the note of a role says: how long a unit of time is, or how long a backend waits. Nothing: it is no number.
std::optional<double> seconds_noted(const RoleEntry& entry);

}  // namespace ranklint
