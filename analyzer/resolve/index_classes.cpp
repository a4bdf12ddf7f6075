// The classes of a project: what they derive from, which methods and attributes they have.
#include <algorithm>
#include <set>

#include "analyzer/base/work_limit.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/resolve/index.h"

namespace ranklint {
namespace {

constexpr size_t kMostSubclasses = 512;

}  // namespace

// A C++ class is known in every file that defines methods of it: all of them are methods of the first.
void ProjectIndex::join_classes() {
  for (uint32_t c = 0; c < tables_->classes.size(); ++c) {
    const ClassInfo& info = tables_->classes[ClassKey{c}];
    if (!tables_->modules[info.module].has(ir::Convention::OneNamespace)) continue;
    const auto found = tables_->shared.find(name(info.module, klass(ClassKey{c}).qualified_name).index);
    if (found == tables_->shared.end()) continue;
    const Entity& shared = found->second.front();
    if (shared.kind != Entity::Kind::Class || shared.klass == ClassKey{c}) continue;
    ClassInfo& first = tables_->classes[shared.klass];
    for (const auto& [method, function] : info.methods) {
      tables_->functions[function].owner = shared.klass;
      if (!this->function(function).blocks.empty()) first.methods[method] = function;
    }
  }
}

void ProjectIndex::link_bases(uint32_t first_class) {
  const bool of_overlay = first_class != 0;
  // A base may be named through a class (`Outer.Inner`); until all are known each inherits from itself alone.
  for (uint32_t c = first_class; c < tables_->classes.size(); ++c) tables_->linearizations.push_back({ClassKey{c}});
  for (uint32_t c = first_class; c < tables_->classes.size(); ++c) {
    ClassInfo& info = tables_->classes[ClassKey{c}];
    const ir::Class& ir = klass(ClassKey{c});
    const ir::Function& scope = tables_->modules[info.module].functions[ir.scope];
    for (ir::ExprId base : ir.bases) {
      Entity entity = resolve(info.module, scope, base);
      if (entity.kind == Entity::Kind::Class && entity.klass != ClassKey{c}) {
        info.bases.push_back(entity.klass);
        if (!of_overlay || entity.klass.index >= first_class)
          tables_->classes[entity.klass].subclasses.push_back(ClassKey{c});
      } else if (entity.kind == Entity::Kind::External) {
        info.external_bases.push_back(entity.name);
      } else if (std::string text = dotted(info.module, scope, base); !text.empty()) {
        info.external_bases.push_back(names_.intern(text));
      }
    }
  }
}

void ProjectIndex::index_attributes(uint32_t first_function) {
  for (uint32_t f = first_function; f < tables_->functions.size(); ++f) {
    const FunctionKey key{f};
    const FunctionInfo& info = tables_->functions[key];
    const ir::Function& function = this->function(key);
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      const ir::Block& block = function.blocks[ir::BlockId{b}];
      for (uint32_t i = 0; i < block.instructions.size(); ++i) {
        std::vector<ir::ExprId> targets{block.instructions[i].target};
        while (!targets.empty()) {
          const ir::ExprId target = targets.back();
          targets.pop_back();
          if (!target.valid()) continue;
          const ir::Expr& e = function.exprs[target];
          if (e.kind == ir::ExprKind::Tuple || e.kind == ir::ExprKind::List)
            for (ir::ExprId part : ir::children(function, target)) targets.push_back(part);
          if (e.kind != ir::ExprKind::Attribute) continue;
          const ir::Expr& base = function.exprs[ir::children(function, target)[0]];
          if (base.kind != ir::ExprKind::Name) continue;
          if (const ClassKey c = class_of_self(key, base.symbol); c.valid())
            tables_->classes[c].attributes[name(info.module, e.symbol)].push_back({key, ir::BlockId{b}, i});
        }
      }
    }
  }
}

ClassKey ProjectIndex::class_of_self(FunctionKey f, Symbol name) const {
  for (; f.valid(); f = tables_->functions[f].parent) {
    const CompactVector<ir::Parameter>& parameters = function(f).parameters;
    if (tables_->functions[f].owner.valid() && !parameters.empty() && parameters[0].name == name)
      return tables_->functions[f].owner;
    for (const ir::Parameter& p : parameters)
      if (p.name == name) return {};
  }
  return {};
}

void ProjectIndex::linearize(uint32_t first_class) {
  for (uint32_t c = first_class; c < tables_->classes.size(); ++c) {
    std::vector<ClassKey>& order = tables_->linearizations[c];
    order.clear();
    std::vector<ClassKey> stack{ClassKey{c}};
    std::set<ClassKey> seen;
    while (!stack.empty() && order.size() < kMostBases) {
      const ClassKey next = stack.back();
      stack.pop_back();
      if (!seen.insert(next).second) continue;
      order.push_back(next);
      const auto& bases = tables_->classes[next].bases;
      stack.insert(stack.end(), bases.rbegin(), bases.rend());
    }
  }
}

FunctionKey ProjectIndex::find_method(ClassKey c, Symbol name) const {
  for (ClassKey base : linearization(c)) {
    charge_work();
    const auto& methods = tables_->classes[base].methods;
    if (auto found = methods.find(name); found != methods.end()) return found->second;
  }
  return {};
}

std::vector<FunctionKey> ProjectIndex::find_methods(ClassKey c, Symbol name) const {
  std::vector<FunctionKey> found;
  if (FunctionKey own = find_method(c, name); own.valid()) found.push_back(own);
  for (const ClassKey k : with_derived(c)) {
    const auto& methods = tables_->classes[k].methods;
    if (auto method = methods.find(name); k != c && method != methods.end()) found.push_back(method->second);
  }
  return found;
}

// Classes that derive from each other do not run, and are in a text all the same.
std::vector<ClassKey> ProjectIndex::with_derived(ClassKey c) const {
  std::vector<ClassKey> found, work{c};
  std::set<ClassKey> seen;
  while (!work.empty() && found.size() < kMostSubclasses) {
    const ClassKey next = work.back();
    work.pop_back();
    if (!seen.insert(next).second) continue;
    found.push_back(next);
    work.insert(work.end(), tables_->classes[next].subclasses.rbegin(), tables_->classes[next].subclasses.rend());
  }
  return found;
}

bool ProjectIndex::derives_from(ClassKey c, ClassKey base) const {
  return std::ranges::find(linearization(c), base) != linearization(c).end();
}

bool ProjectIndex::derives_from_external(ClassKey c, std::string_view last_name) const {
  for (ClassKey base : linearization(c))
    for (Symbol external : tables_->classes[base].external_bases)
      if (last_part(names_.text(external)) == last_name) return true;
  return false;
}

const std::vector<FunctionKey>& ProjectIndex::methods_named(Symbol name) const {
  static const std::vector<FunctionKey> kNone;
  auto found = tables_->methods_by_name.find(name.index);
  return found == tables_->methods_by_name.end() ? kNone : found->second;
}

}  // namespace ranklint
