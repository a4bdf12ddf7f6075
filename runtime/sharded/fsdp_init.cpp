#include "runtime/sharded/fsdp_init.h"

#include <algorithm>

#include "runtime/base/fingerprint.h"

namespace ranklint::runtime {

static constexpr std::string_view kIn = "Fsdp";

static std::string full_name(const Unit& unit, const Slot& slot) { return "`" + unit.name + "." + slot.name + "`"; }

static std::string kind_of(DType dtype, const Shape& shape) { return std::string(name_of(dtype)) + to_string(shape); }

static void materialize(const Unit& unit, Slot& slot, const FsdpOptions& options) {
  if (slot.value) return;
  if (!options.param_init)
    fail(ErrorKind::InvalidArgument, full_name(unit, slot) + " is a meta tensor and there is no param_init");
  slot.value = options.param_init(unit, slot);
  if (slot.value->shape() != slot.shape || slot.value->dtype() != slot.dtype)
    fail(ErrorKind::InvalidArgument, "param_init gave " + kind_of(slot.value->dtype(), slot.value->shape()) + " for " +
                                         full_name(unit, slot) + ", which is " + kind_of(slot.dtype, slot.shape));
}

static void place(const Unit& unit, Slot& slot, const FsdpOptions& options) {
  if (options.device_id == Device::Accelerator) slot.value = slot.value->to(Device::Accelerator);
  if (options.sync_module_states && slot.value->device() == Device::Host)
    fail(ErrorKind::InvalidArgument, full_name(unit, slot) +
                                         " is on the host: sync_module_states needs parameters and buffers on the "
                                         "accelerator; pass device_id or move the module first");
}

static void check_one_device(const Unit& unit) {
  for (const Slot& slot : unit.parameters)
    if (slot.value->device() != unit.parameters.front().value->device())
      fail(ErrorKind::InvalidArgument, "unit `" + unit.name + "` has parameters on two devices");
}

void prepare(Module& module, const FsdpOptions& options) {
  for (Unit& unit : module.units) {
    for (std::vector<Slot>* slots : {&unit.parameters, &unit.buffers})
      for (Slot& slot : *slots) {
        materialize(unit, slot, options);
        place(unit, slot, options);
      }
    check_one_device(unit);
    FlatParameter(unit.name, unit.parameters, 1);  // throws when the unit mixes types
  }
}

// Of everything that decides which calls are made, and on which bytes.
static int64_t fingerprint_of(const Module& module, const FsdpOptions& options) {
  Fingerprint all;
  all.add(options.sync_module_states).add(options.reshard_after_forward).add(options.replicate.has_value());
  all.add(options.broadcast_bucket_bytes);
  for (const Unit& unit : module.units) {
    all.add(unit.name);
    for (const std::vector<Slot>* slots : {&unit.buffers, &unit.parameters}) {
      all.add(slots->size());
      for (const Slot& slot : *slots) all.add(slot.name).add(to_string(slot.shape)).add(name_of(slot.dtype));
    }
  }
  return static_cast<int64_t>(all.value());
}

static std::string ranks_text(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
  return text;
}

namespace {
struct Word {
  bool failed = false;
  int64_t fingerprint = 0;
};
}  // namespace

// What each rank of the group says, in group order.
static std::vector<Word> exchange(const Word& mine, ProcessGroup& group, Site site) {
  const Device device = group.device();
  const Tensor in = Tensor::from<int64_t>({mine.failed, mine.fingerprint}, {2}).to(device);
  const Tensor out = Tensor::empty({2 * group.size()}, DType::I64, device);
  group.all_gather_into_tensor(out, in, {.implicit_in = kIn}, site).wait();
  std::vector<Word> words;
  const std::span<int64_t> said = out.as<int64_t>();
  for (size_t i = 0; i < said.size(); i += 2) words.push_back({.failed = said[i] != 0, .fingerprint = said[i + 1]});
  return words;
}

// The fingerprint that most ranks have; the earliest rank's in a tie.
static int64_t common(const std::vector<Word>& words) {
  const auto votes = [&](const Word& word) {
    return std::count_if(words.begin(), words.end(), [&](const Word& w) { return w.fingerprint == word.fingerprint; });
  };
  return std::max_element(words.begin(), words.end(), [&](const Word& a, const Word& b) { return votes(a) < votes(b); })
      ->fingerprint;
}

std::optional<Error> agreed(const Module& module, const FsdpOptions& options, const std::optional<Error>& own,
                            ProcessGroup& group, Site site) {
  const Word mine{.failed = own.has_value(), .fingerprint = fingerprint_of(module, options)};
  const std::vector<Word> words = exchange(mine, group, site);
  if (own) return own;

  std::vector<int> failed, odd;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].failed) failed.push_back(group.global_rank(static_cast<int>(i)));
    if (words[i].fingerprint != common(words)) odd.push_back(group.global_rank(static_cast<int>(i)));
  }
  if (!failed.empty())
    return Error{.kind = ErrorKind::PeerFailed, .message = "Fsdp: " + ranks_text(failed) + " can not wrap the module"};
  if (!odd.empty())
    return Error{.kind = ErrorKind::Mismatch,
                 .message = "Fsdp: units, names, shapes, types or options differ on " + ranks_text(odd)};
  return std::nullopt;
}

// Neighbours of one type, as many as fit; a tensor that is larger than a bucket has one of its own.
static std::vector<std::vector<Tensor>> buckets_of(const std::vector<Tensor>& tensors, size_t bucket_bytes) {
  std::vector<std::vector<Tensor>> buckets;
  size_t filled = 0;
  for (const Tensor& tensor : tensors) {
    const bool fits = !buckets.empty() && buckets.back().front().dtype() == tensor.dtype() &&
                      filled + tensor.size_bytes() <= bucket_bytes;
    if (!fits) {
      buckets.emplace_back();
      filled = 0;
    }
    buckets.back().push_back(tensor);
    filled += tensor.size_bytes();
  }
  return buckets;
}

static void broadcast_bucket(const std::vector<Tensor>& tensors, ProcessGroup& group, Site site) {
  std::vector<Tensor> rows;
  for (const Tensor& tensor : tensors) rows.push_back(tensor.reshape({tensor.numel()}));
  const Tensor bucket = Tensor::cat(rows);
  group.broadcast(bucket, group.global_rank(0), {.implicit_in = kIn}, site).wait();
  int64_t at = 0;
  for (const Tensor& row : rows) {
    row.copy_(bucket.narrow(0, at, row.numel()));
    at += row.numel();
  }
}

void broadcast_states(Unit& unit, ProcessGroup& group, size_t bucket_bytes, Site site) {
  std::vector<Tensor> tensors;
  for (const std::vector<Slot>* slots : {&unit.buffers, &unit.parameters})
    for (const Slot& slot : *slots) tensors.push_back(*slot.value);
  for (const std::vector<Tensor>& bucket : buckets_of(tensors, bucket_bytes)) broadcast_bucket(bucket, group, site);
}

}  // namespace ranklint::runtime
