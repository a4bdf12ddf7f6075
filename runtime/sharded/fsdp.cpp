#include "runtime/sharded/fsdp.h"

#include <cxxabi.h>

#include <cmath>

#include "runtime/sharded/arithmetic.h"
#include "runtime/sharded/fsdp_init.h"

namespace ranklint::runtime {

static std::optional<Error> error_of_preparing(Module& module, const FsdpOptions& options, const ProcessGroup& group) {
  try {
    prepare(module, options, group);
    return std::nullopt;
  } catch (const RankError& error) {
    return error.error();
  } catch (const std::exception& error) {  // out of param_init, as the next
    return Error{.kind = ErrorKind::Body, .message = error.what()};
  } catch (const abi::__forced_unwind&) {
    throw;  // pthread_exit: the library insists
  } catch (...) {
    return Error{.kind = ErrorKind::Body, .message = "param_init threw something that is no std::exception"};
  }
}

static void require_function(bool has_it, const Unit& unit, const char* which) {
  if (!has_it) fail(ErrorKind::InvalidArgument, "Fsdp: unit `" + unit.name + "` has no " + which + " function");
}

static void require_member(const ProcessGroup& group) {
  if (group.is_member()) return;
  fail(ErrorKind::InvalidArgument,
       group.size() == 0 ? "Fsdp: a group without members" : "Fsdp: this rank is no member of group " + group.name());
}

static std::vector<Tensor> take_values(std::vector<Slot>& slots) {
  std::vector<Tensor> values;
  for (Slot& slot : slots) {
    values.push_back(*slot.value);
    slot.value.reset();
  }
  return values;
}

Fsdp::Fsdp(Module module, ProcessGroup group, FsdpOptions options, Site site)
    : module_(std::move(module)), group_(std::move(group)), options_(std::move(options)) {
  require_member(group_);
  if (options_.replicate) require_member(*options_.replicate);
  std::optional<Error> error = error_of_preparing(module_, options_, group_);
  if (options_.agree) error = agreed(module_, options_, error, group_, site);
  if (error) fail(error->kind, error->message);
  for (Unit& unit : module_.units) {
    if (options_.sync_module_states) {
      if (options_.replicate) broadcast_states(unit, *options_.replicate, options_.broadcast_bucket_bytes, site);
      broadcast_states(unit, group_, options_.broadcast_bucket_bytes, site);
    }
    const FlatParameter& flat = flat_.emplace_back(unit.name, unit.parameters, group_.size());
    const Tensor row = flat.row(take_values(unit.parameters));
    const Tensor mine = row.narrow(0, group_.rank() * flat.shard_numel(), flat.shard_numel()).clone();
    shards_.push_back({.parameter = mine, .gradient = Tensor::zeros(mine.shape(), mine.dtype(), mine.device())});
  }
}

UnitTensors Fsdp::whole(size_t unit, const Tensor& row) const {
  UnitTensors tensors{.parameters = flat_[unit].views(row), .buffers = {}};
  for (const Slot& slot : module_.units[unit].buffers) tensors.buffers.push_back(*slot.value);
  return tensors;
}

Tensor Fsdp::new_row(size_t unit) const {
  const Tensor& mine = shards_[unit].parameter;
  return Tensor::empty({flat_[unit].padded_numel()}, mine.dtype(), mine.device());
}

Tensor Fsdp::row_of(size_t unit, RowBuffer& buffer) const {
  const Tensor& mine = shards_[unit].parameter;
  return buffer.row(flat_[unit].padded_numel(), mine.dtype(), mine.device());
}

void Fsdp::gather(size_t unit, const Tensor& row, std::string_view implicit_in, Site site) {
  if (flat_[unit].empty()) return;
  group_.all_gather_into_tensor(row, shards_[unit].parameter, {.implicit_in = implicit_in}, site).wait();
}

Tensor Fsdp::forward(Tensor input, Site site) {
  inputs_.clear();
  rows_.clear();
  for (size_t unit = 0; unit < module_.units.size(); ++unit) {
    require_function(module_.units[unit].forward != nullptr, module_.units[unit], "forward");
    const Tensor row = options_.reshard_after_forward ? row_of(unit, row_buffer_) : rows_.emplace_back(new_row(unit));
    gather(unit, row, "Fsdp.forward", site);
    inputs_.push_back(input);
    input = module_.units[unit].forward(whole(unit, row), input);
  }
  return input;
}

Tensor Fsdp::backward(Tensor grad_output, Site site) {
  if (inputs_.size() != module_.units.size()) fail(ErrorKind::InvalidArgument, "Fsdp.backward without a forward");
  for (size_t unit = module_.units.size(); unit-- > 0;) {
    require_function(module_.units[unit].backward != nullptr, module_.units[unit], "backward");
    const bool kept = !rows_.empty();
    const Tensor row = kept ? rows_[unit] : row_of(unit, row_buffer_);
    if (!kept) gather(unit, row, "Fsdp.backward", site);
    const Tensor gradients = row_of(unit, gradient_buffer_);
    gradients.fill_(0);
    grad_output =
        module_.units[unit].backward(whole(unit, row), inputs_[unit], grad_output, flat_[unit].views(gradients));
    reduce_gradients(unit, gradients, site);
  }
  inputs_.clear();
  rows_.clear();
  return grad_output;
}

void Fsdp::reduce_gradients(size_t unit, const Tensor& row, Site site) {
  if (flat_[unit].empty()) return;
  const Tensor& sum = shards_[unit].gradient;
  const Tensor mine = Tensor::empty(sum.shape(), sum.dtype(), sum.device());
  const OpOptions options{.implicit_in = "Fsdp.backward"};
  group_.reduce_scatter_tensor(mine, row, ReduceOp::Avg, options, site).wait();
  if (options_.replicate) options_.replicate->all_reduce(mine, ReduceOp::Avg, options, site).wait();
  add_to(sum, mine);
}

void Fsdp::zero_grad() {
  for (const UnitShard& shard : shards_) shard.gradient.fill_(0);
}

double Fsdp::clip_grad_norm(double max_norm, double norm_type, Site site) {
  if (!(norm_type >= 1))
    fail(ErrorKind::InvalidArgument, "clip_grad_norm: no norm of type " + std::to_string(norm_type));
  const bool largest = norm_type == std::numeric_limits<double>::infinity();
  double local = 0;
  for (const UnitShard& shard : shards_) {
    const double part = power_sum(shard.gradient, norm_type);
    if (!largest)
      local += part;
    else if (std::isnan(part) || part > local)
      local = part;
  }
  const Tensor total = Tensor::full({1}, local, DType::F64, group_.device());
  group_.all_reduce(total, largest ? ReduceOp::Max : ReduceOp::Sum, {.implicit_in = "Fsdp.clip_grad_norm"}, site)
      .wait();
  const double norm = largest ? total.item() : std::pow(total.item(), 1 / norm_type);
  const double scale = max_norm / (norm + 1e-6);  // as torch.nn.utils.clip_grad_norm_
  if (!(scale >= 1))                              // NaN too: it spreads, as there
    for (const UnitShard& shard : shards_) scale_by(shard.gradient, scale);
  return norm;
}

}  // namespace ranklint::runtime
