// A function that writes files where it finds none finds them when it is called again with the same:
//
//     def embed(model, pattern):
//         if glob.glob(pattern): return load(pattern)
//         dist.barrier()
//         save(model, pattern)
//
//     embed(model, pattern)                             # all ranks: from here on there are files
//     if dist.get_rank() == 0: embed(None, pattern)     # finds them, and does not come to the barrier
#include "analyzer/doubts/written_before.h"

#include <algorithm>
#include <set>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

// How deep the calls lie in which the writing is looked for.
constexpr int kMostCallsToWriting = 4;

class WrittenBefore {
 public:
  explicit WrittenBefore(const Scene& scene) : scene_(scene), in_(scene.in), values_(scene.values()) {}

  Seen find() {
    const std::set<FunctionKey> asking = functions_that_ask();
    for (FrameId frame = scene_.e.waiting.frame; frame.valid() && frame != scene_.divergence().at.frame;
         frame = scene_.frames[frame].caller) {
      const Frame& called = scene_.frames[frame];
      if (called.caller.valid() && asking.contains(called.summary->function) && is_called_before(called) &&
          writes(called.summary->function, 0))
        return CodePlace{scene_.summary(called.caller).function, called.call_range};
    }
    return std::nullopt;
  }

 private:
  // Those in which the rank that waits looked at files on its way.
  std::set<FunctionKey> functions_that_ask() const {
    std::set<FunctionKey> found;
    const auto add = [&](const PathCondition& choices) {
      for (const auto& [term, holds] : choices.all())
        values_.find_part(term, [&](ValueId part) {
          if (source_of(values_[part], scene_.index().names()) == LocalSource::FileSystem)
            if (const Site* site = in_.made_at(part)) found.insert(site->function);
          return false;
        });
    };
    add(scene_.e.state.shared);
    add(scene_.e.state[scene_.e.first].own);
    return found;
  }

  // Whether all ranks have made the same call before, in the same function.
  bool is_called_before(const Frame& called) const {
    const Summary& s = scene_.summary(called.caller);
    const Step* again = nullptr;
    ir::BlockId again_in;
    for (ir::BlockId b : s.graph().order())
      for (const Step& step : s.blocks[b.index].steps)
        if (step.range == called.call_range && !step.event) again = &step, again_in = b;
    if (!again) return false;
    return std::ranges::any_of(s.graph().order(), [&](ir::BlockId b) {
      return b != again_in && s.graph().dominates(b, again_in) && !diverging_guard_of(values_, s, b).valid() &&
             std::ranges::any_of(s.blocks[b.index].steps,
                                 [&](const Step& step) { return !step.event && is_same(step.call, again->call); });
    });
  }

  // Given the same, but for a constant.
  bool is_same(const Call& first, const Call& again) const {
    if (!again.callee.valid() || first.callee != again.callee || first.positional.size() != again.positional.size() ||
        first.keywords.size() != again.keywords.size())
      return false;
    const auto fits = [&](ValueId before, ValueId now) { return before == now || values_.is_constant(now); };
    return std::ranges::equal(first.positional, again.positional, fits) &&
           std::ranges::all_of(again.keywords, [&](const auto& given) {
             return std::ranges::any_of(first.keywords, [&](const auto& before) {
               return before.first == given.first && fits(before.second, given.second);
             });
           });
  }

  bool writes(FunctionKey f, int depth) const {
    const Summary* s = depth < kMostCallsToWriting ? in_.summary(f) : nullptr;
    if (!s) return false;
    const FunctionCode code(in_.index(), *s);
    return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
      return std::ranges::any_of(code.ir.blocks[b].instructions, [&](const ir::Instruction& i) {
        if (i.kind != ir::InstructionKind::Call) return false;
        if (writes_file(in_, code, i)) return true;
        const FunctionKey callee = function_named(in_.index(), code, i.value);
        return callee.valid() && callee != f && writes(callee, depth + 1);
      });
    });
  }

  const Scene& scene_;
  const Query& in_;
  const ValueStore& values_;
};

}  // namespace

Seen finds_what_was_written(const Scene& scene) { return WrittenBefore(scene).find(); }

}  // namespace ranklint
