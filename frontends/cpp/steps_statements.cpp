// Statements: blocks, branches, loops, jumps, declarations.
#include <clang/AST/StmtOpenMP.h>

#include <optional>

#include "frontends/cpp/steps.h"

namespace ranklint::cpp {

using machine::Scalar;
using machine::StepKind;

namespace {

void declare(StepScope& s, const clang::VarDecl& v) {
  if (v.isStaticLocal()) {
    global_index(s.unit, v);
    return;
  }
  if (!v.hasLocalStorage()) return;
  if (v.needsDestruction(s.unit.context) == clang::QualType::DK_cxx_destructor)
    return unsupported(s, "an object with a destructor");
  const uint32_t slot = s.variables.contains(&v) ? s.variables[&v] : add_variable(s, v.getType(), v.getNameAsString());
  s.variables[&v] = slot;
  if (const auto* array = s.unit.context.getAsVariableArrayType(v.getType())) {
    value(s, array->getSizeExpr());
    clang::QualType element = array->getElementType();
    while (const auto* inner = s.unit.context.getAsVariableArrayType(element)) {
      value(s, inner->getSizeExpr());
      emit(s, StepKind::Binary, 0, Scalar::I64, static_cast<uint8_t>(machine::Arithmetic::Multiply));
      element = inner->getElementType();
    }
    emit(s, StepKind::Int, size_of(s.unit, element));
    emit(s, StepKind::Binary, 0, Scalar::I64, static_cast<uint8_t>(machine::Arithmetic::Multiply));
    emit(s, StepKind::Extent, slot);
    return;
  }
  emit(s, StepKind::Fresh, slot);
  const clang::Expr* init = v.getInit();
  if (!init) return;
  emit(s, StepKind::Local, slot);
  if (v.getType()->isReferenceType()) {
    place_of_expression(s, init);
    emit(s, StepKind::Store, 0, Scalar::Pointer);
    emit(s, StepKind::Pop);
  } else {
    initialize(s, init, v.getType());
  }
}

void discard(StepScope& s, const clang::Expr* e) {
  value(s, e);
  emit(s, StepKind::Pop);
}

void lower_if(StepScope& s, const clang::IfStmt& statement) {
  if (statement.getInit()) lower_statement(s, statement.getInit());
  if (statement.getConditionVariableDeclStmt()) lower_statement(s, statement.getConditionVariableDeclStmt());
  value(s, statement.getCond());
  s.place = place_of(s.unit, statement.getCond()->getSourceRange());
  const uint32_t branch = emit(s, StepKind::Branch);
  lower_statement(s, statement.getThen());
  uint32_t target = next(s);
  if (statement.getElse()) {
    const uint32_t over = emit(s, StepKind::Jump);
    target = next(s);
    lower_statement(s, statement.getElse());
    aim(s, over);
  }
  // Whatever comes next is where both sides meet: there has to be a step.
  aim_branch(s, branch, target, next(s));
}

void open_loop(StepScope& s) {
  s.breaks.emplace_back();
  s.continues.emplace_back();
}

void aim_all(StepScope& s, std::vector<uint32_t>& jumps) {
  for (const uint32_t jump : jumps) aim(s, jump);
  jumps.clear();
}

void close_loop(StepScope& s) {
  aim_all(s, s.breaks.back());
  s.breaks.pop_back();
  s.continues.pop_back();
}

void lower_for(StepScope& s, const clang::ForStmt& loop) {
  if (loop.getInit()) lower_statement(s, loop.getInit());
  open_loop(s);
  const uint32_t head = next(s);
  uint32_t branch = 0;
  if (loop.getCond()) {
    value(s, loop.getCond());
    s.place = place_of(s.unit, loop.getCond()->getSourceRange());
    branch = emit(s, StepKind::Branch, 0, Scalar::None, 1);
  }
  lower_statement(s, loop.getBody());
  aim_all(s, s.continues.back());
  if (loop.getInc()) discard(s, loop.getInc());
  emit(s, StepKind::Jump, head);
  if (loop.getCond()) aim_branch(s, branch, next(s), next(s));
  close_loop(s);
}

void lower_while(StepScope& s, const clang::WhileStmt& loop) {
  open_loop(s);
  const uint32_t head = next(s);
  if (loop.getConditionVariableDeclStmt()) lower_statement(s, loop.getConditionVariableDeclStmt());
  value(s, loop.getCond());
  s.place = place_of(s.unit, loop.getCond()->getSourceRange());
  const uint32_t branch = emit(s, StepKind::Branch, 0, Scalar::None, 1);
  lower_statement(s, loop.getBody());
  aim_all(s, s.continues.back());
  emit(s, StepKind::Jump, head);
  aim_branch(s, branch, next(s), next(s));
  close_loop(s);
}

void lower_do(StepScope& s, const clang::DoStmt& loop) {
  open_loop(s);
  const uint32_t head = next(s);
  lower_statement(s, loop.getBody());
  aim_all(s, s.continues.back());
  value(s, loop.getCond());
  s.place = place_of(s.unit, loop.getCond()->getSourceRange());
  const uint32_t branch = emit(s, StepKind::Branch, 0, Scalar::None, 1);
  emit(s, StepKind::Jump, head);
  aim_branch(s, branch, next(s), next(s));
  close_loop(s);
}

// The subject is kept in a variable and compared with one label after the other.
void lower_switch(StepScope& s, const clang::SwitchStmt& statement) {
  if (statement.getInit()) lower_statement(s, statement.getInit());
  const clang::QualType type = statement.getCond()->getType();
  const uint32_t subject = add_variable(s, type, "");
  const Scalar scalar = scalar_of(s.unit.context, type);
  emit(s, StepKind::Local, subject);
  value(s, statement.getCond());
  emit(s, StepKind::Store, 0, scalar);
  emit(s, StepKind::Pop);
  std::vector<std::pair<uint32_t, const clang::SwitchCase*>> jumps;
  const clang::SwitchCase* otherwise = nullptr;
  for (const clang::SwitchCase* c = statement.getSwitchCaseList(); c; c = c->getNextSwitchCase()) {
    const auto* label = llvm::dyn_cast<clang::CaseStmt>(c);
    if (!label) {
      otherwise = c;
      continue;
    }
    emit(s, StepKind::Local, subject);
    emit(s, StepKind::Load, 0, scalar);
    value(s, label->getLHS());
    emit(s, StepKind::Binary, 0, scalar,
         static_cast<uint8_t>(label->getRHS() ? machine::Arithmetic::Less : machine::Arithmetic::NotEqual));
    if (const clang::Expr* last = label->getRHS()) {
      emit(s, StepKind::Local, subject);
      emit(s, StepKind::Load, 0, scalar);
      value(s, last);
      emit(s, StepKind::Binary, 0, scalar, static_cast<uint8_t>(machine::Arithmetic::Greater));
      emit(s, StepKind::Binary, 0, Scalar::I32, static_cast<uint8_t>(machine::Arithmetic::Or));
    }
    jumps.emplace_back(emit(s, StepKind::Branch), c);
  }
  s.breaks.emplace_back();
  const uint32_t over = emit(s, StepKind::Jump);
  lower_statement(s, statement.getBody());
  aim_all(s, s.breaks.back());
  s.breaks.pop_back();
  for (const auto& [jump, c] : jumps) aim_branch(s, jump, s.cases[c], 0);
  s.function.steps[over].number = otherwise ? s.cases[otherwise] : next(s);
}

void lower_return(StepScope& s, const clang::ReturnStmt& statement) {
  const clang::Expr* e = statement.getRetValue();
  if (!e || e->getType()->isVoidType()) {
    if (e) discard(s, e);
    emit(s, StepKind::ReturnNothing);
    return;
  }
  if (s.returns_reference)
    place_of_expression(s, e);
  else
    value(s, e);
  s.place = place_of(s.unit, statement.getSourceRange());
  const bool is_record = !s.returns_reference && e->getType()->isRecordType();
  emit(s, StepKind::Return, is_record ? size_of(s.unit, e->getType()) : 0, Scalar::None, is_record);
}

using machine::Region;

// Which threads run the block of a directive, from the outside in; empty: every thread that gets there.
std::vector<Region> regions_of(const clang::OMPExecutableDirective& directive) {
  switch (directive.getDirectiveKind()) {
    case llvm::omp::OMPD_master:
    case llvm::omp::OMPD_masked: return {Region::Master};
    case llvm::omp::OMPD_single: return {Region::Single};
    case llvm::omp::OMPD_critical:
    case llvm::omp::OMPD_ordered:
    case llvm::omp::OMPD_section: return {Region::Critical};
    case llvm::omp::OMPD_for:
    case llvm::omp::OMPD_for_simd:
    case llvm::omp::OMPD_loop:
    case llvm::omp::OMPD_taskloop: return {Region::Loop};
    case llvm::omp::OMPD_parallel:
    case llvm::omp::OMPD_parallel_sections: return {Region::Parallel};
    case llvm::omp::OMPD_parallel_for:
    case llvm::omp::OMPD_parallel_for_simd:
    case llvm::omp::OMPD_parallel_loop: return {Region::Parallel, Region::Loop};
    case llvm::omp::OMPD_parallel_master:
    case llvm::omp::OMPD_parallel_masked: return {Region::Parallel, Region::Master};
    default: return {};
  }
}

// The directive itself asks for one thread.
bool is_for_one(const clang::OMPExecutableDirective& directive, const clang::ASTContext& context) {
  const auto* clause = directive.getSingleClause<clang::OMPNumThreadsClause>();
  const auto number = clause ? clause->getNumThreads()->getIntegerConstantExpr(context) : std::nullopt;
  return number && *number == 1;
}

// The block is done once. What is private to a thread is not known to be: it is the variable itself.
void lower_directive(StepScope& s, const clang::OMPExecutableDirective& directive) {
  const clang::Stmt* body = directive.hasAssociatedStmt() ? directive.getRawStmt() : nullptr;
  if (!body) return;
  if (llvm::isa<clang::OMPTargetDirective>(directive)) return unsupported(s, "a block for another device");
  const std::vector<Region> regions =
      is_for_one(directive, s.unit.context) ? std::vector<Region>{} : regions_of(directive);
  for (const Region region : regions) emit(s, StepKind::Region, 0, Scalar::None, static_cast<uint8_t>(region));
  lower_statement(s, body);
  for (size_t i = 0; i < regions.size(); ++i) emit(s, StepKind::EndRegion);
}

void jump_out(StepScope& s, std::vector<std::vector<uint32_t>>& jumps) {
  if (jumps.empty()) return unsupported(s, "a jump out of nowhere");
  jumps.back().push_back(emit(s, StepKind::Jump));
}

}  // namespace

void lower_statement(StepScope& s, const clang::Stmt* statement) {
  if (!statement) return;
  if (const auto* e = llvm::dyn_cast<clang::Expr>(statement)) return discard(s, e);
  s.place = place_of(s.unit, clang::SourceRange(statement->getBeginLoc()));
  switch (statement->getStmtClass()) {
    case clang::Stmt::CompoundStmtClass:
      for (const clang::Stmt* part : llvm::cast<clang::CompoundStmt>(statement)->body()) lower_statement(s, part);
      return;
    case clang::Stmt::DeclStmtClass:
      for (const clang::Decl* decl : llvm::cast<clang::DeclStmt>(statement)->decls())
        if (const auto* v = llvm::dyn_cast<clang::VarDecl>(decl)) declare(s, *v);
      return;
    case clang::Stmt::IfStmtClass: return lower_if(s, *llvm::cast<clang::IfStmt>(statement));
    case clang::Stmt::ForStmtClass: return lower_for(s, *llvm::cast<clang::ForStmt>(statement));
    case clang::Stmt::WhileStmtClass: return lower_while(s, *llvm::cast<clang::WhileStmt>(statement));
    case clang::Stmt::DoStmtClass: return lower_do(s, *llvm::cast<clang::DoStmt>(statement));
    case clang::Stmt::SwitchStmtClass: return lower_switch(s, *llvm::cast<clang::SwitchStmt>(statement));
    case clang::Stmt::CaseStmtClass:
    case clang::Stmt::DefaultStmtClass:
      s.cases[llvm::cast<clang::SwitchCase>(statement)] = next(s);
      return lower_statement(s, llvm::cast<clang::SwitchCase>(statement)->getSubStmt());
    case clang::Stmt::ReturnStmtClass: return lower_return(s, *llvm::cast<clang::ReturnStmt>(statement));
    case clang::Stmt::BreakStmtClass: return jump_out(s, s.breaks);
    case clang::Stmt::ContinueStmtClass: return jump_out(s, s.continues);
    case clang::Stmt::LabelStmtClass: {
      const auto* label = llvm::cast<clang::LabelStmt>(statement);
      s.labels[label->getDecl()] = next(s);
      return lower_statement(s, label->getSubStmt());
    }
    case clang::Stmt::GotoStmtClass:
      s.gotos.emplace_back(emit(s, StepKind::Jump), llvm::cast<clang::GotoStmt>(statement)->getLabel());
      return;
    case clang::Stmt::AttributedStmtClass:
      return lower_statement(s, llvm::cast<clang::AttributedStmt>(statement)->getSubStmt());
    case clang::Stmt::NullStmtClass: return;
    default: break;
  }
  if (const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement))
    return lower_directive(s, *directive);
  unsupported(s, std::string("a statement of class ") + statement->getStmtClassName());
}

}  // namespace ranklint::cpp
