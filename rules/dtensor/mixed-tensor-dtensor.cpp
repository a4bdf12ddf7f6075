#include <algorithm>
#include <array>

#include "analyzer/questions/callee.h"
#include "analyzer/resolve/dotted.h"
#include "rules/wording.h"

namespace ranklint::mixed_tensor_dtensor {

constexpr RuleInfo kInfo{.id = "mixed-tensor-dtensor",
                         .code = "RL304",
                         .summary = "an operation takes a distributed tensor and a plain one",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the operation fails, on every rank",
                         .premise = "no context turns plain tensors into distributed ones"};

constexpr std::array<std::string_view, 1> kCalls{"<writes-tensor>"};

namespace {

// An operation on a distributed tensor and a plain one.
struct MixedOperation {
  FunctionKey function;
  SourceRange range;
  std::string name;
};

class MixedOperands {
 public:
  explicit MixedOperands(const Query& in) : in_(in), values_(in.values()), index_(in.index()) {}

  std::vector<MixedOperation> run() {
    in_.for_each_watched(kInfo.id, [&](FunctionKey f, const auto& calls) {
      const Summary* s = in_.summary(f);
      for (const auto& [site, call] : calls)
        if (const std::string_view name = in_.callee_name(call.call.callee);
            s && in_.roles().play(name, Role::WritesTensor))
          check_operands(FunctionCode(index_, *s), call, name);
    });
    return std::move(found_);
  }

 private:
  bool is_dtensor(ValueId v) {
    const Symbol type = values_.external_type_of(v);
    return type.valid() && in_.roles().play(index_.names().text(type), Role::ShardedType);
  }

  // A tensor made here, of more than one element.
  bool is_plain(ValueId v) {
    if (values_[v].kind != ValueKind::Tensor) return false;
    const auto parts = values_.children(v).subspan(1);
    return std::any_of(parts.begin(), parts.end(), [&](ValueId size) {
      int64_t n = 0;
      return !values_.integer_of(size, n) || n > 1;
    });
  }

  void check_operands(const FunctionCode& code, const WatchedCall& call, std::string_view name) {
    std::vector<ValueId> operands(call.call.positional.begin(), call.call.positional.end());
    if (values_[call.call.callee].kind == ValueKind::Attribute)
      operands.insert(operands.begin(), values_.child(call.call.callee, 0));
    const bool mixed = std::any_of(operands.begin(), operands.end(), [&](ValueId v) { return is_dtensor(v); }) &&
                       std::any_of(operands.begin(), operands.end(), [&](ValueId v) { return is_plain(v); });
    if (mixed && !names_one(in_, code, Role::MixesTensors)) found_.push_back({code.key, call.range, std::string(name)});
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  std::vector<MixedOperation> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const MixedOperation& operation : MixedOperands(in).run()) {
    if (!is_reported(shared, operation.function)) continue;
    Finding finding = finding_at(kInfo, shared, operation.function, operation.range, Confidence::High);
    finding.message =
        "`" + operation.name + "` gets a DTensor and a plain tensor: it raises, on every rank that gets here";
    finding.help = "distribute the plain tensor (DTensor.from_local, distribute_tensor), or work on to_local()";
    finding.fingerprint_key = operation.name;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::mixed_tensor_dtensor
