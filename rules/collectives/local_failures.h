// What fails on one rank and works on the others, for what this rank alone has: its files, the network, its memory, its
// batch.
#pragma once

#include "analyzer/questions/code.h"
#include "analyzer/questions/communication.h"

namespace ranklint {

enum class Failure : uint8_t { Any, OutOfMemory, Pass, SharedFile };  // which of them is asked for

// Whether the instruction may fail on this rank alone. Any call may run out of memory; a pass over a batch
// is a wrapped model's; and a file that all ranks read may be missing on one node.
bool fails_locally(const Query& query, const Summary& summary, const FunctionCode& code, ProgramPoint at,
                   Failure wanted);

// Whether the instruction is a call that is given a batch of this rank's own loader, in whose loop it stands, to work
// on it.
bool works_on_batch(const Query& query, const Summary& summary, const FunctionCode& code, ProgramPoint at);

// Whether it does, and does not communicate the failure: the batch may cause it, and the other ranks have others.
bool fails_over_batch(const Query& query, const Summary& summary, const FunctionCode& code, ProgramPoint at);

// The communication that the other ranks go on to in a callee, after a failure on this rank that the callee does not
// handle; in the terms of its caller, at the call. Nothing: no rank leaves the others there.
std::optional<Communication> left_by_failure(const Query& query, const Step& call, Failure wanted);

}  // namespace ranklint
