// What the options of a framework say, where the program writes them out:
//
//     options = TrainingArguments("out", bf16=True)        # neither FSDP nor DeepSpeed
//     trainer = Trainer(model, args=options)
//     if rank == 0:
//         trainer.save_model()                             # saves what this rank has
#include <algorithm>

#include "analyzer/doubts/doubt_matchers.h"
#include "analyzer/doubts/function_text.h"
#include "analyzer/doubts/term_words.h"
#include "analyzer/program/given_for.h"
#include "analyzer/resolve/callee_role.h"

namespace ranklint::doubts {
namespace {

class WrittenOptions {
 public:
  WrittenOptions(const Query& in, FunctionKey f) : roles_(in.roles()), function_(f), text_(in.index(), f) {}

  // Where the options are made that shard nothing and that the object of the call there was made with.
  Seen without_sharding(SourceRange call) const {
    Seen found;
    text_.any_call([&](const ir::Instruction& i) {
      if (i.range != call || !text_.is(i.value, ir::ExprKind::Attribute)) return false;
      const ir::Instruction* made = making_of(ir::children(text_.ir, i.value)[0]);
      for (const ir::Argument& a : made ? ir::arguments(text_.ir, *made) : std::span<const ir::Argument>())
        if (const ir::Instruction* options = making_of(a.value); options && shards_nothing(*options))
          found = CodePlace{function_, options->range};
      return found.has_value();
    });
    return found;
  }

 private:
  // The only call that gives the variable its value; null: there is another, or none.
  const ir::Instruction* making_of(ir::ExprId e) const {
    const Symbol name = text_.is(e, ir::ExprKind::Name) ? text_.name_of(e) : Symbol{};
    const ir::Instruction* made = nullptr;
    const bool by_others = name.valid() && text_.any([&](const ir::Instruction& i) {
      if (!text_.gives_name(i, name)) return false;
      const bool is_second = made != nullptr;
      made = &i;
      return is_second || i.kind != ir::InstructionKind::Call;
    });
    return by_others ? nullptr : made;
  }

  bool shards_nothing(const ir::Instruction& options) const {
    const std::string callee = foreign_name(text_.index, text_.module, text_.ir, options.value);
    const std::vector<const RoleEntry*> sharding = roles_.all(callee, Role::TakesSharding);
    return !sharding.empty() && !gives_more(text_.ir, options) &&
           std::ranges::none_of(sharding, [&](const RoleEntry* entry) {
             return given_for(text_.ir, text_.words, options, entry->argument.position, entry->argument.keyword)
                 .valid();
           });
  }

  const Roles& roles_;
  const FunctionKey function_;
  const FunctionText text_;
};

}  // namespace

Seen made_without_sharding(const Scene& scene) {
  const CodePlace waiting = scene.waiting();
  return WrittenOptions(scene.in, waiting.function).without_sharding(waiting.range);
}

// `if args.distributed: flag = reduced(flag)` on the way of a program that sets up its ranks under `args.distributed`:
// the way on which it does not hold is that of a job of one process.
Seen set_up_option(const Scene& scene) {
  const ValueStore& values = scene.values();
  const ModuleKey module = scene.index().functions()[scene.m.function].module;
  return seen(std::ranges::any_of(scene.choices(), [&](const auto& choice) {
    const auto& [term, holds] = choice;
    const bool is_entry = values[term].kind == ValueKind::Subscript;
    const std::string_view option = word_of(values, scene.index(), is_entry ? values.child(term, 1) : term);
    return !option.empty() && scene.in.program().set_ups().deny(module, option, holds);
  }));
}

// `zero_stage == 2` holds: the parameters are whole on every rank, and nothing gathers them.
bool keeps_parameters_whole(const Scene& scene) {
  constexpr int64_t kShardsParameters = 3;
  const ValueStore& values = scene.values();
  // Its last key or attribute: what lies in `zero_optimization` beside the stage are other numbers.
  const auto names_stage = [&](ValueId option) {
    const bool is_entry = values[option].kind == ValueKind::Subscript;
    const std::string_view word = word_of(values, scene.index(), is_entry ? values.child(option, 1) : option);
    return scene.in.priors().suggest(word, NameMeaning::ShardingStage);
  };
  return std::ranges::any_of(scene.choices(), [&](const auto& chosen) {
    const Value& asked = values[chosen.first];
    int64_t stage = 0;
    return chosen.second && asked.kind == ValueKind::Binary && asked.op == ir::Operator::Equal &&
           values.integer_of(values.child(chosen.first, 1), stage) && stage < kShardsParameters &&
           names_stage(values.child(chosen.first, 0));
  });
}

}  // namespace ranklint::doubts
