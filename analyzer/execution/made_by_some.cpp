#include "analyzer/execution/made_by_some.h"

#include <algorithm>

#include "analyzer/questions/rank_guard.h"
#include "analyzer/variance/leads_to.h"

namespace ranklint {

namespace {

bool is_under_guard(const Query& query, const Summary& summary, ir::BlockId block) {
  return diverging_guard_of(query.values(), summary, block).valid();
}

// Whether the function calls the maker, and only where ranks have diverged.
bool calls_under_guards(const Query& query, const Summary& summary, FunctionKey maker) {
  const ProjectIndex& index = query.index();
  const ir::Function& f = index.function(summary.function);
  const ModuleKey module = index.functions()[summary.function].module;
  const auto makes = [&](const ir::Instruction& i) {
    return i.kind == ir::InstructionKind::Call && index.resolve(module, f, i.value).function == maker;
  };
  bool calls = false;
  for (const ir::BlockId b : summary.graph().order()) {
    if (std::ranges::none_of(f.blocks[b].instructions, makes)) continue;
    if (!is_under_guard(query, summary, b)) return false;
    calls = true;
  }
  return calls;
}

// Whether it is an attribute that is assigned only below guards on which ranks diverge.
bool is_kept_by_some(const Query& query, ValueId v) {
  const ValueStore& values = query.values();
  const ProjectIndex& index = query.index();
  if (values[v].kind != ValueKind::Attribute) return false;
  const Symbol name{values[v].a};
  const ClassKey c = values.class_of(values.child(v, 0));
  bool is_kept = false;
  for (const ClassKey k : c.valid() ? index.linearization(c) : std::vector<ClassKey>()) {
    const auto sites = index.classes()[k].attributes.find(name);
    if (sites == index.classes()[k].attributes.end()) continue;
    for (const AttributeSite& site : sites->second) {
      const Summary* setter = query.summary(site.function);
      if (!setter) return false;
      const ValueId given = setter->given_to(name, site);
      if (given.valid() && values[given].kind == ValueKind::None) continue;
      if (!is_under_guard(query, *setter, site.block)) return false;
      is_kept = true;
    }
  }
  return is_kept;
}

bool is_of_one(const Query& query, ValueId group) {
  const auto axes = query.resolve_group(group, Unknown::FreshAxis);
  return axes && axes->empty();
}

}  // namespace

bool is_made_by_some(const Query& query, const Summary& summary, ValueId group) {
  const ValueStore& values = query.values();
  return group.valid() && leads_to(group, [&](ValueId part, std::vector<ValueId>& next) {
           if (is_kept_by_some(query, part)) return true;
           while (values[part].kind == ValueKind::Subscript || values[part].kind == ValueKind::Attribute)
             part = values.child(part, 0);
           // Set under the guard, and unchanged on the other side.
           if (values[part].kind == ValueKind::Conditional) add_parts(next, values.children(part).subspan(1));
           // Begun with the communicator of one process, and grown.
           const bool grows = values[part].kind == ValueKind::LoopPhi && values[part].child_count &&
                              is_of_one(query, values.child(part, 0));
           const Site* made = query.made_at(part);
           if (!made || (values[part].kind != ValueKind::Opaque && !grows)) return false;
           if (made->function != summary.function) return calls_under_guards(query, summary, made->function);
           return is_under_guard(query, summary, made->block);
         });
}

}  // namespace ranklint
