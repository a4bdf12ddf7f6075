// The values that the names of a module have when its code calls one of the module's own functions:
//
//     rank = int(os.environ["RANK"])
//     def main(): ...                    # reads `rank`
//     main()                             # the module is not at its end
#include <set>

#include "analyzer/base/work_limit.h"
#include "analyzer/interp/function_run.h"

namespace ranklint {

ValueId FunctionRun::given_by_now(Symbol name) const {
  const ValueId value = now_ ? now_->get(Environment::key(name)) : ValueId{};
  if (!value.valid()) return {};
  std::set<Symbol> left;
  for (const ir::BlockId block : out_.graph().order()) {
    if (done_[block.index]) continue;
    const auto& instructions = f_.blocks[block].instructions;
    charge_work(instructions.size());
    for (size_t i = block == block_ ? instruction_ : 0; i < instructions.size(); ++i)
      add_names_of(index_, key_, instructions[i].target, left);
    add_names_of(index_, key_, f_.blocks[block].terminator.target, left);
  }
  return left.contains(name) ? ValueId{} : value;
}

}  // namespace ranklint
