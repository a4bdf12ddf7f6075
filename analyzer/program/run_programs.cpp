#include "analyzer/program/run_programs.h"

#include <algorithm>
#include <set>
#include <string>

#include "analyzer/ir/any_instruction.h"

namespace ranklint {

// What a file is called that is run: `if __name__ == "__main__":`
constexpr std::string_view kRun = "__main__";

static std::string_view library_of(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

// Without `./` and `../` in front.
static std::string_view plain_path(std::string_view written) {
  written.remove_prefix(std::min(written.find_first_not_of("./"), written.size()));
  return written;
}

bool is_path_of(std::string_view file, std::string_view written) {
  written = plain_path(written);
  return file.ends_with(written) && (file.size() == written.size() || file[file.size() - written.size() - 1] == '/');
}

bool is_path_from(std::string_view command, std::string_view file, std::string_view written) {
  if (!is_path_of(file, written)) return false;
  return command.starts_with(file.substr(0, file.size() - plain_path(written).size()));
}

std::vector<ModuleKey> files_above(const Program& program, ModuleKey file) {
  std::vector<ModuleKey> files, left{file};
  std::set<ModuleKey> seen{file};
  while (!left.empty()) {
    files.push_back(left.back());
    left.pop_back();
    for (const ModuleKey importer : program.sharding().importers_of(files.back()))
      if (seen.insert(importer).second) left.push_back(importer);
  }
  return files;
}

bool is_run_as_program(const ir::Module& module) {
  if (!module.has(ir::Convention::DeclaresNoTypes)) return false;
  const ir::Function& top = module.functions[ir::FunctionId{0}];
  return std::ranges::any_of(top.blocks, [&](const ir::Block& block) {
    return block.terminator.kind == ir::TerminatorKind::Branch && block.terminator.value.valid() &&
           ir::any_part(top, block.terminator.value, [&](ir::ExprId e) {
             return top.exprs[e].kind == ir::ExprKind::String && module.text(top.exprs[e].symbol) == kRun;
           });
  });
}

RankLibraries::RankLibraries(const Program& program) {
  std::set<std::string_view> libraries;
  for (const Model& model : program.models().all()) {
    const bool is_of_ranks = model.kind == ModelKind::Setup || model.kind == ModelKind::Collective;
    const std::string_view library = library_of(model.name);
    if (is_of_ranks && library != "*" && library != "?" && !program.models().roles().play(library, Role::SetUpByCall))
      libraries.insert(library);
  }
  const auto imports = [&](const ir::Module& module) {
    return std::ranges::any_of(module.functions, [&](const ir::Function& f) {
      return ir::any_instruction(f, [&](const ir::Instruction& i) {
        return i.kind == ir::InstructionKind::Import && i.level == 0 &&
               libraries.contains(library_of(module.text(i.symbol)));
      });
    });
  };
  for (const ir::Module& module : program.index().modules()) uses_.push_back(imports(module));
}

bool RankLibraries::are_used_in(const std::vector<bool>& files) const {
  for (size_t m = 0; m < files.size(); ++m)
    if (files[m] && uses_[m]) return true;
  return false;
}

}  // namespace ranklint
