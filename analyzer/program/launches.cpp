#include "analyzer/program/launches.h"

#include <algorithm>
#include <set>

#include "analyzer/base/whole_number.h"
#include "analyzer/ir/any_instruction.h"
#include "analyzer/program/given_for.h"
#include "analyzer/program/program.h"
#include "analyzer/program/run_programs.h"
#include "analyzer/program/test_files.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

using ir::ExprKind;

// A function's text, for questions about the calls in it.
class CallingText {
 public:
  CallingText(const Program& program, FunctionKey f)
      : program_(program),
        index_(program.index()),
        key_(f),
        module_(index_.functions()[f].module),
        words_(index_.modules()[module_]),
        f_(index_.function(f)) {}

  const RoleEntry* role(const ir::Instruction& call, Role role) const {
    return role_of(program_.models().roles(), index_, module_, f_, call.value, role);
  }
  ir::ExprId given(const ir::Instruction& call, const ArgumentSpec& argument) const {
    return given_for(f_, words_, call, argument.position, argument.keyword);
  }
  bool is_name(ir::ExprId e) const { return e.valid() && f_.exprs[e].kind == ExprKind::Name; }

  // What gives the variable its value, where one instruction alone does. Null: several, a loop, or none.
  const ir::Instruction* only_definition(Symbol variable) const {
    const ir::Instruction* found = nullptr;
    for (const ir::Block& block : f_.blocks) {
      if (names(block.terminator.target, variable)) return nullptr;
      for (const ir::Instruction& i : block.instructions) {
        if (!names(i.target, variable)) continue;
        if (found || !is_name(i.target)) return nullptr;
        found = &i;
      }
    }
    return found;
  }
  bool is_given_a_value(Symbol variable) const {
    return std::ranges::any_of(f_.blocks, [&](const ir::Block& block) {
      return names(block.terminator.target, variable) ||
             std::ranges::any_of(block.instructions,
                                 [&](const ir::Instruction& i) { return names(i.target, variable); });
    });
  }

  // A number that is written there, also by way of a variable that holds no other.
  std::optional<int64_t> number(ir::ExprId e) const {
    if (!e.valid()) return std::nullopt;
    if (f_.exprs[e].kind == ExprKind::Integer) return whole_number(words_.text(f_.exprs[e].symbol));
    if (!is_name(e) || is_parameter(f_.exprs[e].symbol)) return std::nullopt;
    const Symbol name = f_.exprs[e].symbol;
    if (const ir::Instruction* given = only_definition(name))
      return given->kind == ir::InstructionKind::Assign && given->value != e ? number(given->value) : std::nullopt;
    if (is_given_a_value(name)) return std::nullopt;
    const ir::ExprId of_file = program_.assigned_once(module_, index_.name(module_, name));
    const ir::Function& top = words_.functions[ir::FunctionId{0}];
    return of_file.valid() && top.exprs[of_file].kind == ExprKind::Integer
               ? whole_number(words_.text(top.exprs[of_file].symbol))
               : std::nullopt;
  }

  // How many processes a call says that there are, itself or by options that it is given. None: it does not say.
  std::optional<int64_t> processes(const ir::Instruction& call) const {
    if (const RoleEntry* counts = role(call, Role::CountsProcesses)) return counted(call, *counts);
    for (const ir::Argument& a : ir::arguments(f_, call)) {
      const ir::Instruction* made = is_name(a.value) ? only_definition(f_.exprs[a.value].symbol) : nullptr;
      if (!made || made->kind != ir::InstructionKind::Call) continue;
      if (const RoleEntry* counts = role(*made, Role::CountsProcesses)) return counted(*made, *counts);
    }
    return std::nullopt;
  }

  // The parameters of the function that it runs which hold the number of the process among those that are started.
  std::vector<uint32_t> numbered_parameters(const ir::Instruction& call) const {
    if (role(call, Role::NumbersProcesses)) return {0};
    const RoleEntry* hands = role(call, Role::HandsArguments);
    const ir::ExprId handed = hands ? given(call, hands->argument) : ir::ExprId{};
    if (!handed.valid() || (f_.exprs[handed].kind != ExprKind::Tuple && f_.exprs[handed].kind != ExprKind::List))
      return {};
    std::vector<uint32_t> found;
    const auto parts = ir::children(f_, handed);
    for (uint32_t i = 0; i < parts.size(); ++i)
      if (counts_up(parts[i])) found.push_back(i);
    return found;
  }

  // Whether the function passes a process group the value of its variable as the rank, itself or in a callee.
  bool tells_as_rank(Symbol variable, std::set<std::pair<FunctionKey, Symbol>>& seen) const {
    if (!seen.emplace(key_, variable).second || is_given_a_value(variable)) return false;
    const auto is_it = [&](ir::ExprId e) { return is_name(e) && f_.exprs[e].symbol == variable; };
    return ir::any_instruction(f_, [&](const ir::Instruction& i) {
      if (i.kind != ir::InstructionKind::Call ||
          std::ranges::none_of(ir::arguments(f_, i), [&](const ir::Argument& a) { return is_it(a.value); }))
        return false;
      if (const RoleEntry* takes = role(i, Role::TakesRank)) return is_it(given(i, takes->argument));
      return std::ranges::any_of(handed_arguments(index_, key_, i), [&](const HandedArgument& h) {
        return is_it(h.value) && CallingText(program_, h.callee).tells_parameter_as_rank(h.parameter, seen);
      });
    });
  }
  bool tells_parameter_as_rank(uint32_t parameter, std::set<std::pair<FunctionKey, Symbol>>& seen) const {
    return parameter < f_.parameters.size() && tells_as_rank(f_.parameters[parameter].name, seen);
  }

 private:
  bool names(ir::ExprId target, Symbol variable) const {
    if (!target.valid()) return false;
    const ExprKind kind = f_.exprs[target].kind;
    if (kind == ExprKind::Name) return f_.exprs[target].symbol == variable;
    return kind != ExprKind::Attribute && kind != ExprKind::Subscript &&
           std::ranges::any_of(ir::children(f_, target), [&](ir::ExprId part) { return names(part, variable); });
  }
  bool is_parameter(Symbol name) const {
    return std::ranges::any_of(f_.parameters, [&](const ir::Parameter& p) { return p.name == name; });
  }

  std::optional<int64_t> counted(const ir::Instruction& call, const RoleEntry& counts) const {
    if (const ir::ExprId said = given(call, counts.argument); said.valid()) return number(said);
    return gives_more(f_, call) ? std::nullopt : whole_number(counts.note);
  }

  // `i` of `for i in range(n)`.
  bool counts_up(ir::ExprId e) const {
    if (!is_name(e)) return false;
    return std::ranges::any_of(f_.blocks, [&](const ir::Block& block) {
      const ir::Terminator& loop = block.terminator;
      if (loop.kind != ir::TerminatorKind::Iterate || !is_name(loop.target) || !is_name(loop.value) ||
          f_.exprs[loop.target].symbol != f_.exprs[e].symbol)
        return false;
      const ir::Instruction* made = only_definition(f_.exprs[loop.value].symbol);
      return made && made->kind == ir::InstructionKind::Call && role(*made, Role::CountsUp);
    });
  }

  const Program& program_;
  const ProjectIndex& index_;
  const FunctionKey key_;
  const ModuleKey module_;
  const ir::Module& words_;
  const ir::Function& f_;
};

// The last parts of the names in a role, as the project spells them.
std::set<Symbol> last_parts(const ProjectIndex& index, const Roles& roles, Role role) {
  std::set<Symbol> parts;
  for (const std::string& name : roles.names_in(role))
    if (const Symbol part = index.names().find(last_part(name)); part.valid()) parts.insert(part);
  return parts;
}

// Calls `see` with each call of the project that starts processes.
template <typename See>
void each_launch(const Program& program, const See& see) {
  const ProjectIndex& index = program.index();
  const std::set<Symbol> names = last_parts(index, program.models().roles(), Role::StartsProcesses);
  for (FunctionKey f{0}; f.index < index.functions().size() && !names.empty(); ++f.index) {
    const ir::Function& function = index.function(f);
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call) continue;
        const Symbol called = function.exprs[i.value].symbol;
        if (called.valid() && names.contains(index.name(index.functions()[f].module, called)))
          if (const RoleEntry* starts = CallingText(program, f).role(i, Role::StartsProcesses)) see(f, i, *starts);
      }
  }
}

// Whether its first parameter is the object whose method it is.
bool takes_object(const Program& program, FunctionKey f) {
  return program.index().functions()[f].owner.valid() && !program.flags(f).is_static;
}

}  // namespace

std::map<FunctionKey, std::vector<uint32_t>> find_numbered_parameters(const Program& program) {
  const ProjectIndex& index = program.index();
  std::optional<Mentions> mentions;
  std::map<FunctionKey, std::vector<uint32_t>> numbered;
  each_launch(program, [&](FunctionKey within, const ir::Instruction& call, const RoleEntry& starts) {
    const CallingText text(program, within);
    const ir::ExprId function = text.given(call, starts.argument);
    if (!function.valid() || !text.role(call, Role::StartsOnThisMachine)) return;
    if (!mentions) mentions.emplace(index, program.models());
    for (const FunctionKey run : mentions->functions_meant(within, function)) {
      const uint32_t first = takes_object(program, run) ? 1 : 0;
      for (const uint32_t parameter : text.numbered_parameters(call)) numbered[run].push_back(first + parameter);
    }
  });
  return numbered;
}

Launches::Launches(const Program& program) : index_(program.index()), mentions_(index_, program.models()) {
  std::set<Mention> handed;
  each_launch(program, [&](FunctionKey within, const ir::Instruction& call, const RoleEntry& starts) {
    const CallingText text(program, within);
    const ir::ExprId function = text.given(call, starts.argument);
    if (!function.valid()) return;
    const bool on_this_machine = text.role(call, Role::StartsOnThisMachine);
    for (const FunctionKey run : mentions_.functions_meant(within, function)) {
      const uint32_t first = takes_object(program, run) ? 1 : 0;
      const bool tells_own_number = std::ranges::any_of(text.numbered_parameters(call), [&](uint32_t parameter) {
        std::set<std::pair<FunctionKey, Symbol>> seen;
        return CallingText(program, run).tells_parameter_as_rank(first + parameter, seen);
      });
      started_by_[run].push_back(static_cast<uint32_t>(launches_.size()));
      launches_.push_back({within, call.range, text.processes(call), on_this_machine && tells_own_number});
    }
    handed.emplace(within, function);
  });
  if (!launches_.empty()) mentions_.find(handed);
}

const Launch* Launches::of_one_process(FunctionKey f) const {
  const ModuleKey module = index_.functions()[f].module;
  return all_such(f, [&](const Launch& launch) {
    return launch.processes == 1 && index_.functions()[launch.within].module == module;
  });
}

const Launch* Launches::on_one_machine(FunctionKey f) const {
  return all_such(f, [&](const Launch& launch) { return launch.is_all_of_one_machine && is_of_program(launch, f); });
}

// Whether the file is the launching one, or one of its program's own, beside it or below. What a test or a file
// elsewhere starts says little: users of this one may start it in other ways.
bool Launches::is_of_program(const Launch& launch, FunctionKey f) const {
  const auto path_of = [&](FunctionKey of) -> std::string_view {
    return index_.modules()[index_.functions()[of].module].path;
  };
  const std::string_view program = path_of(launch.within);
  const std::string_view file = path_of(f);
  return file == program || (!is_test_file(program) && file.starts_with(folder_of(program)));
}

const Launch* Launches::all_such(FunctionKey f, const std::function<bool(const Launch&)>& is_such) const {
  if (launches_.empty()) return nullptr;
  const Launch* found = nullptr;
  std::set<FunctionKey> seen{f};
  std::vector<FunctionKey> work{f};
  while (!work.empty()) {
    const FunctionKey one = work.back();
    work.pop_back();
    const auto started = started_by_.find(one);
    if (started != started_by_.end())
      for (const uint32_t launch : started->second) {
        if (!is_such(launches_[launch])) return nullptr;
        found = &launches_[launch];
      }
    if (mentions_.is_run_from_outside(one) || (started == started_by_.end() && mentions_.of(one).empty()))
      return nullptr;
    for (const FunctionKey by : mentions_.of(one))
      if (seen.insert(by).second) work.push_back(by);
  }
  return found;
}

}  // namespace ranklint
