#include "runtime/loader/load_job.h"

#include <algorithm>
#include <set>

#include "runtime/base/fingerprint.h"
#include "runtime/loader/text.h"

namespace ranklint::runtime {

static constexpr uint64_t kLargestElement = 8;

LoadJob::LoadJob(const std::string& path, std::span<const Wanted> wanted, LoadStrategy strategy,
                 const LoadOptions& options, bool reads)
    : path_(path), wanted_(wanted), strategy_(strategy), options_(options), reads_(reads) {}

Box LoadJob::part_of(size_t tensor) const { return wanted_[tensor].part.value_or(whole_of(wanted_[tensor].shape)); }

Status LoadJob::open() {
  if (Status status = check_request(); !status) return status;
  if (!reads_) return ok();
  Result<Checkpoint> checkpoint = Checkpoint::open(path_, options_.open);
  if (!checkpoint) return checkpoint.error();
  checkpoint_ = std::move(*checkpoint);
  return check_stored();
}

Status LoadJob::check_request() const {
  if (options_.buffer_bytes < kLargestElement)
    return file_error(ErrorKind::InvalidArgument, path_,
                      "a buffer of " + std::to_string(options_.buffer_bytes) + " bytes is too small");
  std::set<std::string_view> names;
  for (const Wanted& wanted : wanted_) {
    if (!names.insert(wanted.name).second)
      return tensor_error(ErrorKind::InvalidArgument, path_, wanted.name, "is wanted twice");
    if (Status status = check_wanted(wanted); !status) return status;
  }
  return ok();
}

Status LoadJob::check_wanted(const Wanted& wanted) const {
  const auto refuse = [&](const std::string& what) {
    return tensor_error(ErrorKind::InvalidArgument, path_, wanted.name, what);
  };
  const Box part = wanted.part.value_or(whole_of(wanted.shape));
  if (!lies_within(part, wanted.shape))
    return refuse("part " + to_string(part) + " is no part of " + to_string(wanted.shape));
  if (!wanted.into) return ok();
  if (wanted.into->device() != options_.device)
    return refuse("its memory is " + std::string(name_of(wanted.into->device())) + " memory, the load is for the " +
                  std::string(name_of(options_.device)));
  if (wanted.into->shape() == part.sizes && wanted.into->dtype() == wanted.dtype) return ok();
  return refuse("its memory is " + std::string(name_of(wanted.into->dtype())) + to_string(wanted.into->shape()) +
                ", the part is " + std::string(name_of(wanted.dtype)) + to_string(part.sizes));
}

Status LoadJob::check_stored() const {
  for (const Wanted& wanted : wanted_)
    if (Status status = check_stored(wanted); !status) return status;
  return options_.refuse_unexpected ? check_unexpected() : ok();
}

Status LoadJob::check_stored(const Wanted& wanted) const {
  const StoredTensor* stored = checkpoint_->find(wanted.name);
  if (!stored) return tensor_error(ErrorKind::Missing, checkpoint_->path(), wanted.name, "is not in the checkpoint");
  if (dtype_of(stored->type) == wanted.dtype && stored->shape == wanted.shape) return ok();
  return tensor_error(ErrorKind::Mismatch, checkpoint_->file_of(*stored), wanted.name,
                      "is " + std::string(name_of(stored->type)) + to_string(stored->shape) + " in the file, " +
                          std::string(name_of(stored_type_of(wanted.dtype))) + to_string(wanted.shape) +
                          " in the model");
}

Status LoadJob::check_unexpected() const {
  std::set<std::string_view> names;
  for (const Wanted& wanted : wanted_) names.insert(wanted.name);
  for (const auto& [name, stored] : checkpoint_->tensors())
    if (!names.contains(name))
      return tensor_error(ErrorKind::Mismatch, checkpoint_->file_of(stored), name, "is not in the model");
  return ok();
}

uint64_t LoadJob::request_fingerprint() const {
  Fingerprint out;
  out.add(static_cast<uint64_t>(strategy_)).add(options_.buffer_bytes);
  for (const Wanted& wanted : wanted_) {
    out.add(wanted.name).add(static_cast<uint64_t>(wanted.dtype)).add(wanted.shape.size());
    for (const int64_t size : wanted.shape) out.add(static_cast<uint64_t>(size));
  }
  return out.value();
}

uint64_t LoadJob::checkpoint_fingerprint() const { return checkpoint_ ? checkpoint_->fingerprint() : 0; }

// Whether this rank can read straight into what it keeps.
bool LoadJob::is_direct(size_t tensor) const {
  if (options_.device != Device::Host) return false;
  if (strategy_ == LoadStrategy::EachReadsItsShard) return true;
  return strategy_ == LoadStrategy::EveryRankReads && part_of(tensor) == whole_of(wanted_[tensor].shape);
}

// A bucket that is one stretch of what this rank keeps of a tensor needs no buffer here: it is read, sent or received
// where it is to lie. Where, in bytes from the part's first element; nothing for other buckets.
std::optional<uint64_t> LoadJob::place_of(const Bucket& bucket) const {
  if (options_.device != Device::Host || bucket.pieces.size() != 1) return std::nullopt;
  const BucketPiece& piece = bucket.pieces.front();
  const Box part = part_of(piece.tensor);
  if (intersection(piece.box, part) != piece.box) return std::nullopt;
  const Runs runs(piece.box, piece.box, part, size_bytes(wanted_[piece.tensor].dtype));
  if (runs.count() != 1) return std::nullopt;
  return runs.destination(0);
}

// Of a read into memory that holds just this part.
uint64_t LoadJob::scratch_bytes_for(size_t tensor, const Box& part) const {
  return reads_ ? checkpoint_->scratch_bytes_for(*checkpoint_->find(wanted_[tensor].name), part, part) : 0;
}

void LoadJob::plan() {
  for (size_t i = 0; i < wanted_.size(); ++i) {
    if (is_direct(i)) {
      direct_.push_back(i);
      scratch_bytes_ = std::max(scratch_bytes_, scratch_bytes_for(i, part_of(i)));
      continue;
    }
    const bool only_part = strategy_ == LoadStrategy::EachReadsItsShard;
    buffered_.push_back({i, only_part ? part_of(i) : whole_of(wanted_[i].shape), size_bytes(wanted_[i].dtype)});
  }
  Buckets all = buckets();
  while (const std::optional<Bucket> bucket = all.next()) {
    if (!place_of(*bucket)) buffer_bytes_ = std::max(buffer_bytes_, bucket->size_bytes);
    for (const BucketPiece& piece : bucket->pieces)
      scratch_bytes_ = std::max(scratch_bytes_, scratch_bytes_for(piece.tensor, piece.box));
  }
}

// What `peak_bytes` will be.
uint64_t LoadJob::planned_bytes() const {
  uint64_t bytes = scratch_bytes_ + buffer_bytes_ * (options_.device != Device::Host && reads_ ? 2 : 1);
  for (size_t i = 0; i < wanted_.size(); ++i)
    bytes += static_cast<uint64_t>(numel_of(part_of(i).sizes)) * size_bytes(wanted_[i].dtype);
  return bytes;
}

Status LoadJob::allocate() {
  plan();
  if (options_.memory_limit_bytes != 0 && planned_bytes() > options_.memory_limit_bytes)
    return file_error(ErrorKind::InvalidArgument, path_,
                      "loading takes " + std::to_string(planned_bytes()) + " bytes here, the limit is " +
                          std::to_string(options_.memory_limit_bytes));
  for (size_t i = 0; i < wanted_.size(); ++i) {
    kept_.push_back(wanted_[i].into ? *wanted_[i].into
                                    : Tensor::empty(part_of(i).sizes, wanted_[i].dtype, options_.device));
    memory_.hold(kept_.back().size_bytes());
    stats_.kept_bytes += kept_.back().size_bytes();
  }
  buffer_ = Tensor::empty({static_cast<int64_t>(buffer_bytes_)}, DType::U8, options_.device);
  memory_.hold(buffer_.size_bytes());
  host_buffer_ = buffer_;
  if (options_.device == Device::Host || !reads_) return ok();
  host_buffer_ = Tensor::empty(buffer_.shape(), DType::U8);
  memory_.hold(host_buffer_.size_bytes());
  return ok();
}

Tensor LoadJob::buffer_of(const Bucket& bucket) const {
  const auto size = static_cast<int64_t>(bucket.size_bytes);
  const std::optional<uint64_t> place = place_of(bucket);
  if (!place) return buffer_.narrow(0, 0, size);
  return Tensor::borrow(nullptr, kept_[bucket.pieces.front().tensor].data() + *place, {size}, DType::U8);
}

Status LoadJob::read_bucket(const Bucket& bucket) {
  std::byte* const out = options_.device == Device::Host ? buffer_of(bucket).data() : host_buffer_.data();
  for (const BucketPiece& piece : bucket.pieces) {
    const StoredTensor& stored = *checkpoint_->find(wanted_[piece.tensor].name);
    memory_.touch(scratch_bytes_for(piece.tensor, piece.box));
    if (Status status = checkpoint_->read(stored, piece.box, piece.box, out + piece.offset); !status) return status;
  }
  stats_.read_bytes += bucket.size_bytes;
  if (options_.device != Device::Host)
    buffer_of(bucket).copy_(host_buffer_.narrow(0, 0, static_cast<int64_t>(bucket.size_bytes)));
  return ok();
}

void LoadJob::keep(const Bucket& bucket) {
  if (place_of(bucket)) return;
  for (const BucketPiece& piece : bucket.pieces) {
    const Box part = part_of(piece.tensor);
    const Box shared = intersection(piece.box, part);
    if (is_empty(shared)) continue;
    copy_part(shared, piece.box, buffer_.data() + piece.offset, part, kept_[piece.tensor].data(),
              size_bytes(wanted_[piece.tensor].dtype));
  }
}

Status LoadJob::read_all() {
  for (const size_t tensor : direct_) {
    const StoredTensor& stored = *checkpoint_->find(wanted_[tensor].name);
    const Box part = part_of(tensor);
    memory_.touch(scratch_bytes_for(tensor, part));
    if (Status status = checkpoint_->read(stored, part, part, kept_[tensor].data()); !status) return status;
    stats_.read_bytes += kept_[tensor].size_bytes();
  }
  Buckets all = buckets();
  while (const std::optional<Bucket> bucket = all.next()) {
    if (Status status = read_bucket(*bucket); !status) return status;
    keep(*bucket);
  }
  return ok();
}

Loaded LoadJob::finish() {
  Loaded out;
  for (size_t i = 0; i < wanted_.size(); ++i) out.tensors.emplace(wanted_[i].name, kept_[i]);
  stats_.peak_bytes = memory_.peak_bytes();
  out.stats = stats_;
  if (checkpoint_) out.warnings = checkpoint_->warnings();
  return out;
}

}  // namespace ranklint::runtime
