// Gradient norms of sharded parameters. Under FSDP1 a rank's parameters are its shards, plain tensors: torch's
// `clip_grad_norm_` sees a part and each rank scales by another factor. Under FSDP2 they are DTensors and the norm that
// comes back is one as well: `item()` reads this rank's part of it.
#include <algorithm>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/kinds.h"
#include "analyzer/resolve/builtins.h"
#include "rules/wording.h"

namespace ranklint::clip_without_group {

constexpr RuleInfo kInfo{.id = "clip-without-group",
                         .code = "RL409",
                         .summary = "gradients of a sharded model are clipped by the norm of a part",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the norm is wrong",
                         .premise = "the model is cut into more than one part"};

constexpr std::string_view kCalls[] = {"<takes-norm>", "<gives-model-state>", "<shards-model>"};

namespace {

// Plain clipping of a model that FSDP1 shards.
struct ShardedClip {
  FunctionKey function;
  SourceRange range;
  Assurance certainty = Confidence::High;
};

// A norm of sharded gradients that is read without being made whole.
struct LocalNorm {
  FunctionKey function;
  SourceRange computed_at;
  SourceRange read_at;
};

struct NormsFound {
  std::vector<ShardedClip> sharded;
  std::vector<LocalNorm> local;
};

class Norms {
 public:
  explicit Norms(const Query& in) : in_(in), index_(in.index()), watched_(in.watched().calls) {}

  NormsFound run() {
    const bool fsdp2 = std::any_of(watched_.begin(), watched_.end(), [&](const auto& w) {
      const std::string_view name = in_.callee_name(w.second.call.callee);
      return in_.roles().play(name, Role::ShardsModel) && !in_.roles().play(name, Role::KeepsPlainShards);
    });
    in_.for_each_watched(kInfo.id, [&](FunctionKey f, const auto& calls) {
      const Summary* s = in_.summary(f);
      for (const auto& [site, call] : calls) {
        if (!s || !in_.roles().play(in_.callee_path(call.call.callee), Role::TakesNorm)) continue;
        const FunctionCode code(index_, *s);
        const ProgramPoint at{site.block, site.instruction};
        if (const ValueId model = sharded_model(code, at); model.valid())
          found_.sharded.push_back({code.key, call.range, certainty_of(*s, at.block, model, call.range)});
        else if (fsdp2 && s->communicates && decides_by_norm(code) && !knows_of_sharding(code))
          check_read(code, at, call.range);
      }
    });
    return std::move(found_);
  }

 private:
  Assurance certainty_of(const Summary& s, ir::BlockId block, ValueId model, const SourceRange& range) const {
    Assurance sure = Confidence::High;
    if (is_denied_own_kind(in_, s, block, model)) sure.doubt({Reason::AsksKind, {s.function, range}});
    return sure;
  }

  // The object known to be of FSDP1 whose parameters they are. Invalid: they are of something else.
  ValueId sharded_model(const FunctionCode& code, ProgramPoint at) {
    const Derivation from =
        derivation_of(code, first_argument(code, code.ir.blocks[at.block].instructions[at.instruction]), at);
    for (const ProgramPoint& p : from.calls) {
      const auto call = watched_.find({code.key, p.block, p.instruction, 0});
      if (call == watched_.end() || !in_.roles().play(in_.callee_name(call->second.call.callee), Role::GivesModelState))
        continue;
      const ValueId object = in_.receiver_of(call->second.call.callee);
      const Symbol type = object.valid() ? in_.values().external_type_of(object) : Symbol{};
      if (type.valid() && in_.roles().play(index_.names().text(type), Role::KeepsPlainShards)) return object;
    }
    return {};
  }

  bool decides_by_norm(const FunctionCode& code) const { return names_one(in_, code, Role::LooksForNoNumber); }
  bool knows_of_sharding(const FunctionCode& code) const { return names_one(in_, code, Role::HandlesShards); }

  // `item()` or `float()` of what the call gives, at once or by its name.
  void check_read(const FunctionCode& code, ProgramPoint at, SourceRange range) {
    const std::string_view norm = code.name(code.ir.blocks[at.block].instructions[at.instruction].target);
    if (norm.empty()) return;
    const Symbol name = code.ir.exprs[code.ir.blocks[at.block].instructions[at.instruction].target].symbol;
    for (ir::BlockId b : code.graph().order()) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        if (!reads_number(code, instructions[i], name) || !comes_from(code, name, {b, i}, at)) continue;
        found_.local.push_back({.function = code.key, .computed_at = range, .read_at = instructions[i].range});
        return;
      }
    }
  }

  bool reads_number(const FunctionCode& code, const ir::Instruction& i, Symbol name) const {
    if (i.kind != ir::InstructionKind::Call) return false;
    const ir::Expr& callee = code.ir.exprs[i.value];
    if (callee.kind == ir::ExprKind::Name)
      return is_builtin(code.text.text(callee.symbol), Builtin::Float) && first_argument(code, i).valid() &&
             code.mentions(first_argument(code, i), name);
    return callee.kind == ir::ExprKind::Attribute &&
           in_.roles().play(code.text.text(callee.symbol), Role::ReturnsReceiver) &&
           code.mentions(ir::children(code.ir, i.value)[0], name);
  }

  static bool comes_from(const FunctionCode& code, Symbol name, ProgramPoint read, ProgramPoint made) {
    const Reaching reaching = code.reaching(name, read);
    return reaching.definitions.size() == 1 && reaching.definitions[0].place == made;
  }

  const Query& in_;
  const ProjectIndex& index_;
  NormsFound found_;
  const std::map<Site, WatchedCall>& watched_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  const NormsFound norms = Norms(in).run();
  for (const ShardedClip& clip : norms.sharded) {
    if (!is_reported(shared, clip.function)) continue;
    Finding finding = finding_at(kInfo, shared, clip.function, clip.range, clip.certainty);
    finding.message =
        "`torch.nn.utils.clip_grad_norm_` sees this rank's shards only: every rank scales its part by another factor";
    finding.help = "call the wrapped model's own clip_grad_norm_";
    finding.fingerprint_key = "clip_grad_norm_sharded";
    findings.push_back(std::move(finding));
  }
  for (const LocalNorm& norm : norms.local) {
    if (!is_reported(shared, norm.function)) continue;
    Finding finding = finding_at(kInfo, shared, norm.function, norm.computed_at, Confidence::Likely);
    finding.message =
        "the norm of sharded gradients is a DTensor, and reading it gives this rank's part: ranks see different norms "
        "and may decide differently";
    finding.related.push_back({location_at(shared, norm.function, norm.read_at), "read here"});
    finding.help = "make it whole first: norm.full_tensor() on every rank, then item()";
    finding.fingerprint_key = "clip_grad_norm_local";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::clip_without_group
