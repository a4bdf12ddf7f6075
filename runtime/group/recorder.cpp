#include "runtime/group/recorder.h"

#include <algorithm>

#include "runtime/group/fetch.h"
#include "runtime/group/json_text.h"

namespace ranklint::runtime {

namespace {

std::vector<int64_t> counts_of(std::span<const Tensor> tensors) {
  std::vector<int64_t> splits;
  if (tensors.size() < 2) return splits;
  for (const Tensor& tensor : tensors) splits.push_back(tensor.numel());
  return splits;
}

void note_shape(std::span<const Tensor> tensors, int8_t& dims, std::array<int32_t, 4>& noted) {
  dims = -1;
  if (tensors.empty()) return;
  const Shape& shape = tensors.front().shape();
  dims = static_cast<int8_t>(shape.size());
  for (size_t i = 0; i < std::min(shape.size(), noted.size()); ++i) noted[i] = static_cast<int32_t>(shape[i]);
}

bool is_message(OpType op) { return op == OpType::Send || op == OpType::Recv; }

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

// c10d's name of the operation; the tools ask for the prefix.
std::string profiling_name(const Recorder::Record& record, int rank) {
  const OpType op = record.op;
  const std::string peer = std::to_string(record.peer);
  if (op == OpType::Send) return "nccl:send " + std::to_string(rank) + "->" + peer;
  if (op == OpType::Recv) return "nccl:recv " + std::to_string(rank) + "<-" + peer;
  if (op == OpType::Barrier) return "nccl:all_reduce_barrier";
  return "nccl:" + std::string(name_of(op));
}

void write_numbers(JsonText& json, const std::vector<int64_t>& numbers) {
  json.begin_array();
  for (const int64_t number : numbers) json.number(number);
  json.end_array();
}

// A list of shapes: one shape, or a piece each.
void write_sizes(JsonText& json, int dims, const std::array<int32_t, 4>& shape, const std::vector<int64_t>& splits) {
  json.begin_array();
  for (const int64_t split : splits) write_numbers(json, {split});
  if (dims >= 0 && splits.empty()) write_numbers(json, {shape.begin(), shape.begin() + std::min(dims, 4)});
  json.end_array();
}

void write_types(JsonText& json, size_t count, DType dtype) {
  json.begin_array();
  for (size_t i = 0; i < count; ++i) json.text(c10_name(dtype));
  json.end_array();
}

const Recorder::Rare& rare_of(const Recorder::Record& record) {
  static const Recorder::Rare kNone;
  return record.rare ? *record.rare : kNone;
}

void write_tensors(JsonText& json, const Recorder::Record& record) {
  const Recorder::Rare& rare = rare_of(record);
  json.key("input_sizes");
  write_sizes(json, record.in_dims, record.in_shape, rare.in);
  json.key("input_dtypes");
  write_types(json, std::max<size_t>(rare.in.size(), record.in_dims >= 0), record.dtype);
  json.key("output_sizes");
  write_sizes(json, record.out_dims, record.out_shape, rare.out);
  json.key("output_dtypes");
  write_types(json, std::max<size_t>(rare.out.size(), record.out_dims >= 0), record.dtype);
}

void write_time(JsonText& json, std::string_view key, uint64_t ticks, const TickClock& clock) {
  json.key(key);
  if (ticks == 0)
    json.null();
  else
    json.number(clock.to_ns(ticks));
}

void write_times(JsonText& json, const Recorder::Record& record, const TickClock& clock) {
  json.key("time_created_ns").number(clock.to_ns(record.created));
  write_time(json, "time_discovered_started_ns", record.started, clock);
  write_time(json, "time_discovered_completed_ns", record.completed, clock);
  json.key("duration_ms");
  if (record.completed == 0)
    json.null();
  else
    json.decimal(static_cast<double>(clock.to_ns(record.completed) - clock.to_ns(record.started)) / 1e6);
  json.key("timeout_ms").number(record.timeout_ms);
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

void write_record(JsonText& json, uint64_t id, const Recorder::Record& record, int rank,
                  const std::vector<RecordedGroup>& groups, const TickClock& clock) {
  const bool message = is_message(record.op);
  const RecordedGroup& group = group_of(groups, record.group);
  json.begin_object();
  json.key("record_id").number(id - 1);
  json.key("pg_id").number(group.id);
  json.key("process_group").begin_array().text(std::to_string(group.id)).text(group.name).end_array();
  json.key("collective_seq_id").number(message ? 0 : record.sequence);
  json.key("p2p_seq_id").number(message ? record.sequence : 0);
  json.key("op_id").number(record.sequence);
  json.key("profiling_name").text(profiling_name(record, rank));
  write_tensors(json, record);
  write_times(json, record, clock);
  json.key("is_p2p").boolean(message);
  json.key("thread_id").text(std::to_string(rank));
  json.key("thread_name").text("rank " + std::to_string(rank));
  write_frames(json, record.site);
  write_ours(json, record, rank);
  json.end_object();
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

}  // namespace

// The next record lies where none has been for thousands of calls: asked for now, it is at hand by then.
void Recorder::fetch_next() const {
  const size_t place = last_place_ + 1 < ring_.size() ? last_place_ + 1 : 0;
  const auto* next = reinterpret_cast<const std::byte*>(&ring_[place]);
  fetch_to_write(next);
  fetch_to_write(next + 64);
}

uint64_t Recorder::begin(uint64_t group, uint64_t sequence, const Call& call, int peer) {
  if (capacity_ == 0) return 0;
  const uint64_t id = ++last_;
  last_place_ = id == 1 || last_place_ + 1 == capacity_ ? 0 : last_place_ + 1;
  if (last_place_ == ring_.size()) ring_.emplace_back();
  Record& record = ring_[last_place_];
  fetch_next();
  record.group = group;
  record.sequence = sequence;
  record.op = call.op;
  record.reduce = call.reduce;
  record.peer = peer;
  record.site = call.site;
  note_shape(call.in, record.in_dims, record.in_shape);
  note_shape(call.out, record.out_dims, record.out_shape);
  if (const auto& some = call.in.empty() ? call.out : call.in; !some.empty()) record.dtype = some.front().dtype();
  record.rare.reset();
  if (call.in.size() > 1 || call.out.size() > 1 || !call.options.implicit_in.empty())
    record.rare = std::make_unique<Rare>(Rare{counts_of(call.in), counts_of(call.out), std::string(call.options.implicit_in)});
  record.created = now_ticks();
  record.started = record.completed = 0;
  record.timeout_ms = static_cast<int32_t>(call.options.timeout.count());
  return id;
}

void Recorder::started(uint64_t id, uint64_t at) {
  if (Record* record = find(id)) record->started = at;
}

void Recorder::add_group(RecordedGroup group) { groups_.push_back(std::move(group)); }

std::string Recorder::to_json(const TickClock& clock, const Verdict& verdict) const {
  JsonText json;
  json.begin_object();
  json.key("version").text("2.10");
  json.key("rank").number(rank_);
  write_groups(json, groups_);
  json.key("entries").begin_array();
  const uint64_t kept = ring_.size();
  for (uint64_t id = last_ - kept + 1; id <= last_; ++id)
    write_record(json, id, ring_[(id - 1) % capacity_], rank_, groups_, clock);
  json.end_array();
  json.key("verdict").text(name_of(verdict.kind));
  json.key("verdict_message").text(verdict.message);
  json.end_object();
  return json.take();
}

}  // namespace ranklint::runtime
