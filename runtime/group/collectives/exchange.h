// Who moves which bytes once all members have posted: the two ways in which every collective is carried out.
//
// `run_share`: the work is cut into as many shares as there are members, which write to disjoint places and read
// nothing that another share writes. So they may run at once and in any order, on whichever thread has time; the bytes
// that come out are the same.
//
// `deliver`: all of the result of the member that asks, written to its memory only. It is for inputs of which the
// others' lie in the postings (Face::is_inlined), where nobody writes; the member's own may be its output (kernels.h).
//
// P members with n bytes each; alpha, beta, gamma: a start, a byte moved, a byte reduced. Threads of one process read
// each other's buffers directly, so every collective here takes one step of (P-1) reads instead of the lg P or P-1
// steps of message passing; what stays of the literature (Thakur, Rabenseifner, Gropp, "Optimization of Collective
// Communication Operations in MPICH", 2005) is how the work is divided.
#pragma once

#include "runtime/group/collectives/posting.h"

namespace ranklint::runtime {

// Operations of one tensor that is input and output: a share of them writes where others' inputs lie. What a share of
// the others writes is its own member's output; of a gather it is the root's.
inline bool is_in_place(OpType op) {
  return op == OpType::AllReduce || op == OpType::Reduce || op == OpType::Broadcast;
}

void run_share(Members members, size_t share);
void deliver(Members members);

}  // namespace ranklint::runtime
