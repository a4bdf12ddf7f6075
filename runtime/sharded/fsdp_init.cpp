#include "runtime/sharded/fsdp_init.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "runtime/base/fingerprint.h"

namespace ranklint::runtime {

static constexpr std::string_view kIn = "Fsdp";

static std::string full_name(const Unit& unit, const Slot& slot) { return "`" + unit.name + "." + slot.name + "`"; }

static std::string kind_of(DType dtype, const Shape& shape) { return std::string(name_of(dtype)) + to_string(shape); }

static void materialize(const Unit& unit, Slot& slot, const FsdpOptions& options) {
  const bool is_meta = !slot.value;
  if (is_meta) {
    if (!options.param_init)
      fail(ErrorKind::InvalidArgument, full_name(unit, slot) + " is a meta tensor and there is no param_init");
    slot.value = options.param_init(unit, slot);
  }
  if (slot.value->shape() != slot.shape || slot.value->dtype() != slot.dtype)
    fail(ErrorKind::InvalidArgument, (is_meta ? "param_init gave " : "the module has ") +
                                         kind_of(slot.value->dtype(), slot.value->shape()) + " for " +
                                         full_name(unit, slot) + ", which is " + kind_of(slot.dtype, slot.shape));
}

static void place(const Unit& unit, Slot& slot, const FsdpOptions& options) {
  if (options.device_id == Device::Accelerator) slot.value = slot.value->to(Device::Accelerator);
  if (options.sync_module_states && slot.value->device() == Device::Host)
    fail(ErrorKind::InvalidArgument, full_name(unit, slot) +
                                         " is on the host: sync_module_states needs parameters and buffers on the "
                                         "accelerator; pass device_id or move the module first");
}

static void check_devices(const Unit& unit, const ProcessGroup& group) {
  for (const Slot& slot : unit.parameters) {
    const Device device = slot.value->device();
    if (device != unit.parameters.front().value->device())
      fail(ErrorKind::InvalidArgument, "unit `" + unit.name + "` has parameters on two devices");
    if (!group.takes(device))
      fail(ErrorKind::InvalidArgument, full_name(unit, slot) + " is on " + std::string(name_of(device)) + ", group " +
                                           group.name() + " is for " + std::string(name_of(group.device())) +
                                           ": pass device_id or move the module first");
  }
}

void prepare(Module& module, const FsdpOptions& options, const ProcessGroup& group) {
  std::set<std::string> names;
  for (Unit& unit : module.units) {
    for (std::vector<Slot>* slots : {&unit.parameters, &unit.buffers})
      for (Slot& slot : *slots) {
        if (!names.insert(full_name(unit, slot)).second)
          fail(ErrorKind::InvalidArgument,
               full_name(unit, slot) + " is there twice: a state dict could not tell the two apart");
        materialize(unit, slot, options);
        place(unit, slot, options);
      }
    check_devices(unit, group);
    FlatParameter(unit.name, unit.parameters, 1);  // throws when the unit mixes types
  }
}

// Of everything that decides which calls are made, on which bytes and where they lie: of a module that is prepared.
static int64_t fingerprint_of(const Module& module, const FsdpOptions& options) {
  Fingerprint all;
  all.add(options.sync_module_states).add(options.reshard_after_forward).add(options.replicate.has_value());
  all.add(options.broadcast_bucket_bytes);
  for (const Unit& unit : module.units) {
    all.add(unit.name);
    for (const std::vector<Slot>* slots : {&unit.buffers, &unit.parameters}) {
      all.add(slots->size());
      for (const Slot& slot : *slots)
        all.add(slot.name).add(to_string(slot.shape)).add(name_of(slot.dtype)).add(name_of(slot.value->device()));
    }
  }
  return static_cast<int64_t>(all.value());
}

namespace {
// What a rank says of itself, as it travels.
struct Word {
  int64_t rank = 0;  // global
  int64_t failed = 0;
  int64_t replicates = 0;
  int64_t fingerprint = 0;
};
constexpr int64_t kNumbersPerWord = sizeof(Word) / sizeof(int64_t);
}  // namespace

// What all ranks of the group give, in group order.
static std::vector<Word> exchange(const std::vector<Word>& mine, ProcessGroup& group, Site site) {
  const auto numbers = static_cast<int64_t>(mine.size()) * kNumbersPerWord;
  const Tensor in = Tensor::empty({numbers}, DType::I64, group.device());
  in.assign(std::as_bytes(std::span(mine)));
  const Tensor out = Tensor::empty({numbers * group.size()}, DType::I64, group.device());
  group.all_gather_into_tensor(out, in, {.implicit_in = kIn}, site).wait();
  std::vector<Word> words(mine.size() * static_cast<size_t>(group.size()));
  std::memcpy(words.data(), out.data(), out.size_bytes());
  return words;
}

static std::vector<Word> words_of_all(const Word& mine, const FsdpOptions& options, ProcessGroup& group, Site site) {
  std::vector<Word> words = exchange({mine}, group, site);
  if (std::all_of(words.begin(), words.end(), [](const Word& word) { return word.replicates != 0; })) {
    ProcessGroup replicate = *options.replicate;
    words = exchange(words, replicate, site);
  }
  std::sort(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.rank < b.rank; });
  // Of ranks that are in several of the groups, once.
  words.erase(std::unique(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.rank == b.rank; }),
              words.end());
  return words;
}

using Ranks = std::vector<int64_t>;

static std::string text_of(const Ranks& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
  return text;
}

// The ranks of each fingerprint, the most frequent one first.
static std::vector<Ranks> parties_of(const std::vector<Word>& words) {
  std::map<int64_t, Ranks> by_fingerprint;
  for (const Word& word : words) by_fingerprint[word.fingerprint].push_back(word.rank);
  std::vector<Ranks> parties;
  for (auto& [fingerprint, ranks] : by_fingerprint) parties.push_back(std::move(ranks));
  std::sort(parties.begin(), parties.end(),
            [](const Ranks& a, const Ranks& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
  return parties;
}

// The odd ranks where more than half are of one party, all parties where none is to be preferred.
static std::string difference(const std::vector<Ranks>& parties, size_t all) {
  if (2 * parties.front().size() > all) {
    Ranks odd;
    for (size_t i = 1; i < parties.size(); ++i) odd.insert(odd.end(), parties[i].begin(), parties[i].end());
    std::sort(odd.begin(), odd.end());
    return "on " + text_of(odd);
  }
  std::string text = "between " + text_of(parties.front());
  for (size_t i = 1; i < parties.size(); ++i) text += " and " + text_of(parties[i]);
  return text;
}

std::optional<Error> agreed(const Module& module, const FsdpOptions& options, const std::optional<Error>& own,
                            ProcessGroup& group, Site site) {
  const Word mine{.rank = group.global_rank(group.rank()),
                  .failed = own.has_value(),
                  .replicates = options.replicate.has_value(),
                  .fingerprint = own ? 0 : fingerprint_of(module, options)};
  const std::vector<Word> words = words_of_all(mine, options, group, site);
  if (own) return own;
  Ranks failed;
  for (const Word& word : words)
    if (word.failed != 0) failed.push_back(word.rank);
  if (!failed.empty())
    return Error{.kind = ErrorKind::PeerFailed, .message = "Fsdp: " + text_of(failed) + " can not wrap the module"};
  if (const std::vector<Ranks> parties = parties_of(words); parties.size() > 1)
    return Error{
        .kind = ErrorKind::Mismatch,
        .message = "Fsdp: units, names, shapes, types, devices or options differ " + difference(parties, words.size())};
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
