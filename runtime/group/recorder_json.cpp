// A flight record as JSON, with PyTorch's keys and words, so that its tools (torch.distributed.flight_recorder) read
// it: of lists of equal pieces they expect one tensor, of messages the members' places in the sorted group, and of
// operations only names that they know.
#include <algorithm>
#include <functional>

#include "runtime/group/json_text.h"
#include "runtime/group/match_state.h"
#include "runtime/group/recorder.h"

namespace ranklint::runtime {

namespace {

// c10d's words for element types.
std::string_view c10_name(DType dtype) {
  switch (dtype) {
    case DType::F32: return "Float";
    case DType::F64: return "Double";
    case DType::BF16: return "BFloat16";
    case DType::F16: return "Half";
    case DType::I32: return "Int";
    case DType::I64: return "Long";
    case DType::U8: return "Byte";
  }
  return "";
}

// Which of the group's ranks, in their order by number; -1: any.
int place_of(int rank, const RecordedGroup& group) {
  if (rank < 0) return -1;
  return static_cast<int>(
      std::count_if(group.ranks.begin(), group.ranks.end(), [&](int other) { return other < rank; }));
}

// c10d's name of the operation; the tools ask for the prefix.
std::string profiling_name(const Recorder::Record& record, int rank, const RecordedGroup& group) {
  const std::string self = std::to_string(place_of(rank, group)), peer = std::to_string(place_of(record.peer, group));
  switch (record.op) {
    case OpType::Send: return "nccl:send " + self + "->" + peer;
    case OpType::Recv: return "nccl:recv " + self + "<-" + peer;
    case OpType::Barrier: return "nccl:all_reduce_barrier";
    case OpType::MonitoredBarrier: return "nccl:barrier";
    case OpType::NewGroup: return "nccl:split";
    default: return "nccl:" + std::string(name_of(record.op));
  }
}

void write_numbers(JsonText& json, const std::vector<int64_t>& numbers) {
  json.begin_array();
  for (const int64_t number : numbers) json.number(number);
  json.end_array();
}

bool are_even(const std::vector<int64_t>& splits) {
  return std::adjacent_find(splits.begin(), splits.end(), std::not_equal_to<>{}) == splits.end();
}

// A list of shapes. Of a list of equal pieces it is the one that they make together, otherwise a count for each.
void write_sizes(JsonText& json, int dims, const Shape& shape, const std::vector<int64_t>& splits) {
  json.begin_array();
  if (dims >= 0 && are_even(splits)) {
    std::vector<int64_t> sizes = shape;
    if (!splits.empty()) sizes.insert(sizes.begin(), static_cast<int64_t>(splits.size()));
    write_numbers(json, sizes);
  } else {
    for (const int64_t split : splits) write_numbers(json, {split});
  }
  json.end_array();
}

void write_types(JsonText& json, int dims, const std::vector<int64_t>& splits, DType dtype) {
  const size_t count = are_even(splits) ? dims >= 0 : splits.size();
  json.begin_array();
  for (size_t i = 0; i < count; ++i) json.text(c10_name(dtype));
  json.end_array();
}

const Recorder::Rare& rare_of(const Recorder::Record& record) {
  static const Recorder::Rare kNone;
  return record.rare ? *record.rare : kNone;
}

// As it is kept beside the record, where it is.
Shape whole_shape(int dims, const std::array<int32_t, 4>& noted, const Shape& beside) {
  return beside.empty() ? Shape(noted.begin(), noted.begin() + std::clamp(dims, 0, 4)) : beside;
}

void write_tensors(JsonText& json, const Recorder::Record& record) {
  const Recorder::Rare& rare = rare_of(record);
  json.key("input_sizes");
  write_sizes(json, record.in_dims, whole_shape(record.in_dims, record.in_shape, rare.in_shape), rare.in);
  json.key("input_dtypes");
  write_types(json, record.in_dims, rare.in, record.dtype);
  json.key("output_sizes");
  write_sizes(json, record.out_dims, whole_shape(record.out_dims, record.out_shape, rare.out_shape), rare.out);
  json.key("output_dtypes");
  write_types(json, record.out_dims, rare.out, record.dtype);
}

void write_time(JsonText& json, std::string_view key, uint64_t ticks, const TickClock& clock) {
  json.key(key);
  if (ticks == 0)
    json.null();
  else
    json.number(clock.to_ns(ticks));
}

void write_times(JsonText& json, const Recorder::Record& record, const TickClock& clock,
                 std::chrono::milliseconds default_timeout) {
  json.key("time_created_ns").number(clock.to_ns(record.created));
  write_time(json, "time_discovered_started_ns", record.started, clock);
  write_time(json, "time_discovered_completed_ns", record.completed, clock);
  json.key("duration_ms");
  if (record.completed == 0)
    json.null();
  else
    json.decimal(static_cast<double>(clock.to_ns(record.completed) - clock.to_ns(record.started)) / 1e6);
  json.key("timeout_ms").number(record.timeout_ms == 0 ? default_timeout.count() : record.timeout_ms);
  json.key("state").text(record.completed ? "completed" : record.started ? "started" : "scheduled");
  json.key("retired").boolean(record.completed != 0);
}

void write_frames(JsonText& json, Site site) {
  json.key("frames").begin_array().begin_object();
  json.key("name").text(site.function);
  json.key("filename").text(site.file);
  json.key("line").number(site.line);
  json.end_object().end_array();
}

// What c10d's record does not have.
void write_ours(JsonText& json, const Recorder::Record& record, int rank) {
  const OpType op = record.op;
  json.key("rank").number(rank);
  json.key("op").text(name_of(op));
  if (op == OpType::AllReduce || op == OpType::Reduce || op == OpType::ReduceScatter)
    json.key("reduce_op").text(name_of(record.reduce));
  if (record.peer >= 0 && !is_message(op)) json.key("root").number(record.peer);
  const Recorder::Rare& rare = rare_of(record);
  if (!rare.in.empty()) write_numbers(json.key("input_splits"), rare.in);
  if (!rare.out.empty()) write_numbers(json.key("output_splits"), rare.out);
  json.key("site").text(to_string(record.site));
  if (!rare.implicit_in.empty()) json.key("implicit_in").text(rare.implicit_in);
}

const RecordedGroup& group_of(const std::vector<RecordedGroup>& groups, uint64_t id) {
  return *std::find_if(groups.begin(), groups.end(), [id](const RecordedGroup& group) { return group.id == id; });
}

// Whom the call still waited for when the verdict was told, or who had not met it.
void write_missing_ranks(JsonText& json, const Recorder::Record& record, const std::string& group,
                         const RankState& state) {
  const bool waits = state.op == record.op && state.sequence == record.sequence && state.group == group;
  if (!waits || record.completed != 0 || state.waits_for.empty()) return;
  json.key("missing_ranks");
  write_numbers(json, {state.waits_for.begin(), state.waits_for.end()});
}

void write_record(JsonText& json, uint64_t id, const Recorder::Record& record, int rank, const RecordedGroup& group,
                  const TickClock& clock, std::chrono::milliseconds default_timeout) {
  const bool message = is_message(record.op);
  json.key("record_id").number(id - 1);
  json.key("pg_id").number(group.id);
  json.key("process_group").begin_array().text(std::to_string(group.id)).text(group.name).end_array();
  json.key("collective_seq_id").number(message ? 0 : record.sequence);
  json.key("p2p_seq_id").number(message ? record.sequence : 0);
  json.key("op_id").number(record.sequence);
  json.key("profiling_name").text(profiling_name(record, rank, group));
  write_tensors(json, record);
  write_times(json, record, clock, default_timeout);
  json.key("is_p2p").boolean(message);
  json.key("thread_id").text(std::to_string(rank));
  json.key("thread_name").text("rank " + std::to_string(rank));
  write_frames(json, record.site);
  write_ours(json, record, rank);
}

void write_groups(JsonText& json, const std::vector<RecordedGroup>& groups) {
  json.key("pg_config").begin_object();
  for (const RecordedGroup& group : groups) {
    std::string ranks;
    for (const int rank : group.ranks) ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
    json.key(std::to_string(group.id)).begin_object();
    json.key("name").text(std::to_string(group.id));
    json.key("desc").text(group.name);
    json.key("ranks").text("[" + ranks + "]");
    json.end_object();
  }
  json.end_object();
}

// The last collective of each group, as far as the ring reaches; 0: none.
void write_status(JsonText& json, const std::vector<RecordedGroup>& groups, const std::vector<Recorder::Record>& ring) {
  json.key("pg_status").begin_object();
  for (const RecordedGroup& group : groups) {
    uint64_t enqueued = 0, started = 0, completed = 0;
    for (const Recorder::Record& record : ring) {
      if (record.group != group.id || is_message(record.op)) continue;
      enqueued = std::max(enqueued, record.sequence);
      if (record.started != 0) started = std::max(started, record.sequence);
      if (record.completed != 0) completed = std::max(completed, record.sequence);
    }
    json.key(std::to_string(group.id)).begin_object();
    json.key("last_enqueued_collective").number(enqueued);
    json.key("last_started_collective").number(started);
    json.key("last_completed_collective").number(completed);
    json.end_object();
  }
  json.end_object();
}

}  // namespace

std::string Recorder::to_json(const TickClock& clock, const Verdict& verdict,
                              const CompletedElsewhere& completed_elsewhere) const {
  JsonText json;
  json.begin_object();
  json.key("version").text("2.10");
  json.key("rank").number(rank_);
  json.key("comm_lib_version").text("ranklint");
  json.key("nccl_comm_state").begin_object().end_object();
  write_groups(json, groups_);
  write_status(json, groups_, ring_);
  json.key("entries").begin_array();
  const uint64_t kept = ring_.size();
  for (uint64_t id = last_ - kept + 1; id <= last_; ++id) {
    const Record& record = ring_[(id - 1) % capacity_];
    const RecordedGroup& group = group_of(groups_, record.group);
    json.begin_object();
    write_record(json, id, record, rank_, group, clock, default_timeout_);
    json.key("match_state").text(name_of(match_state(record, rank_, verdict, completed_elsewhere)));
    if (!verdict.ranks.empty())
      write_missing_ranks(json, record, group.name, verdict.ranks[static_cast<size_t>(rank_)]);
    json.end_object();
  }
  json.end_array();
  json.key("verdict").text(name_of(verdict.kind));
  json.key("verdict_message").text(verdict.message);
  json.end_object();
  return json.take();
}

}  // namespace ranklint::runtime
