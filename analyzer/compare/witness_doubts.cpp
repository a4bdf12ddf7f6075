// Read off the text of the functions on the way to the collective, once a witness is found:
//
//     @functools.cache                            # who called it before with the others gets what it returned then
//     def score(point): ... all_gather(...)
//
//     os.environ["WORLD_SIZE"] = "1"              # from here on this process is a world of its own
//
//     writer = open_table(path, world_size=1)     # told that it is alone
//
//     if rank < 2: init_process_group("gloo", rank=rank, world_size=2)      # a group of two, which are there
//
//     model = Model.from_pretrained(folder)       # another caller wraps its model; this one does not
//     evaluate(model)
//
//     if rank < members: check(model, group=some)   # a group of the first so many, most likely
//
//     if rank == 0: mesh = Mesh(4, comm=COMM_SELF)  # who calls is alone, or with those of its part
//
//     runtime = Fabric(strategy=DDPStrategy(process_group=part))   # and so is what this function sets up
//
//     if rank < half: model = prepare(half)         # who is told how many they are
//
//     if rank == 0: barrier()                       # a program for two
//     elif rank == 1: barrier()
//
//     whole = get_model_state_dict(model)         # and only then:
//     fully_shard(model)
//
//     with without_barriers(): load(path)         # what it sets was taken not to be set
//
//     if self.made_for == key: return self.made   # the key is a rank's own, and that it is the old one may hold on all
//     alike self.made_for = key
//
//     assert rank == 0                            # the others do not come here: there is a file since the first has
//     made it
//
//     paths = paths[: len(paths) // world_size * world_size]                # equal_shares.h
//
//     with Averages() as averages: evaluate(model)                          # unfilled.h: nothing to reduce
//
//     for group in get_pipeline_group(): broadcast(x, 0, group)             # some ranks are in several: the others'
//     one is among them
//
//     with model.join():                          # ranks without data answer the others' passes
//         for path in paths[rank::world_size]: model(load(path)).backward()
#include "analyzer/compare/witness_doubts.h"

#include <algorithm>

#include "analyzer/base/among.h"
#include "analyzer/compare/contexts.h"
#include "analyzer/compare/equal_shares.h"
#include "analyzer/compare/unfilled.h"
#include "analyzer/flow/graph.h"
#include "analyzer/ir/any_instruction.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

class Reader {
 public:
  Reader(const ProjectIndex& index, FunctionKey f)
      : index_(index), module_(index.functions()[f].module), ir_(index.modules()[module_]), f_(index.function(f)) {}

  bool keeps_results() const {
    return std::ranges::any_of(f_.decorators, [&](ir::ExprId decorator) {
      const bool called = f_.exprs[decorator].kind == ir::ExprKind::Call;
      return among(last_part(index_.dotted(module_, f_, called ? ir::children(f_, decorator)[0] : decorator)),
                   {"cache", "lru_cache", "memoize"});
    });
  }

  bool runs_alone() const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Assign || !is(i.target, ir::ExprKind::Subscript) || !is_text(i.value, "1"))
        return false;
      return is_text(ir::children(f_, i.target)[1], "WORLD_SIZE");
    });
  }

  // `f(..., world_size=1)` between two places.
  bool tells_alone(SourceRange from, SourceRange to) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || i.range.line < from.line || i.range.line > to.line) return false;
      return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) {
        if (a.kind != ir::ArgumentKind::Keyword || !is(a.value, ir::ExprKind::Integer)) return false;
        return among(ir_.text(a.keyword), {"world_size", "num_processes", "num_replicas"}) &&
               ir_.text(f_.exprs[a.value].symbol) == "1";
      });
    });
  }

  // `init_process_group(..., world_size=2)` there.
  bool makes_group_of_number(SourceRange at) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || i.range != at) return false;
      return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) {
        return a.kind == ir::ArgumentKind::Keyword && ir_.text(a.keyword) == "world_size" &&
               is(a.value, ir::ExprKind::Integer);
      });
    });
  }

  // `assert rank == 0` behind a place.
  bool asserts_rank_behind(SourceRange from) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Assert || i.range.line <= from.line || !is(i.value, ir::ExprKind::Binary))
        return false;
      const auto sides = ir::children(f_, i.value);
      return f_.exprs[i.value].op == ir::Operator::Equal && is(sides[1], ir::ExprKind::Integer) && is_rank(sides[0]);
    });
  }

  // `if rank == 0: call() elif rank == 1: call()`, where the first one is asked for at `guard`.
  bool is_for_two(SourceRange guard, SourceRange call) const {
    const auto first = std::ranges::find_if(f_.blocks, [&](const ir::Block& b) {
      return b.terminator.range.line == guard.line && number_asked(b).valid();
    });
    const Symbol callee = called_at(call);
    if (first == f_.blocks.end() || !callee.valid()) return false;
    const ir::Block& next = f_.blocks[first->terminator.successors[1]];
    if (!next.instructions.empty() || number_asked(next) != number_asked(*first)) return false;
    const FlowGraph flow(f_);
    return std::ranges::any_of(flow.order(), [&](ir::BlockId b) {
      return flow.dominates(next.terminator.successors[0], b) &&
             std::ranges::any_of(f_.blocks[b].instructions, [&](const ir::Instruction& i) {
               return i.kind == ir::InstructionKind::Call && name_of(i.value) == callee;
             });
    });
  }

  // `if rank < members:` there.
  bool is_among_the_first(SourceRange guard) const {
    return std::ranges::any_of(f_.blocks, [&](const ir::Block& block) {
      const ir::Terminator& end = block.terminator;
      if (end.kind != ir::TerminatorKind::Branch || end.range.line != guard.line ||
          !is(end.value, ir::ExprKind::Binary))
        return false;
      return f_.exprs[end.value].op == ir::Operator::Less || f_.exprs[end.value].op == ir::Operator::LessEqual;
    });
  }

  // Whether the call there is told the number that the guard there compares a rank with: `if rank < members:
  // prepare(members)`.
  bool tells_how_many(SourceRange guard, SourceRange call) const {
    const auto compares_with = [&](ir::ExprId asked, Symbol bound) {
      return is(asked, ir::ExprKind::Binary) && f_.exprs[asked].op == ir::Operator::Less &&
             name_of(ir::children(f_, asked)[1]) == bound;
    };
    const auto is_bound = [&](ir::ExprId told) {
      return is(told, ir::ExprKind::Name) && std::ranges::any_of(f_.blocks, [&](const ir::Block& block) {
               const ir::Terminator& end = block.terminator;
               if (end.kind != ir::TerminatorKind::Branch || end.range.line != guard.line) return false;
               const Symbol bound = f_.exprs[told].symbol;
               return compares_with(end.value, bound) ||
                      (is(end.value, ir::ExprKind::And) &&
                       std::ranges::any_of(ir::children(f_, end.value),
                                           [&](ir::ExprId part) { return compares_with(part, bound); }));
             });
    };
    return any([&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && i.range == call &&
             std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) { return is_bound(a.value); });
    });
  }

  // `if self.made_for == key:` there, with `self.made_for = key` further on.
  bool remembers(SourceRange guard) const {
    const auto is_kept = [&](ir::ExprId kept, ir::ExprId key) {
      return is(kept, ir::ExprKind::Attribute) && is(key, ir::ExprKind::Name) && any([&](const ir::Instruction& i) {
               return i.kind == ir::InstructionKind::Assign && i.range.line > guard.line &&
                      is(i.target, ir::ExprKind::Attribute) && f_.exprs[i.target].symbol == f_.exprs[kept].symbol &&
                      is(i.value, ir::ExprKind::Name) && f_.exprs[i.value].symbol == f_.exprs[key].symbol;
             });
    };
    const auto compares = [&](ir::ExprId e) {
      if (!is(e, ir::ExprKind::Binary) ||
          (f_.exprs[e].op != ir::Operator::Equal && f_.exprs[e].op != ir::Operator::NotEqual))
        return false;
      const auto sides = ir::children(f_, e);
      return is_kept(sides[0], sides[1]) || is_kept(sides[1], sides[0]);
    };
    return std::ranges::any_of(f_.blocks, [&](const ir::Block& block) {
      const ir::Terminator& end = block.terminator;
      return end.kind == ir::TerminatorKind::Branch && end.range.line == guard.line &&
             ir::any_part(f_, end.value, compares);
    });
  }

  // Who made what the loop there goes through: `for path in own_paths(rank):`. Invalid: none of the project.
  FunctionKey maker_of_rounds(SourceRange loop) const {
    for (const ir::Block& header : f_.blocks) {
      const ir::Terminator& end = header.terminator;
      if (end.kind != ir::TerminatorKind::Iterate || end.range != loop || !is(end.value, ir::ExprKind::Name)) continue;
      FunctionKey maker;
      any([&](const ir::Instruction& i) {
        const bool makes = i.kind == ir::InstructionKind::Call && is(i.target, ir::ExprKind::Name) &&
                           f_.exprs[i.target].symbol == f_.exprs[end.value].symbol;
        if (makes) maker = index_.resolve(module_, f_, i.value).function;
        return makes;
      });
      return maker;
    }
    return {};
  }

  // `check(model, group=some)` there.
  bool hands_over_group(SourceRange call) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || i.range != call) return false;
      return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) {
        return a.kind == ir::ArgumentKind::Keyword && among(ir_.text(a.keyword), {"process_group", "group", "pg"}) &&
               is(a.value, ir::ExprKind::Name);
      });
    });
  }

  // `Mesh(4, comm=COMM_SELF)` there, and `Mesh(4, comm=part)` with `part = everyone.Split(colour)`: whoever calls is
  // alone, or with some.
  bool hands_over_part(SourceRange call) const {
    const auto is_part = [&](ir::ExprId e) {
      const Symbol name = name_of(e);
      if (!name.valid()) return false;
      if (among(ir_.text(name), {"COMM_SELF", "MPI_COMM_SELF"})) return true;
      return is(e, ir::ExprKind::Name) && any([&](const ir::Instruction& i) {
               return i.kind == ir::InstructionKind::Call && i.range.line < call.line &&
                      is(i.target, ir::ExprKind::Name) && f_.exprs[i.target].symbol == name &&
                      among(ir_.text(name_of(i.value)), {"Split", "Split_type", "Create", "Create_group"});
             });
    };
    return any([&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && i.range == call &&
             std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) { return is_part(a.value); });
    });
  }

  // `DDPStrategy(process_group=part)`: what is set up here is of those ranks.
  bool sets_up_part() const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || !name_of(i.value).valid() ||
          !ir_.text(name_of(i.value)).ends_with("Strategy"))
        return false;
      return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) {
        return a.kind == ir::ArgumentKind::Keyword && ir_.text(a.keyword) == "process_group" &&
               !is(a.value, ir::ExprKind::None);
      });
    });
  }

  // Whether what the call is handed is sharded further down: here it is whole.
  bool is_sharded_behind(SourceRange call) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || i.range != call) return false;
      return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) {
        return is(a.value, ir::ExprKind::Name) && shards_behind(f_.exprs[a.value].symbol, call);
      });
    });
  }

  // Whether an argument of the call is a model that was loaded above it and is called otherwise by nothing since.
  bool hands_over_loaded(SourceRange call) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || i.range != call) return false;
      return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) {
        return is(a.value, ir::ExprKind::Name) && is_loaded(f_.exprs[a.value].symbol, call);
      });
    });
  }

 private:
  template <typename Wanted>
  bool any(Wanted wanted) const {
    return ir::any_instruction(f_, wanted);
  }

  Symbol name_of(ir::ExprId e) const {
    return is(e, ir::ExprKind::Name) || is(e, ir::ExprKind::Attribute) ? f_.exprs[e].symbol : Symbol{};
  }

  Symbol called_at(SourceRange range) const {
    Symbol name;
    any([&](const ir::Instruction& i) {
      const bool is_it = i.kind == ir::InstructionKind::Call && i.range == range;
      if (is_it) name = name_of(i.value);
      return is_it;
    });
    return name;
  }

  // The variable that the block's branch compares with another value: `rank` of `rank == 0` and of `0 == rank`.
  Symbol number_asked(const ir::Block& block) const {
    const ir::Terminator& end = block.terminator;
    if (end.kind != ir::TerminatorKind::Branch || end.is_loop || !is(end.value, ir::ExprKind::Binary) ||
        f_.exprs[end.value].op != ir::Operator::Equal)
      return {};
    const auto sides = ir::children(f_, end.value);
    return name_of(is(sides[0], ir::ExprKind::Integer) ? sides[1] : sides[0]);
  }

  bool is(ir::ExprId e, ir::ExprKind kind) const { return e.valid() && f_.exprs[e].kind == kind; }
  bool is_text(ir::ExprId e, std::string_view text) const {
    return is(e, ir::ExprKind::String) && ir_.text(f_.exprs[e].symbol) == text;
  }

  bool is_rank(ir::ExprId e) const {
    if (!is(e, ir::ExprKind::Name) && !is(e, ir::ExprKind::Attribute)) return false;
    const Symbol name = f_.exprs[e].symbol;
    if (!ir_.text(name).starts_with('%')) return ir_.text(name).ends_with("rank");
    return any([&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && is(i.target, ir::ExprKind::Name) &&
             f_.exprs[i.target].symbol == name &&
             (is(i.value, ir::ExprKind::Attribute) || is(i.value, ir::ExprKind::Name)) &&
             ir_.text(f_.exprs[i.value].symbol).ends_with("get_rank");
    });
  }

  bool shards_behind(Symbol model, SourceRange from) const {
    return any([&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call || i.range.line <= from.line ||
          (!is(i.value, ir::ExprKind::Name) && !is(i.value, ir::ExprKind::Attribute)))
        return false;
      const std::string_view name = ir_.text(f_.exprs[i.value].symbol);
      if (name.find("shard") == name.npos && name.find("FSDP") == name.npos && name.find("FullySharded") == name.npos)
        return false;
      return std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) {
        return is(a.value, ir::ExprKind::Name) && f_.exprs[a.value].symbol == model;
      });
    });
  }

  bool is_loaded(Symbol name, SourceRange before) const {
    const ir::Instruction* last = nullptr;
    for (const ir::Block& block : f_.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (is(i.target, ir::ExprKind::Name) && f_.exprs[i.target].symbol == name && i.range.line < before.line &&
            (!last || i.range.line >= last->range.line))
          last = &i;
    return last && last->kind == ir::InstructionKind::Call && is(last->value, ir::ExprKind::Attribute) &&
           among(ir_.text(f_.exprs[last->value].symbol), {"from_pretrained", "from_config", "build"});
  }

  const ProjectIndex& index_;
  const ModuleKey module_;
  const ir::Module& ir_;
  const ir::Function& f_;
};

// A pass through a wrapped model, which Join answers for a rank that has no more data.
bool is_pass(const Arrival& arrival) { return arrival.about == "forward" || arrival.op == "gradient_reduction"; }

bool is_joined(const Query& query, const Mismatch& m) {
  const bool is_loop = m.cause == Mismatch::Cause::RankLoop || m.cause == Mismatch::Cause::LocalLoop;
  const Summary* s = is_loop && (is_pass(m.first) || is_pass(m.second)) ? query.summary(m.function) : nullptr;
  if (!s) return false;
  const ProjectIndex& index = query.index();
  const ir::Function& f = index.function(m.function);
  return std::ranges::any_of(s->graph.order(), [&](ir::BlockId header) {
    if (f.blocks[header].terminator.range != m.guard) return false;
    const Place at{header, static_cast<uint32_t>(f.blocks[header].instructions.size())};
    return std::ranges::any_of(Contexts(index, *s).open_at(at),
                               [](const OpenContext& c) { return among(last_part(c.name), {"join", "Join"}); });
  });
}

// `for group in get_group():`, `for i, group in enumerate(get_group()):` where it is taken for one group.
bool goes_through_groups(const Query& query, FunctionKey f, std::string_view group) {
  const ValueStore& values = query.values();
  const ProjectIndex& index = query.index();
  const auto is_it = [&](ValueId v) {
    return values[v].kind == ValueKind::Group && describe(values.axes(AxesId{values[v].a}), index.names()) == group;
  };
  const Summary* s = query.summary(f);
  return s && std::ranges::any_of(s->graph.order(), [&](ir::BlockId b) {
           const ValueId more = s->blocks[b.index].condition;
           if (index.function(f).blocks[b].terminator.kind != ir::TerminatorKind::Iterate || !more.valid())
             return false;
           const auto through = values.children(more);
           if (std::ranges::any_of(through, is_it)) return true;
           return std::ranges::any_of(through, [&](ValueId all) {
             return among(function_of(values, index, all), {"enumerate", "zip"}) &&
                    std::ranges::any_of(values.children(all), is_it);
           });
         });
}

}  // namespace

bool is_of_several_groups(const Query& query, const Mismatch& m) {
  const auto goes = [&](const PathStep& step) { return goes_through_groups(query, step.function, m.group); };
  return std::ranges::any_of(m.first.steps, goes) || std::ranges::any_of(m.second.steps, goes);
}

bool is_meant_otherwise(const ProjectIndex& index, const Mismatch& m) {
  if (m.guard.line == 0) return false;  // IR without places: nothing can be found again by where it stands
  const bool is_loop = m.cause == Mismatch::Cause::RankLoop;
  const Reader of_guard(index, m.function);
  if (is_loop) {
    const FunctionKey maker = of_guard.maker_of_rounds(m.guard);
    if (makes_equal_shares(index, m.function) || (maker.valid() && makes_equal_shares(index, maker))) return true;
  }
  if (of_guard.runs_alone() || of_guard.remembers(m.guard) || of_guard.asserts_rank_behind(m.guard)) return true;
  if (goes_round_unfilled(index, m.first.steps) || goes_round_unfilled(index, m.second.steps)) return true;
  if (m.first.steps.empty()) return false;
  const PathStep& last = m.first.steps.back();
  if (m.first.op == "init_process_group" && Reader(index, last.function).makes_group_of_number(last.range)) return true;
  if (last.function == m.function && of_guard.is_for_two(m.guard, last.range)) return true;
  const auto goes_on = std::ranges::find_if(m.first.steps, [&](const PathStep& step) {
    return step.function == m.function &&
           (step.kind == PathStep::Kind::Call || step.kind == PathStep::Kind::Collective);
  });
  if (goes_on != m.first.steps.end() && of_guard.tells_alone(m.guard, goes_on->range)) return true;
  const bool asks_for_first = m.group != "world" && of_guard.is_among_the_first(m.guard);
  return std::ranges::any_of(m.first.steps, [&](const PathStep& step) {
    const Reader reader(index, step.function);
    if (step.function == m.function && step.kind == PathStep::Kind::Call && reader.tells_how_many(m.guard, step.range))
      return true;
    if (asks_for_first && step.function == m.function && step.kind == PathStep::Kind::Call &&
        reader.hands_over_group(step.range))
      return true;
    if (m.group != "world" && step.kind == PathStep::Kind::Call && reader.hands_over_part(step.range)) return true;
    if (step.function != m.function && (reader.keeps_results() || reader.runs_alone() || reader.sets_up_part()))
      return true;
    if (m.first.about == "state-dict" && step.function == m.function && reader.is_sharded_behind(step.range))
      return true;
    return among(m.first.about, {"forward", "state-dict"}) && step.kind == PathStep::Kind::Call &&
           reader.hands_over_loaded(step.range);
  });
}

bool is_settled_by_context(const Query& query, const Mismatch& m, const Choices& choices) {
  if (is_joined(query, m)) return true;
  const ProjectIndex& index = query.index();
  const ValueStore& values = query.values();
  const auto settles = [&](FunctionKey context) {
    const ModuleKey module = index.functions()[context].module;
    return std::ranges::any_of(choices.all(), [&](const auto& choice) {
      return values
          .find_part(choice.first,
                     [&](ValueId part) {
                       const Value& v = values[part];
                       if (v.kind != ValueKind::Global || v.a != module.index) return false;
                       const auto is_it = [&](Symbol name) { return index.name(module, name).index == v.b; };
                       return std::ranges::any_of(index.function(context).globals, is_it);
                     })
          .valid();
    });
  };
  return std::ranges::any_of(m.first.steps, [&](const PathStep& step) {
    const Summary* s = step.kind == PathStep::Kind::Call ? query.summary(step.function) : nullptr;
    return s && std::ranges::any_of(open_contexts(index, *s, step.range),
                                    [&](const OpenContext& c) { return c.function.valid() && settles(c.function); });
  });
}

}  // namespace ranklint
