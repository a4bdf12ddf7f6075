// Objects that keep handles for their users:
//
//     class Ring:
//       def commit(self): self.requests = dist.batch_isend_irecv(self.operations)
//       def wait(self):
//         for request in self.requests: request.wait()
//
// A method starts something if it puts a handle into an attribute of its object, and waits if it looks at what lies
// there, by itself or in another method of the object. A function that makes such an object and does nothing with it
// but call its methods and read its attributes has to call one that waits, once it has called one that starts.
#include <algorithm>
#include <map>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/questions/callee.h"
#include "rules/collectives/unwaited-work.h"

namespace ranklint::unwaited_work {
namespace {

// What the methods of a class do with handles that its objects keep.
struct Keeper {
  std::map<FunctionKey, SourceRange> starts;  // where
  std::set<FunctionKey> waits;
};

class LooseObjects {
 public:
  explicit LooseObjects(const Query& query) : in_(query), index_(query.index()), uses_(query) {}

  std::vector<LooseObject> run() {
    in_.for_each_function_to_check("objects that keep handles", [&](FunctionKey f) {
      const Summary* s = in_.summary(f);
      if (s && (s->communicates || s->transfers) && index_.function(f).kind != ir::FunctionKind::Module)
        check(FunctionCode(index_, *s));
    });
    return std::move(found_);
  }

 private:
  void check(const FunctionCode& code) {
    for (const ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        const std::string_view name = code.name(i.target);
        if (i.kind != ir::InstructionKind::Call || name.empty() || SymbolTable::is_unnamed(name)) continue;
        const Entity made = index_.resolve(code.module, code.ir, i.value);
        if (made.kind != Entity::Kind::Class) continue;
        const Keeper& keeper = keeper_of(made.klass);
        if (!keeper.starts.empty() && !keeper.waits.empty())
          check_object(code, made.klass, keeper, code.ir.exprs[i.target].symbol);
      }
  }

  void check_object(const FunctionCode& code, ClassKey c, const Keeper& keeper, Symbol object) {
    if (code.parameter(object) >= 0 || uses_.is_captured(code.key, std::string(code.text.text(object)))) return;
    const ir::Instruction* start = nullptr;
    FunctionKey started;
    for (const ir::BlockId b : code.graph().order()) {
      const ir::Block& block = code.ir.blocks[b];
      for (const ir::Instruction& i : block.instructions) {
        if (is_handed_on(code, i, object)) return;
        const FunctionKey method = method_called(code, c, i, object);
        if (!method.valid()) continue;
        if (keeper.waits.contains(method)) return;
        if (start || !keeper.starts.contains(method)) continue;
        start = &i;
        started = method;
      }
      if (mentions_whole(code, block.terminator.value, object)) return;
    }
    if (start)
      found_.push_back({code.key, start->range, std::string(code.text.text(object)),
                        std::string(code.text.text(code.ir.exprs[start->value].symbol)), started,
                        keeper.starts.at(started)});
  }

  // Whether the object itself goes somewhere, or does something of which nothing is known.
  bool is_handed_on(const FunctionCode& code, const ir::Instruction& i, Symbol object) const {
    const auto arguments = ir::arguments(code.ir, i);
    if (i.kind == ir::InstructionKind::Call &&
        std::ranges::any_of(arguments, [&](const ir::Argument& a) { return mentions_whole(code, a.value, object); }))
      return true;
    return mentions_whole(code, i.value, object) || (code.mentions(i.target, object) && !code.defines(i, object));
  }

  // Whether the expression has to do with more of the object than one of its attributes.
  static bool mentions_whole(const FunctionCode& code, ir::ExprId e, Symbol object) {
    if (!e.valid()) return false;
    const ir::Expr& expr = code.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Name) return expr.symbol == object;
    const auto parts = ir::children(code.ir, e);
    if (expr.kind == ir::ExprKind::Attribute && code.ir.exprs[parts[0]].kind == ir::ExprKind::Name) return false;
    return std::ranges::any_of(parts, [&](ir::ExprId part) { return mentions_whole(code, part, object); });
  }

  // `object.method(...)`. Invalid: it is no such call.
  FunctionKey method_called(const FunctionCode& code, ClassKey c, const ir::Instruction& i, Symbol object) const {
    if (i.kind != ir::InstructionKind::Call) return {};
    const ir::Expr& callee = code.ir.exprs[i.value];
    if (callee.kind != ir::ExprKind::Attribute) return {};
    const ir::Expr& base = code.ir.exprs[ir::children(code.ir, i.value)[0]];
    if (base.kind != ir::ExprKind::Name || base.symbol != object) return {};
    return index_.find_method(c, index_.name(code.module, callee.symbol));
  }

  const Keeper& keeper_of(ClassKey c) {
    const auto [known, is_new] = keepers_.try_emplace(c);
    if (!is_new || !index_.classes()[c].bases.empty() || !index_.classes()[c].subclasses.empty()) return known->second;
    Keeper& keeper = known->second;
    std::set<std::string> kept_in;
    for (const auto& [name, method] : index_.classes()[c].methods) note_starts(method, keeper, kept_in);
    for (const auto& [name, method] : index_.classes()[c].methods)
      for (const std::string& attribute : kept_in)
        if (uses_.may_wait_in(method, attribute)) keeper.waits.insert(method);
    while (spread(c, keeper)) continue;
    return keeper;
  }

  void note_starts(FunctionKey method, Keeper& keeper, std::set<std::string>& kept_in) const {
    const Summary* s = in_.summary(method);
    if (!s) return;
    const FunctionCode code(index_, *s);
    for (const ir::BlockId b : code.graph().order())
      for (const ir::Instruction& i : code.ir.blocks[b].instructions) {
        if (i.kind != ir::InstructionKind::Call || !i.target.valid()) continue;
        const ir::Expr& target = code.ir.exprs[i.target];
        if (target.kind != ir::ExprKind::Attribute || !plays(in_, code, i, Role::GivesHandle)) continue;
        kept_in.insert(std::string(code.text.text(target.symbol)));
        keeper.starts.emplace(method, i.range);
      }
  }

  // Makes methods wait that call one that does. False: there was none more.
  bool spread(ClassKey c, Keeper& keeper) const {
    bool more = false;
    for (const auto& [name, method] : index_.classes()[c].methods) {
      const Summary* s = keeper.waits.contains(method) ? nullptr : in_.summary(method);
      if (!s) continue;
      const FunctionCode code(index_, *s);
      const bool calls = ir::any_instruction(code.ir, [&](const ir::Instruction& i) {
        return i.kind == ir::InstructionKind::Call && keeper.waits.contains(function_named(index_, code, i.value));
      });
      if (calls) more = keeper.waits.insert(method).second;
    }
    return more;
  }

  const Query& in_;
  const ProjectIndex& index_;
  HandleUses uses_;
  std::map<ClassKey, Keeper> keepers_;
  std::vector<LooseObject> found_;
};

}  // namespace

std::vector<LooseObject> loose_objects(const Query& in) { return LooseObjects(in).run(); }

}  // namespace ranklint::unwaited_work
