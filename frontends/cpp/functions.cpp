// A function: its parameters, a block for each block of the CFG, and what it gives back.
#include <clang/AST/DeclTemplate.h>

#include "frontends/cpp/lowering.h"
#include "frontends/cpp/names.h"

namespace ranklint::cpp {

namespace {

constexpr uint32_t kDeepestLambda = 20;

// What a smart pointer points to; null: it is none.
const clang::CXXRecordDecl* pointee_of(const clang::ClassTemplateSpecializationDecl& type) {
  const llvm::StringRef name = type.getName();
  if (name != "unique_ptr" && name != "shared_ptr" && name != "intrusive_ptr") return nullptr;
  const clang::TemplateArgumentList& arguments = type.getTemplateArgs();
  if (!arguments.size() || arguments[0].getKind() != clang::TemplateArgument::Type) return nullptr;
  return arguments[0].getAsType()->getAsCXXRecordDecl();
}

// The class that a parameter is an object of or points to, as the annotation of the parameter.
ir::ExprId annotation(FunctionScope& s, clang::QualType type) {
  clang::QualType t = type.getNonReferenceType();
  if (t->isPointerType()) t = t->getPointeeType();
  const clang::CXXRecordDecl* record = t->getAsCXXRecordDecl();
  if (const auto* pointer = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
      pointer && is_external(*record))
    record = pointee_of(*pointer);
  if (record && !is_external(*record) && !record->isLambda()) return s.ir.name(entity_name(*record));
  if (const auto* c = t->getAs<clang::RecordType>(); c && !is_external(*c->getDecl()))
    return s.ir.name(entity_name(*c->getDecl()));
  return {};
}

void add_parameters(FunctionScope& s) {
  ir::Function& f = s.ir.function();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&s.decl);
  if (method && method->isInstance() && !method->getParent()->isLambda()) {
    s.taken.insert("self");
    f.parameters.push_back({.name = s.ir.symbol("self")});
  }
  for (const clang::ParmVarDecl* p : s.decl.parameters()) {
    const std::string name = unused_name(s, p->getNameAsString());
    s.names[p] = name;
    const ir::ExprId type = annotation(s, p->getType());
    s.ir.function().parameters.push_back({.name = s.ir.symbol(name), .annotation = type});
  }
  s.returns_tuple = has_out_parameters(s.decl) && !s.decl.isMain();
}

std::unique_ptr<clang::CFG> flow_of(FunctionScope& s) {
  clang::CFG::BuildOptions options;
  options.AddImplicitDtors = true;
  options.AddInitializers = true;
  options.AddCXXDefaultInitExprInCtors = false;
  options.PruneTriviallyFalseEdges = true;
  for (const auto kind : {clang::Stmt::BinaryOperatorClass, clang::Stmt::CompoundAssignOperatorClass,
                          clang::Stmt::UnaryOperatorClass, clang::Stmt::LambdaExprClass, clang::Stmt::CXXNewExprClass})
    options.setAlwaysAdd(kind);
  return clang::CFG::buildCFG(&s.decl, s.decl.getBody(), &s.unit.context, options);
}

// Blocks that control can reach, or that begin a handler: what follows a return is left out.
bool is_wanted(const clang::CFG& flow, const clang::CFGBlock& block) {
  if (&block == &flow.getEntry() || llvm::isa_and_nonnull<clang::CXXCatchStmt>(block.getLabel())) return true;
  for (const clang::CFGBlock::AdjacentBlock& p : block.preds())
    if (p.isReachable()) return true;
  return false;
}

const char* label_of(const clang::CFG& flow, const clang::CFGBlock& block) {
  if (&block == &flow.getExit()) return "exit";
  if (llvm::isa_and_nonnull<clang::SwitchCase>(block.getLabel())) return "case";
  if (llvm::isa_and_nonnull<clang::CXXCatchStmt>(block.getLabel())) return "catch";
  if (const clang::Stmt* end = block.getTerminatorStmt();
      end && llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(end))
    return "loop";
  return "block";
}

const clang::Stmt* first_statement(const clang::CFGBlock& block) {
  for (const clang::CFGElement& element : block)
    if (const auto statement = element.getAs<clang::CFGStmt>()) return statement->getStmt();
  return block.getTerminatorStmt();
}

// A counting `while` makes its range before the block where it turns, to which the body comes back.
void begin_while(FunctionScope& s, const clang::CFGBlock& block) {
  const auto* loop = llvm::dyn_cast_or_null<clang::WhileStmt>(block.getTerminatorStmt());
  if (!loop || !s.counted.contains(loop)) return;
  begin_counted(s, *loop, *loop->getCond());
  s.ir.jump(s.heads[loop]);
  s.ir.set_block(s.heads[loop]);
}

using Handlers = std::map<const clang::CXXTryStmt*, ir::BlockId>;

// Where what a statement throws goes; invalid: out of the function.
ir::BlockId handler_of(const FunctionScope& s, const Handlers& handlers, const clang::Stmt& statement) {
  const auto t = s.tries.find(&statement);
  const auto handler = t != s.tries.end() ? handlers.find(t->second) : handlers.end();
  return handler != handlers.end() ? handler->second : ir::BlockId{};
}

const clang::Stmt* statement_of(const clang::CFGElement& element) {
  if (const auto statement = element.getAs<clang::CFGStmt>()) return statement->getStmt();
  if (const auto end = element.getAs<clang::CFGAutomaticObjDtor>()) return end->getTriggerStmt();
  return nullptr;
}

// Clang's blocks do not end where a `try` begins or ends: those of the IR, which have one handler each, do.
void enter_try(FunctionScope& s, ir::BlockId handler) {
  if (s.ir.terminated() || s.ir.function().blocks[s.ir.block()].handler == handler) return;
  if (!s.ir.function().blocks[s.ir.block()].instructions.empty()) {
    const ir::BlockId inside = s.ir.add_block("block");
    s.ir.jump(inside);
    s.ir.set_block(inside);
  }
  s.ir.function().blocks[s.ir.block()].handler = handler;
}

void lower_blocks(FunctionScope& s, const clang::CFG& flow) {
  s.blocks.assign(flow.getNumBlockIDs(), ir::BlockId{});
  s.blocks[flow.getEntry().getBlockID()] = s.ir.block();
  std::vector<const clang::CFGBlock*> order;
  for (auto it = flow.rbegin(); it != flow.rend(); ++it) order.push_back(*it);
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->getBlockID() > b->getBlockID(); });
  for (const clang::CFGBlock* block : order)
    if (block != &flow.getEntry() && is_wanted(flow, *block))
      s.blocks[block->getBlockID()] = s.ir.add_block(label_of(flow, *block));
  for (const clang::CFGBlock* block : order)
    if (const auto* loop = llvm::dyn_cast_or_null<clang::WhileStmt>(block->getTerminatorStmt());
        loop && s.counted.contains(loop))
      s.heads[loop] = s.ir.add_block("turn");
  // A block inside of a `try` goes to the first block of its handlers when something in it throws.
  Handlers handlers;
  for (const clang::CFGBlock* block : order)
    if (const auto* t = llvm::dyn_cast_or_null<clang::CXXTryStmt>(block->getTerminatorStmt()))
      if (block->succ_size() && block->succ_begin()->getReachableBlock()) {
        if (!s.blocks[block->getBlockID()].valid()) s.blocks[block->getBlockID()] = s.ir.add_block("dispatch");
        handlers[t] = s.blocks[block->getBlockID()];
      }
  for (const clang::CFGBlock* block : order) {
    const ir::BlockId id = s.blocks[block->getBlockID()];
    if (!id.valid()) continue;
    s.ir.set_block(id);
    if (const clang::Stmt* first = first_statement(*block); first && !llvm::isa<clang::CXXTryStmt>(first))
      s.ir.function().blocks[id].handler = handler_of(s, handlers, *first);
    begin_while(s, *block);
    for (const clang::CFGElement& element : *block) {
      if (const clang::Stmt* at = statement_of(element)) enter_try(s, handler_of(s, handlers, *at));
      lower_element(s, element);
    }
    if (!s.ir.terminated()) lower_end(s, *block);
  }
}

}  // namespace

ir::FunctionId lower_function(Unit& unit, FileModule& file, const clang::FunctionDecl& decl, FunctionScope* outer) {
  std::string name = outer ? outer->qualified_name + ".<lambda>" : function_name(decl);
  if (!outer && !file.functions.insert(name).second) return {};
  if (unit.depth > kDeepestLambda) return {};
  ++unit.depth;
  const ir::FunctionId id =
      ir::add_function(file.module, name, outer ? ir::FunctionKind::Lambda : ir::FunctionKind::Function);
  FunctionScope s{.unit = unit,
                  .file = file,
                  .ir = ir::FunctionBuilder(file.module, id),
                  .decl = decl,
                  .outer = outer,
                  .qualified_name = name};
  {
    ir::Function& f = s.ir.function();
    f.name = s.ir.symbol(outer ? "<lambda>" : decl.getNameAsString());
    f.range = s.range(decl.getSourceRange());
    f.name_range = s.range(decl.getNameInfo().getSourceRange());
    if (outer) f.parent = outer->ir.id();
  }
  if (outer) {
    s.names = outer->names;
    s.taken = outer->taken;
    s.aliases = outer->aliases;
  } else if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&decl)) {
    const ir::ClassId owner = class_of(unit, file, *method->getParent());
    if (method->isInstance()) {
      s.ir.function().owner = owner;
      file.module.classes[owner].methods.push_back(id);
      if (llvm::isa<clang::CXXConstructorDecl>(method)) s.ir.function().name = s.ir.symbol("__init__");
    }
  }
  add_parameters(s);
  find_loops(s, decl.getBody());
  if (decl.isPureVirtual() && !decl.hasBody())
    s.ir.raise({}, {});  // overriders have the bodies
  else if (const auto flow = flow_of(s))
    lower_blocks(s, *flow);
  else
    s.ir.return_({}, {});
  if (!outer)
    file.top->assign(file.top->name(name), file.top->function_ref(id), s.range(decl.getNameInfo().getSourceRange()));
  --unit.depth;
  return id;
}

}  // namespace ranklint::cpp
