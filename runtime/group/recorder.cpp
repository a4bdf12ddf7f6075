#include "runtime/group/recorder.h"

#include <algorithm>

#include "runtime/group/fetch.h"

namespace ranklint::runtime {

namespace {

std::vector<int64_t> counts_of(std::span<const Tensor> tensors) {
  std::vector<int64_t> splits;
  if (tensors.size() < 2) return splits;
  for (const Tensor& tensor : tensors) splits.push_back(tensor.numel());
  return splits;
}

// Does it hold the shape?
bool note_shape(std::span<const Tensor> tensors, int8_t& dims, std::array<int32_t, 4>& noted) {
  dims = -1;
  if (tensors.empty()) return true;
  const Shape& shape = tensors.front().shape();
  dims = static_cast<int8_t>(shape.size());
  int64_t bits = 0;
  for (size_t i = 0; i < std::min(shape.size(), noted.size()); ++i) {
    noted[i] = static_cast<int32_t>(shape[i]);
    bits |= shape[i];
  }
  return shape.size() <= noted.size() && bits <= INT32_MAX;
}

Shape shape_of(std::span<const Tensor> tensors) { return tensors.empty() ? Shape{} : tensors.front().shape(); }

}  // namespace

// The next record lies where none has been for thousands of calls: asked for now, it is at hand by then.
void Recorder::fetch_next() const {
  const size_t place = last_place_ + 1 < ring_.size() ? last_place_ + 1 : 0;
  const auto* next = reinterpret_cast<const std::byte*>(&ring_[place]);
  fetch_to_write(next);
  fetch_to_write(next + 64);
}

uint64_t Recorder::begin(uint64_t group, uint64_t sequence, const Call& call, int peer, uint64_t at) {
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
  const bool in_fits = note_shape(call.in, record.in_dims, record.in_shape);
  const bool out_fits = note_shape(call.out, record.out_dims, record.out_shape);
  if (const auto& some = call.in.empty() ? call.out : call.in; !some.empty()) record.dtype = some.front().dtype();
  record.rare.reset();
  if (call.in.size() > 1 || call.out.size() > 1 || !call.options.implicit_in.empty())
    record.rare = std::make_unique<Rare>(
        Rare{counts_of(call.in), counts_of(call.out), std::string(call.options.implicit_in), {}, {}});
  if (!in_fits || !out_fits) {
    if (!record.rare) record.rare = std::make_unique<Rare>();
    record.rare->in_shape = shape_of(call.in);
    record.rare->out_shape = shape_of(call.out);
  }
  record.created = at;
  record.started = record.completed = 0;
  record.timeout_ms = static_cast<int32_t>(std::min<int64_t>(call.options.timeout.count(), INT32_MAX));
  return id;
}

void Recorder::started(uint64_t id, uint64_t at) {
  if (Record* record = find(id)) record->started = at;
}

bool Recorder::has_completed(uint64_t group, uint64_t sequence) const {
  return std::any_of(ring_.begin(), ring_.end(), [&](const Record& record) {
    return record.group == group && record.sequence == sequence && record.completed != 0 && !is_message(record.op);
  });
}

void Recorder::add_group(RecordedGroup group) { groups_.push_back(std::move(group)); }

}  // namespace ranklint::runtime
