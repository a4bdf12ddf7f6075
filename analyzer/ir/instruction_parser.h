// Reads one instruction or terminator of the text form.
#pragma once

#include <optional>
#include <unordered_map>

#include "analyzer/ir/expr_parser.h"

namespace ranklint::ir {

// The blocks of a function by their labels.
using Labels = std::unordered_map<std::string_view, BlockId>;

class InstructionParser {
 public:
  // All arguments must outlive the parser.
  InstructionParser(Scanner& scanner, FunctionBuilder& builder, const ReferenceTable& references, ErrorSlot& errors,
                    const Labels& labels)
      : scanner_(scanner),
        builder_(builder),
        errors_(errors),
        labels_(labels),
        exprs_(scanner, builder, references, errors) {}

  // The terminator that the line begins; none if it holds an instruction, or on an error.
  std::optional<Terminator> terminator();
  std::optional<Instruction> instruction();
  BlockId label();      // `^name`
  SourceRange range();  // optional, at the end of the line
  bool expect_end();

 private:
  void choice(Terminator& out);
  std::optional<Instruction> statement();
  Instruction import();
  Instruction from_import();
  Instruction operation(ExprId target);
  void call(Instruction& out);
  bool at_operation();
  ExprId optional_value();
  bool at_value_end() { return scanner_.at_end() || scanner_.at_range(); }
  bool failed() const { return errors_.failed(); }

  Scanner& scanner_;
  FunctionBuilder& builder_;
  ErrorSlot& errors_;
  const Labels& labels_;
  ExprParser exprs_;
};

}  // namespace ranklint::ir
