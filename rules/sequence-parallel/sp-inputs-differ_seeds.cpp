// Random numbers of one sample that each rank of a group draws for itself:
//
//     torch.manual_seed(seed + dist.get_rank())         # a dropout between two layers: another one on each rank
//     model = parallelize_module(model, mesh["tp"], plan)
//
//     generator.manual_seed(seed + dist.get_rank())
//     noise = torch.randn(shape, generator=generator)   # of another sample on each rank of the group
//
//     noise = torch.randn(shape)
//     noise = noise.chunk(sp_size, dim=1)[sp_rank]      # parts of several wholes
//
// A seed differs between the ranks of a group where it is the rank in the world, or that plus something, or times it; a
// quotient may be the number of the group. A generator of its own is reported where numbers are drawn with it, except
// for a part of each rank, and where a function that draws with it sends what it has drawn from one rank to the others;
// the default generator matters where the values between two layers have to be alike, or where what is drawn is cut by
// the ranks of the group.
#include <algorithm>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/questions/communication.h"
#include "analyzer/questions/identifier_words.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/terms.h"
#include "rules/sequence-parallel/remainders.h"
#include "rules/sequence-parallel/sp-inputs-differ.h"

namespace ranklint::sp_inputs_differ {
namespace {

constexpr int kDeepestSeeding = 3;  // from a function that is given a seed to what seeds

class OwnSeeds {
 public:
  OwnSeeds(const Query& in, const GroupsInSight& groups)
      : in_(in), values_(in.values()), index_(in.index()), groups_(groups) {
    for (const auto& [site, watched] : in.watched().calls) by_function_[site.function].push_back(&watched);
  }

  std::vector<OwnSeed> run() {
    for (const auto& [site, watched] : in_.watched().calls) {
      const ValueId seed = seed_given(watched.call, 0);
      if (!seed.valid() || !tells_apart(seed) || is_seeded_again(site.function, watched)) continue;
      if (!found_.empty() && found_.back().function == site.function) continue;  // one for a function, the first
      OwnSeed found{site.function, watched.range, std::string(in_.callee_name(watched.call.callee)), {}, {}};
      if (const GroupInSight* group = harmed(site.function, watched.call, found.used)) {
        found.group = *group;
        found_.push_back(std::move(found));
      }
    }
    return std::move(found_);
  }

 private:
  // What a call seeds with, itself or in the functions of the project that it hands it to. Invalid: it seeds nothing.
  ValueId seed_given(const Call& call, int depth) const {
    const std::vector<Target> targets = in_.targets(call.callee);
    if (targets.empty()) {
      const RoleEntry* role = in_.roles().find(in_.callee_path(call.callee), Role::SeedsNumbers);
      return role ? in_.argument(call, role->argument) : ValueId{};
    }
    if (depth == kDeepestSeeding) return {};
    for (const Target& target : targets) {
      const auto calls = by_function_.find(target.function);
      if (calls == by_function_.end()) continue;
      for (const WatchedCall* within : calls->second)
        if (const ValueId seed = seed_given(within->call, depth + 1); seed.valid())
          return in_.instantiate(seed, in_.bind(target, call, 0));
    }
    return {};
  }

  bool tells_apart(ValueId v) const {
    const Value& value = values_[v];
    if (value.kind == ValueKind::Coordinate) {
      const AxisSet& axes = values_.axes(AxesId{value.a});
      return axes.is_world() || axes.has(AxisKind::Local);
    }
    if (value.kind != ValueKind::Binary) return false;
    const bool keeps =
        value.op == ir::Operator::Add || value.op == ir::Operator::Subtract || value.op == ir::Operator::Multiply;
    const ValueId left = values_.child(v, 0), right = values_.child(v, 1);
    return keeps &&
           ((!values_.diverges(right) && tells_apart(left)) || (!values_.diverges(left) && tells_apart(right)));
  }

  // Further down, with nothing that differs between all ranks: the first one was for something else.
  bool is_seeded_again(FunctionKey f, const WatchedCall& first) const {
    return std::ranges::any_of(by_function_.at(f), [&](const WatchedCall* other) {
      if (!(first.range < other->range) || other->call.callee != first.call.callee) return false;
      const ValueId seed = seed_given(other->call, 0);
      return seed.valid() && !tells_apart(seed);
    });
  }

  // The group that the seed is wrong for. Null: none.
  const GroupInSight* harmed(FunctionKey f, const Call& call, SourceRange& used) const {
    const GroupInSight* any = groups_.beside(f);
    if (!any || hands_out(f)) return nullptr;
    if (is_own_generator(call.callee)) {
      used = drawn_with_generator(f);
      return used.known() ? any : nullptr;
    }
    if (const GroupInSight* group = groups_.with_same_activations_beside(f)) return group;
    used = cut_after_drawn(f);
    return used.known() ? any : nullptr;
  }

  bool is_own_generator(ValueId callee) const {
    return values_[callee].kind == ValueKind::Attribute &&
           values_[values_.child(callee, 0)].kind != ValueKind::External;
  }

  // The functions that see what this one has: itself, and the methods of its object.
  std::vector<FunctionKey> around(FunctionKey f) const {
    std::vector<FunctionKey> all{f};
    if (const ClassKey owner = index_.functions()[f].owner; owner.valid())
      for (const auto& [_, method] : index_.classes()[owner].methods)
        if (method != f) all.push_back(method);
    return all;
  }

  // `torch.randn(shape, generator=self.generator)`
  SourceRange drawn_with_generator(FunctionKey f) const {
    SourceRange found;
    for (const FunctionKey g : around(f)) {
      if (divides_by_ranks(g)) continue;
      const ir::Function& function = index_.function(g);
      const ir::Module& text = index_.modules()[index_.functions()[g].module];
      ir::any_instruction(function, [&](const ir::Instruction& i) {
        const bool draws = takes_generator(text, function, i);
        if (!draws || shares_drawn(g, i, 0)) return false;
        if (!found.known()) found = i.range;
        return true;
      });
    }
    return found;
  }

  bool takes_generator(const ir::Module& text, const ir::Function& f, const ir::Instruction& i) const {
    return i.kind == ir::InstructionKind::Call && std::ranges::any_of(ir::arguments(f, i), [&](const ir::Argument& a) {
             return a.kind == ir::ArgumentKind::Keyword &&
                    in_.priors().suggest(text.text(a.keyword), NameMeaning::Generator);
           });
  }

  // `pipeline(prompt, generator=generator)`: whether a function of the project that is called there hands all that it
  // draws with the generator from one rank to the others, before it goes on with it.
  bool shares_drawn(FunctionKey f, const ir::Instruction& call, int depth) const {
    const Summary* s = depth < kDeepestSeeding ? in_.summary(f) : nullptr;
    if (!s) return false;
    for (const BlockSteps& block : s->blocks)
      for (const Step& step : block.steps) {
        if (step.event || step.range != call.range) continue;
        const std::vector<Target> targets = in_.targets(step.call.callee);
        return !targets.empty() && std::ranges::all_of(targets, [&](const Target& t) {
          return hands_on_what_it_draws(t.function, depth + 1);
        });
      }
    return false;
  }

  bool hands_on_what_it_draws(FunctionKey f, int depth) const {
    const Summary* s = in_.summary(f);
    if (!s || !s->communicates) return false;
    const FunctionCode code(index_, *s);
    bool draws = false, keeps = false;
    ir::any_instruction(code.ir, [&](const ir::Instruction& i) {
      if (!takes_generator(code.text, code.ir, i)) return false;
      draws = true;
      keeps = !is_handed_on(*s, code, i) && !shares_drawn(f, i, depth);
      return keeps;
    });
    return draws && !keeps;
  }

  // Whether a collective with a root is given what the call gives, further down.
  bool is_handed_on(const Summary& s, const FunctionCode& code, const ir::Instruction& drawn) const {
    const Symbol made = drawn.target.valid() && code.ir.exprs[drawn.target].kind == ir::ExprKind::Name
                            ? code.ir.exprs[drawn.target].symbol
                            : Symbol{};
    if (!made.valid()) return false;
    const auto is_it = [&](Symbol name) { return name == made; };
    return std::ranges::any_of(s.blocks, [&](const BlockSteps& block) {
      return std::ranges::any_of(block.steps, [&](const Step& step) {
        const ir::Instruction* call = drawn.range < step.range ? in_.call_at(in_.site(step.site)) : nullptr;
        const std::optional<Communication> found =
            call && code.reads(*call, is_it) ? communication_of(in_, step) : std::nullopt;
        return found && found->model->root.present();
      });
    });
  }

  bool is_number_of_ranks(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
    const bool is_named =
        code.ir.exprs[e].kind == ir::ExprKind::Name || code.ir.exprs[e].kind == ir::ExprKind::Attribute;
    return name_suggests_degree(in_.priors(), identifier_words_with_source(code, e, at)) ||
           (is_named && in_.priors().suggest(code.text.text(code.ir.exprs[e].symbol), NameMeaning::RankCount));
  }

  // `torch.randn(length // world_size)`: what each rank draws there is its part, which differs from the others'.
  bool divides_by_ranks(FunctionKey f) const {
    const Summary* s = in_.summary(f);
    if (!s) return true;
    const FunctionCode code(index_, *s);
    bool divides = false;
    for_each_expression(code, [&](ir::ExprId e, ProgramPoint at) {
      const ir::Expr& expr = code.ir.exprs[e];
      divides = divides || (expr.kind == ir::ExprKind::Binary &&
                            (expr.op == ir::Operator::FloorDivide || expr.op == ir::Operator::Divide) &&
                            is_number_of_ranks(code, ir::children(code.ir, e)[1], at));
    });
    return divides;
  }

  // Of what is drawn, as many parts as a group has ranks.
  SourceRange cut_after_drawn(FunctionKey f) const {
    const ModuleKey module = index_.functions()[f].module;
    for (const auto& [site, watched] : in_.watched().calls) {
      if (index_.functions()[site.function].module != module) continue;
      const Call& call = watched.call;
      if (!in_.roles().play(in_.callee_name(call.callee), Role::CutsIntoChunks)) continue;
      std::vector<ValueId> given(call.positional.begin(), call.positional.end());
      if (const ValueId tensor = in_.receiver_of(call.callee); tensor.valid()) given.push_back(tensor);
      for (const auto& [_, value] : call.keywords) given.push_back(value);
      const auto is_size = [&](ValueId v) {
        return values_[v].kind == ValueKind::SizeIn ||
               (values_[v].kind == ValueKind::Size && !values_.axes(AxesId{values_[v].a}).world);
      };
      const auto has_drawn = [&](ValueId v) {
        return values_.find_part(v, [&](ValueId part) { return is_drawn(values_[part], index_.names()); }).valid();
      };
      if (std::ranges::any_of(given, is_size) && std::ranges::any_of(given, has_drawn)) return watched.range;
    }
    return {};
  }

  // Whether one rank broadcasts something there: what is drawn, most likely.
  bool hands_out(FunctionKey f) const {
    return std::ranges::any_of(around(f), [&](FunctionKey g) {
      const Summary* s = in_.summary(g);
      return s && std::ranges::any_of(s->blocks, [](const BlockSteps& block) {
               return std::ranges::any_of(block.steps, [](const Step& step) {
                 return step.event && step.event->root.valid() && step.event->model->kind == ModelKind::Collective;
               });
             });
    });
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  const GroupsInSight& groups_;
  std::map<FunctionKey, std::vector<const WatchedCall*>> by_function_;
  std::vector<OwnSeed> found_;
};

}  // namespace

std::vector<OwnSeed> own_seeds(const Query& in, const GroupsInSight& groups) { return OwnSeeds(in, groups).run(); }

}  // namespace ranklint::sp_inputs_differ
