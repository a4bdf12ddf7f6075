// FSDP's `sync_module_states=True` broadcasts over the device's back end, so it refuses a module on the host unless
// `device_id` moves it first. Both arguments often come through a helper (`shard_model(model, device_id, ...)`) that is
// itself handed over in a partial; so each constructor is looked at once for each call that leads to it, with the
// values that the call gives. Only where synchronising is sure, `device_id` is surely left out, and the module is seen
// to be made on the host and not moved, is it a hazard.
#include "analyzer/compare/wrappings.h"

#include <algorithm>

#include "analyzer/questions/derivation.h"
#include "analyzer/questions/module_device.h"

namespace ranklint {
namespace {

constexpr int kMostLevels = 3;

class Wrappings {
 public:
  Wrappings(const Query& in, Callers& callers, TensorFacts& facts)
      : in_(in), values_(in.values()), callers_(callers), facts_(facts) {}

  void run() {
    const std::map<Site, WatchedCall> watched = in_.watched().calls;
    for (const auto& [site, call] : watched) {
      if (in_.callee_name(call.call.callee) != "FullyShardedDataParallel") continue;
      look(call.call, {{site.function, {site.block, site.instruction}, false}}, 0);
      look_for_meta(call.call, {site.function, {site.block, site.instruction}, false}, call.range);
    }
    look_through_partials(watched);
  }

 private:
  enum class Answer { No, Hazard, Depends };

  Answer judge(const Call& call) {
    if (call.open_ended) return is_told_by_caller(call) ? Answer::Depends : Answer::No;
    const ValueId sync = in_.argument(call, {10, "sync_module_states"}), device = in_.argument(call, {9, "device_id"});
    if (!sync.valid() || in_.argument(call, {8, "param_init_fn"}).valid()) return Answer::No;
    const ValueStore::Truth on = values_.truth(sync);
    if (on == ValueStore::Truth::No) return Answer::No;
    const bool none = !device.valid() || values_[device].kind == ValueKind::None;
    if (!none && values_[device].closed) return Answer::No;
    if (on == ValueStore::Truth::Yes && none) return Answer::Hazard;
    return Answer::Depends;
  }

  // `FSDP(model, **kwargs)` with the function's own `**kwargs`.
  bool is_told_by_caller(const Call& call) const {
    return !call.mixed && !call.star.valid() && call.double_star.valid() &&
           values_[call.double_star].kind == ValueKind::Parameter;
  }

  // `call` is the constructor in the terms of the way's first function.
  void look(const Call& call, const std::vector<Link>& way, int level) {
    const Answer answer = judge(call);
    if (answer == Answer::No) return;
    if (answer == Answer::Hazard) {
      const ModuleOrigin origin = module_origin(in_, way, module_of(way.back()));
      if (origin.where == Where::Host) return keep(way, origin);
      if (origin.where != Where::Unknown) return;
    }
    if (level < kMostLevels)
      for (const Callers::Caller& caller : callers_.of(way.front().function)) look_from(caller, call, way, level);
  }

  void look_from(const Callers::Caller& caller, const Call& call, const std::vector<Link>& way, int level) {
    std::vector<Link> longer{caller.link};
    longer.insert(longer.end(), way.begin(), way.end());
    look(in_.instantiate(call, in_.bind(caller.target, caller.step->call, 0)), longer, level + 1);
  }

  // Without param_init_fn FSDP gives a module on the meta device fresh values, by reset_parameters.
  void look_for_meta(const Call& call, const Link& at, SourceRange range) {
    const ValueId sync = in_.argument(call, {10, "sync_module_states"});
    if (call.open_ended || in_.argument(call, {8, "param_init_fn"}).valid() || sync.valid() || fills_later(at.function))
      return;
    const ModuleOrigin origin = module_origin(in_, {at}, module_of(at));
    if (origin.where == Where::Meta)
      facts_.meta_uses.push_back(
          {at.function, range, "FullyShardedDataParallel", origin.made_in, origin.made_at, {}, Certainty::Likely});
  }

  // Whether anything in the function may give the parameters their values.
  bool fills_later(FunctionKey f) {
    const FunctionCode code(in_.index(), *in_.summary(f));
    for (uint32_t e = 0; e < code.ir.exprs.size(); ++e) {
      const ir::Expr& expr = code.ir.exprs[ir::ExprId{e}];
      if (expr.kind != ir::ExprKind::Attribute && expr.kind != ir::ExprKind::Name) continue;
      for (std::string_view word :
           {"load", "state_dict", "to_empty", "init_weights", "reset_parameters", "materialize"})
        if (code.text.text(expr.symbol).find(word) != std::string_view::npos) return true;
    }
    return false;
  }

  // Functions that wrap are handed over: partial(shard_model, device_id=...).
  void look_through_partials(const std::map<Site, WatchedCall>& watched) {
    std::map<FunctionKey, std::pair<Call, Link>> wrapping;
    for (const auto& [site, call] : watched)
      if (in_.callee_name(call.call.callee) == "FullyShardedDataParallel" && judge(call.call) != Answer::No)
        wrapping.try_emplace(site.function, call.call, Link{site.function, {site.block, site.instruction}, false});
    if (wrapping.empty()) return;
    const auto wanted = [&](ValueId v) {
      Call call;
      call.callee = v;
      in_.unfold_partial(call);
      return values_[call.callee].kind == ValueKind::Function && wrapping.contains(FunctionKey{values_[call.callee].a});
    };
    callers_.each_handed_over(wanted, [&](const std::vector<Link>& way, const Call& outer, SourceRange) {
      for (const Target& target : in_.targets(outer.callee)) {
        const auto& [call, link] = wrapping.at(target.function);
        std::vector<Link> longer = way;
        longer.push_back(link);
        look(in_.instantiate(call, in_.bind(target, outer, 0)), longer, kMostLevels);
      }
    });
  }

  ir::ExprId module_of(const Link& link) {
    const FunctionCode code(in_.index(), *in_.summary(link.function));
    const ir::Instruction& call = code.ir.blocks[link.call.block].instructions[link.call.instruction];
    for (const ir::Argument& a : ir::arguments(code.ir, call))
      if (a.kind == ir::ArgumentKind::Keyword && code.text.text(a.keyword) == "module") return a.value;
    return first_argument(code, call);
  }

  void keep(const std::vector<Link>& way, const ModuleOrigin& origin) {
    // Where the arguments are decided: by the outermost call.
    const Link& at = way.front();
    const ir::Block& block = in_.index().function(at.function).blocks[at.call.block];
    Spot spot;
    spot.function = at.function;
    spot.range = block.instructions[at.call.instruction].range;
    spot.name = way.size() > 1 ? std::string(in_.index().qualified_name(way[1].function)) : "";
    spot.other_in = origin.made_in;
    spot.other = origin.made_at;
    const bool known = std::any_of(facts_.host_syncs.begin(), facts_.host_syncs.end(),
                                   [&](const Spot& s) { return s.function == spot.function && s.range == spot.range; });
    if (!known) facts_.host_syncs.push_back(std::move(spot));
  }

  const Query& in_;
  ValueStore& values_;
  Callers& callers_;
  TensorFacts& facts_;
};

}  // namespace

void find_wrappings(const Query& query, Callers& callers, TensorFacts& facts) {
  Wrappings(query, callers, facts).run();
}

}  // namespace ranklint
