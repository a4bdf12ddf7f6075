#include "runtime/group/call.h"
#include "runtime/group/verdict.h"

namespace ranklint::runtime {

std::string_view name_of(OpType op) {
  switch (op) {
    case OpType::Broadcast: return "broadcast";
    case OpType::AllReduce: return "all_reduce";
    case OpType::Reduce: return "reduce";
    case OpType::AllGather: return "all_gather";
    case OpType::Gather: return "gather";
    case OpType::Scatter: return "scatter";
    case OpType::ReduceScatter: return "reduce_scatter";
    case OpType::AllToAll: return "all_to_all";
    case OpType::Barrier: return "barrier";
    case OpType::MonitoredBarrier: return "monitored_barrier";
    case OpType::Send: return "send";
    case OpType::Recv: return "recv";
    case OpType::NewGroup: return "new_group";
  }
  return "";
}

std::string_view name_of(ReduceOp op) {
  switch (op) {
    case ReduceOp::Sum: return "sum";
    case ReduceOp::Avg: return "avg";
    case ReduceOp::Min: return "min";
    case ReduceOp::Max: return "max";
    case ReduceOp::Prod: return "prod";
  }
  return "";
}

std::string_view name_of(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Ok: return "ok";
    case VerdictKind::Mismatch: return "mismatch";
    case VerdictKind::Deadlock: return "deadlock";
    case VerdictKind::PeerExited: return "peer_exited";
    case VerdictKind::PeerThrew: return "peer_threw";
    case VerdictKind::BufferReuse: return "buffer_reuse";
    case VerdictKind::Timeout: return "timeout";
  }
  return "";
}

}  // namespace ranklint::runtime
