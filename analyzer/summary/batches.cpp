// The batch of this rank, followed from the loader to what is computed of it.
//
//     for step, batch in enumerate(train_loader):
//         loss = model(batch)
//         if torch.isnan(loss): continue      # on one rank, perhaps
//         loss.backward()
//
// Each rank loads its own; a call that nothing is known of makes of a batch something that is each rank's own as well,
// unless its name says that ranks agree in it. What conditions may ask of a batch says ValueStore.
#include <algorithm>
#include <cctype>

#include "analyzer/base/among.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/function_run.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// `reduce_loss`, `all_gather`, `sync_mean`, `average_across_ranks`
bool says_agreement(std::string_view function) {
  const std::string name = lower(function);
  for (std::string_view word : {"reduce", "gather", "sync", "broadcast", "across", "average", "global", "dist", "agree"})
    if (name.find(word) != name.npos) return true;
  return false;
}

// What is asked of a batch by these is alike on all ranks.
bool asks_for_form(std::string_view method) { return among(method, {"size", "numel", "dim", "keys", "get_device", "len"}); }

// `any(torch.isnan(loss) for loss in losses)`: the name of the test that the generator makes; empty: it makes none.
std::string_view test_for_no_number(const ProjectIndex& index, FunctionKey f) {
  const ir::Module& module = index.modules()[index.functions()[f].module];
  const ir::Function& function = index.function(f);
  if (module.text(function.name) != "<genexpr>") return {};
  for (uint32_t b = 0; b < function.blocks.size(); ++b)
    for (const ir::Instruction& i : function.blocks[ir::BlockId{b}].instructions) {
      if (i.kind != ir::InstructionKind::Call) continue;
      const ir::Expr& callee = function.exprs[i.value];
      if (callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) continue;
      if (ValueStore::looks_for_no_number(module.text(callee.symbol))) return module.text(callee.symbol);
    }
  return {};
}

}  // namespace

bool FunctionRun::is_loader(ValueId iterable) {
  const Value& v = values_[iterable];
  if (const Symbol type = values_.external_type_of(iterable); type.valid()) return index_.names().text(type).ends_with("DataLoader");
  const bool named = v.kind == ValueKind::Parameter || v.kind == ValueKind::Attribute || v.kind == ValueKind::Global || v.kind == ValueKind::Free;
  return named && values_.of_unknown_origin(iterable) && lower(last_part(in_.spell(iterable))).ends_with("loader");
}

// `next(self.data_iter)`, `next(train_loader_iter)`: made of a loader somewhere else.
bool FunctionRun::is_loader_iterator(ValueId iterator) {
  if (is_loader(iterator)) return true;
  const Value& v = values_[iterator];
  const bool kept = v.kind == ValueKind::Attribute || v.kind == ValueKind::Global || v.kind == ValueKind::Free;
  if (!kept || !values_.of_unknown_origin(iterator)) return false;
  const std::string name = lower(last_part(in_.spell(iterator)));
  return among(name, {"data_iter", "dataiter", "train_iter", "batch_iter"}) || name.ends_with("loader_iter") || name.ends_with("loader_iterator");
}

// `train_dataloader = accelerator.prepare(train_dataloader)`: nothing but its name tells what comes back.
bool FunctionRun::is_called_loader(std::string_view variable) {
  return variable.ends_with("dataloader") || variable.ends_with("data_loader") || variable.ends_with("_dl") ||
         among(variable, {"loader", "dl", "train_loader", "training_loader", "val_loader", "valid_loader", "eval_loader", "test_loader"});
}

// What a loop's target is in one round: of a loader its batch, of `zip(a, b)` and `enumerate(a)` the elements of their parts.
ValueId FunctionRun::element_of(ValueId iterable, SiteId site) {
  if (is_loader(iterable)) return values_.batch(site.index);
  const ValueId element = values_.node(ValueKind::Element, {{iterable}}, site.index);
  const std::string_view function = function_of(values_, index_, iterable);
  const uint32_t given = values_[iterable].child_count;
  if (function == "enumerate" && given > 0)
    return values_.node(ValueKind::Tuple, {{values_.subscript(element, values_.integer(0)), element_of(values_.child(iterable, 0), site)}});
  if (function != "zip" || given == 0) return values_.with_type(element, in_.element_type(iterable));
  std::vector<ValueId> parts;
  for (uint32_t i = 0; i < given; ++i) parts.push_back(element_of(values_.child(iterable, i), site));
  return values_.node(ValueKind::Tuple, parts);
}

bool FunctionRun::takes_batch(const Call& call) const {
  const auto of_batch = [&](ValueId v) { return values_[v].of_batch; };
  for (const ValueId star : {call.star, call.double_star})
    if (star.valid() && of_batch(star)) return true;
  return std::ranges::any_of(call.positional, of_batch) || std::ranges::any_of(call.keywords, [&](const auto& k) { return of_batch(k.second); });
}

// What a call makes of a batch, where nothing else is known of it; invalid: nothing of this rank's own.
ValueId FunctionRun::made_of_batch(const Call& call) {
  const Value callee = values_[call.callee];
  const bool method = callee.kind == ValueKind::Attribute && values_[values_.child(call.callee, 0)].of_batch;
  if (!method && !takes_batch(call)) return {};
  if (callee.kind == ValueKind::Function)
    if (const std::string_view test = test_for_no_number(index_, FunctionKey{callee.a}); !test.empty() && !call.positional.empty() && values_[call.positional[0]].of_batch)
      return values_.node(ValueKind::Pure, {{call.positional[0]}}, index_.spell(test).index);
  const std::string_view name = last_part(callee.kind == ValueKind::Attribute || callee.kind == ValueKind::External
                                              ? index_.names().text(Symbol{callee.a})
                                              : std::string_view());
  if (says_agreement(name) || says_agreement(in_.spell(call.callee))) return {};
  if (method && among(name, {"numel", "nelement", "size"})) {
    std::vector<ValueId> asked{values_.child(call.callee, 0)};
    asked.insert(asked.end(), call.positional.begin(), call.positional.end());
    return values_.node(ValueKind::Pure, asked, index_.spell(name).index);
  }
  if (method && asks_for_form(name)) return {};
  if (method && ValueStore::looks_for_no_number(name)) return values_.node(ValueKind::Pure, {{values_.child(call.callee, 0)}}, index_.spell(name).index);
  return values_.batch(here().index);
}

}  // namespace ranklint
