// The loop is the framework's, and each rank asks its own trainer whether to leave it:
//
//     class Limit(Callback):
//         def on_train_epoch_end(self, trainer, module):
//             if trainer.is_global_zero and self.asked_to_stop():
//                 trainer.should_stop = True            # the others go on to the next step, and wait there
//
// Only in what the framework calls, the `on_...` methods of callbacks and of modules, and only where ranks differ in
// the flag when the method ends: who reduces or broadcasts it before has told all.
#include "analyzer/compare/framework_stops.h"

#include <algorithm>

#include "analyzer/program/handed.h"
#include "analyzer/questions/code.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

class FrameworkStops {
 public:
  FrameworkStops(const Query& query, Facts& facts)
      : in_(query), values_(query.values()), index_(query.index()), facts_(facts) {}

  void run() {
    in_.for_each_judged("framework stops", [&](FunctionKey f) {
      if (const Summary* s = is_hook(f) ? in_.summary(f) : nullptr)
        if (std::ranges::any_of(s->changes, [&](const Held& change) { return stops_some(f, change); })) keep(*s);
    });
  }

 private:
  bool is_hook(FunctionKey f) const {
    const ClassKey owner = index_.functions()[f].owner;
    const std::string_view name = index_.modules()[index_.functions()[f].module].text(index_.function(f).name);
    return owner.valid() && name.starts_with("on_") &&
           (index_.derives_from_external(owner, "Callback") || index_.derives_from_external(owner, "LightningModule"));
  }

  // `trainer.should_stop`, `self.trainer.should_stop`: left behind otherwise on some ranks than on others.
  bool stops_some(FunctionKey f, const Held& change) const {
    const SymbolTable& names = index_.names();
    if (names.text(change.name) != "should_stop" || !change.value.valid()) return false;
    const Value& trainer = values_[change.object];
    const bool is_given = trainer.kind == ValueKind::Parameter && trainer.a == f.index && trainer.b == 1;
    const bool is_kept = trainer.kind == ValueKind::Attribute && names.text(Symbol{trainer.a}) == "trainer";
    return (is_given || is_kept) && differs(change.value);
  }

  // Memory and the host are alike on most ranks of a job, and so are files.
  bool differs(ValueId flag) const {
    if (!values_.variance(flag).empty()) return true;
    if (!values_[flag].local) return false;
    const LocalSource source = local_source(values_, index_, flag);
    return source == LocalSource::Clock || source == LocalSource::Signal || source == LocalSource::Random ||
           source == LocalSource::Batch;
  }

  // The assignment, in the hook itself or in the method of the class that it calls for it.
  void keep(const Summary& hook) {
    if (add(hook)) return;
    const FunctionCode code(index_, hook);
    for (const ir::BlockId b : code.graph.order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        const FunctionKey called =
            i.kind == ir::InstructionKind::Call ? named_callee(index_, code.key, i).function : FunctionKey{};
        const Summary* s = called.valid() ? in_.summary(called) : nullptr;
        if (s && add(*s)) return;
      }
  }

  bool add(const Summary& s) {
    const FunctionCode code(index_, s);
    for (const ir::BlockId b : code.graph.order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind != ir::InstructionKind::Assign || code.ir.exprs[i.target].kind != ir::ExprKind::Attribute) continue;
        if (code.text.text(code.ir.exprs[i.target].symbol) != "should_stop") continue;
        const LoneStop fact{.function = code.key, .range = i.range};
        if (std::ranges::none_of(facts_.lone_stops, [&](const LoneStop& known) {
              return known.range == fact.range && known.function == fact.function;
            }))
          facts_.lone_stops.push_back(fact);
        return true;
      }
    return false;
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  Facts& facts_;
};

}  // namespace

void find_framework_stops(const Query& query, Facts& facts) { FrameworkStops(query, facts).run(); }

}  // namespace ranklint
