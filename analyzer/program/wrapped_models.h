// Wrapped models in the text of one function: which of its variables hold one, what it gives back, what it keeps in
// attributes.
//
//     def build(net, args):
//         if args.distributed:
//             net = DDP(net)          # from here on `net` is wrapped, where `distributed` is asked for
//         return net                  # and so is what `model = build(net, args)` gives
//
// What is read is the text alone: a name was given a wrapper above the line, in the same function, and nothing else
// since.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/flow/graph.h"
#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

struct WrappedModel {
  Symbol wrapper;                    // a name of the project's table; invalid: something else
  std::vector<std::string> options;  // names that the branches above the wrapping mention
};

// What functions give back that is a wrapped model: all of it, or one element of a tuple.
inline constexpr uint32_t kAllOfIt = UINT32_MAX;
struct GivenBack {
  std::map<std::pair<FunctionKey, uint32_t>, WrappedModel> models;
  std::set<std::string, std::less<>> names;  // of these functions: asked before a call is resolved
};

class WrappedModels {
 public:
  WrappedModels(const ProjectIndex& index, const Models& models, const GivenBack& given_back, FunctionKey f);

  bool empty() const { return wrapped_.empty(); }
  // Variables that a wrapped model is given somewhere; the language's own name for them.
  const std::vector<Symbol>& names() const { return wrapped_; }
  // What the name holds where the line begins; null: nothing was given to it above.
  const WrappedModel* above(Symbol name, uint32_t line) const;
  // Each element of what the function gives back that is wrapped.
  std::vector<std::pair<uint32_t, WrappedModel>> given_back() const;
  // Each attribute of the method's object that is given a wrapped model, or, with `parameter`, what that parameter
  // holds.
  std::vector<std::pair<Symbol, WrappedModel>> kept() const;
  std::vector<Symbol> kept_from(uint32_t parameter) const;

 private:
  struct Giving {
    uint32_t line = 0;
    WrappedModel model;
  };

  const Model* wrapper_of(const ir::Instruction& call) const;
  WrappedModel made_by(ir::BlockId block, const ir::Instruction& call, uint32_t element) const;
  void read();
  void read_call(ir::BlockId block, const ir::Instruction& call);
  void give(ir::ExprId target, uint32_t line, WrappedModel model);
  void forget(ir::ExprId target, uint32_t line);
  bool wraps_on_both_sides(const FlowGraph& graph, ir::BlockId branch) const;
  std::vector<std::string> options_above(ir::BlockId block) const;
  bool is_name(ir::ExprId e) const { return e.valid() && f_.exprs[e].kind == ir::ExprKind::Name; }
  bool is_temporary(Symbol name) const { return SymbolTable::is_unnamed(ir_.text(name)); }
  template <typename Seen>
  void each_attribute_given(Seen seen) const;

  const ProjectIndex& index_;
  const Models& models_;
  const GivenBack& given_back_;
  const ModuleKey module_;
  const ir::Module& ir_;
  const FunctionKey key_;
  const ir::Function& f_;
  std::map<Symbol, std::vector<Giving>> given_;  // by names of the function's module
  std::vector<Symbol> wrapped_;
};

// The attribute of the method's object that the expression is, `self.model`, by its name in the project's table.
// Invalid: none.
Symbol own_attribute(const ProjectIndex& index, FunctionKey method, ir::ExprId e);

// The names that an expression asks for: `args.fsdp` by its last part.
void mention_names(const ir::Function& f, const ir::Module& module, ir::ExprId e, std::vector<std::string>& names);

}  // namespace ranklint
