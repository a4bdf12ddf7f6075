#include <algorithm>
#include <array>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/module_moves.h"
#include "rules/wording.h"

namespace ranklint::shard_on_device {

constexpr RuleInfo kInfo{.id = "shard-on-device",
                         .code = "RL306",
                         .summary = "a whole tensor is moved to the device before it is distributed",
                         .severity = Severity::Info,
                         .since = "0.1",
                         .no_wait = "memory runs out",
                         .premise = "the tensor is large",
                         .default_on = false};

constexpr std::array<std::string_view, 1> kCalls{"<deals-out-tensor>"};

namespace {

// A whole tensor on the device that is then distributed.
struct DeviceCopy {
  FunctionKey function;
  SourceRange distributed_at;
  SourceRange moved_at;
};

class DeviceCopies {
 public:
  explicit DeviceCopies(const Query& in) : in_(in), index_(in.index()) {}

  std::vector<DeviceCopy> run() {
    in_.for_each_watched(kInfo.id, [&](FunctionKey f, const auto& calls) {
      const Summary* s = in_.summary(f);
      for (const auto& [site, call] : calls)
        if (s) check_call(FunctionCode(index_, *s), {site.block, site.instruction}, call);
    });
    return std::move(found_);
  }

 private:
  void check_call(const FunctionCode& code, ProgramPoint at, const WatchedCall& call) {
    const ir::Instruction& distribution = code.ir.blocks[at.block].instructions[at.instruction];
    if (!plays(in_, code, distribution, Role::DealsOutTensor)) return;
    const Derivation from = derivation_of(code, first_argument(code, distribution), at);
    for (const ProgramPoint& p : from.calls) {
      const ir::Instruction& move = code.ir.blocks[p.block].instructions[p.instruction];
      if (to_device(code, move))
        return found_.push_back({.function = code.key, .distributed_at = call.range, .moved_at = move.range});
    }
  }

  bool to_device(const FunctionCode& code, const ir::Instruction& move) const {
    const RoleEntry* role = role_of(in_, code, move, Role::MovesToDevice);
    if (!role || !role->argument.present()) return role;
    for (const ir::Argument& a : ir::arguments(code.ir, move)) {
      if (a.kind == ir::ArgumentKind::Keyword && code.text.text(a.keyword) == role->argument.keyword) return true;
      if (a.kind != ir::ArgumentKind::Positional) continue;
      const ir::Expr& e = code.ir.exprs[a.value];
      if (e.kind == ir::ExprKind::String) return device_of_text(in_.roles(), code.text.text(e.symbol)) != Where::Host;
      return in_.priors().suggest(index_.dotted(code.module, code.ir, a.value), NameMeaning::Device);
    }
    return false;
  }

  const Query& in_;
  const ProjectIndex& index_;
  std::vector<DeviceCopy> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const DeviceCopy& copy : DeviceCopies(in).run()) {
    if (!is_reported(shared, copy.function)) continue;
    Finding finding = finding_at(kInfo, shared, copy.function, copy.distributed_at, Confidence::Likely);
    finding.message =
        "every device holds the whole tensor before `distribute_tensor` keeps a part of it: a peak of the largest "
        "tensor, on all ranks at once";
    finding.related.push_back({location_at(shared, copy.function, copy.moved_at), "moved here"});
    finding.help = "distribute from the host: distribute_tensor moves what it keeps";
    finding.fingerprint_key = "distribute_tensordevice";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::shard_on_device
