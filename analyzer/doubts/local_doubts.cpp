// What one rank alone sees, or refuses to go on with.
#include <algorithm>

#include "analyzer/doubts/check_then_create_race.h"
#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/function_text.h"
#include "analyzer/variance/local_source.h"
#include "analyzer/variance/terms.h"

namespace ranklint::doubts {

// `if (lower > upper + 1) { error_in_arg(2); return error_flag; }`: what raises in C.
Seen refuses_arguments(const Scene& scene) {
  const FrameId frame = scene.divergence().at.frame;
  const ir::Module& module = scene.index().modules()[scene.index().functions()[scene.summary(frame).function].module];
  const ir::Function& f = scene.code(frame);
  const ir::BlockId side = scene.side(other(scene.e.first));
  const ir::ExprId guard = f.blocks[scene.divergence().at.block].terminator.value;
  if (!module.has(ir::Convention::ReturnsErrors) || !side.valid() || !guard.valid() ||
      f.exprs[guard].kind != ir::ExprKind::Binary)
    return std::nullopt;
  using enum ir::Operator;
  const ir::Operator op = f.exprs[guard].op;
  if (op != Less && op != LessEqual && op != Greater && op != GreaterEqual) return std::nullopt;
  if (f.blocks[side].terminator.kind != ir::TerminatorKind::Return) return std::nullopt;
  for (const ir::Instruction& i : f.blocks[side].instructions) {
    if (i.kind != ir::InstructionKind::Call || f.exprs[i.value].kind != ir::ExprKind::Name) continue;
    if (scene.in.priors().suggest(module.text(f.exprs[i.value].symbol), NameMeaning::ReportsError))
      return CodePlace{scene.summary(frame).function, i.range};
  }
  return std::nullopt;
}

// One rank that raises on its own number checks its input, most of the time.
Seen checks_input(const Scene& scene) {
  return seen(scene.e.other_left() && scene.e.other_raised() && !scene.divergence().local, scene.guard());
}

// Whether one of the two is what a rank sees by itself, and the other may be what it saw so in an earlier round of a
// loop.
static bool is_seen_anew(const ValueStore& values, ValueId now, ValueId before) {
  return values
      .find_part(now,
                 [&](ValueId own) {
                   if (values[own].kind != ValueKind::Local) return false;
                   return values
                       .find_part(before,
                                  [&](ValueId part) {
                                    return values[part].kind == ValueKind::LoopPhi &&
                                           values.find_part(part, [&](ValueId p) { return p == own; }).valid();
                                  })
                       .valid();
                 })
      .valid();
}

// `if newest(folder) != last`, where `last` is the newest of an earlier round: the program waits for it to change, and
// one rank may look before it does and another after.
static bool tests_for_change(const Scene& scene) {
  const ValueStore& values = scene.values();
  return scene.asks([&](ValueId part) {
    if (!tests_equality(values[part])) return false;
    const ValueId left = values.child(part, 0), right = values.child(part, 1);
    return is_seen_anew(values, left, right) || is_seen_anew(values, right, left);
  });
}

// Whether the ranks that never come have found another thing in the file system, beside what they diverged on.
static bool finds_more(const Scene& scene) {
  const ValueStore& values = scene.values();
  const auto is_another = [&](ValueId part) {
    return source_of(values[part], scene.index().names()) == LocalSource::FileSystem &&
           !scene.asks([&](ValueId asked) { return asked == part; });
  };
  return std::ranges::any_of(scene.e.state[other(scene.e.first)].own.all(), [&](const auto& chosen) {
    return chosen.second && values.find_part(chosen.first, is_another).valid();
  });
}

static bool may_change_meanwhile(const Scene& scene) {
  const Position& divergence = scene.divergence().at;
  const WaitPlace wait{.range = scene.own,
                       .block = scene.frames.block_in(divergence.frame, scene.e.waiting),
                       .finds_more = finds_more(scene)};
  return tests_for_change(scene) ||
         is_changed_meanwhile(scene.in, scene.summary(divergence.frame), divergence.block, wait);
}

// `batch.chunk(n)`: as many as were asked for, but where a batch has fewer items, which it has on all ranks, mostly.
static bool counts_chunks(const Scene& scene) {
  const Query& in = scene.in;
  return scene.asks([&](ValueId part) {
    const ValueKind kind = in.values()[part].kind;
    const Site* site = in.made_at(part);
    if (!site || (kind != ValueKind::Opaque && kind != ValueKind::Local)) return false;
    const ir::Instruction* call = in.call_at(*site);
    return call && in.roles().play(FunctionText(in.index(), site->function).word_of(call->value), Role::CutsIntoChunks);
  });
}

// `[f for f in os.listdir(folder) if hash(f) % size == rank]`
static bool is_share_of_rank(const Scene& scene, ValueId v) {
  const ValueStore& values = scene.values();
  const bool by_filter =
      derived_of(values, scene.index(), v) == Derived::OfEach && !values.variance(values.child(v, 3)).empty();
  return by_filter || (values.is_uneven_share(v) && !values.variance(v).empty());
}

// What ranks of a job see alike, most of the time; but for a file that comes or goes between two of them.
Seen alike_on_ranks(const Scene& scene) {
  if (!scene.divergence().local) return std::nullopt;
  // A listing may be alike, and how much of it a rank takes is not.
  if (scene.asks([&](ValueId part) { return is_share_of_rank(scene, part); })) return std::nullopt;
  const LocalSource source = scene.m.local_source;
  return seen(source == LocalSource::Memory || source == LocalSource::Host ||
                  (source == LocalSource::FileSystem && !may_change_meanwhile(scene)) ||
                  (source == LocalSource::Batch && counts_chunks(scene)),
              scene.guard());
}

// Items that are dealt out by the rank in the world, around what the ranks that work on one item do together: where
// they are dealt out so, one rank works on each.
static bool deals_to_each_rank(const Scene& scene) {
  const Divergence& divergence = scene.divergence();
  const auto is_share = [&](ValueId part) { return scene.values().is_uneven_share(part); };
  return divergence.loop && !divergence.local && scene.asks(is_share) &&
         scene.values().variance(divergence.condition).world && !scene.frames.group().world &&
         scene.in.priors().suggest(scene.m.group, NameMeaning::SameData);
}

// Only along data-parallel ranks does each have a batch and a seed of its own.
Seen one_batch(const Scene& scene) {
  if (deals_to_each_rank(scene)) return scene.guard();
  const LocalSource source = scene.m.local_source;
  const bool of_data = source == LocalSource::Batch || source == LocalSource::Random;
  return seen(scene.divergence().local && of_data && !scene.frames.group().world &&
                  !scene.in.priors().suggest(scene.m.group, NameMeaning::DataParallel),
              scene.guard());
}

// A process that reads the time before it lets a library train is alone, and trains one model after the other.
Seen trains_in_time(const Scene& scene) {
  return seen(scene.divergence().local && scene.m.local_source == LocalSource::Clock &&
                  scene.in.roles().play(scene.model().name, Role::TrainsModel),
              scene.guard());
}

}  // namespace ranklint::doubts
