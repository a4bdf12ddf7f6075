#include "app/engine/engine.h"

#include <cstdlib>

#include "analyzer/base/digest.h"
#include "app/engine/build_id.h"
#include "app/engine/frontends.h"
#include "app/lsp/server.h"
#include "app/verify/verify.h"
#include "frontends/cpp/conventions.h"

namespace ranklint::app {

namespace {

// By the builds of the program and of the module for C++, where there is one.
std::string identity_of_program() {
  const std::string program = build_id_of("/proc/self/exe"), module = build_id_of(module_of_program());
  if (program.empty() || (module.empty() && !module_of_program().empty())) return "";
  return hex_of(Digester().add(program).add(module).digest());
}

}  // namespace

Engine real_engine() {
  return {
      .builtin_models = [] { return Models::builtin(); },
      .frontend = frontend_of,
      .missing_frontend = missing_frontend,
      .analyze = ranklint::analyze,
      .communicates = mentions_communication,
      .findings_of = [](const Analysis& analysis,
                        std::span<const Rule> rules) { return ranklint::findings_of(analysis, rules); },
      .verify = [](std::vector<Finding>& findings) { return verify_all(findings); },
      .rules = all_rules(),
      .identity = identity_of_program(),
      .variables = kCppVariables,
      .rule_page = [](std::string_view id) { return ranklint::rule_page(id); },
      .render = [](OutputFormat format, const ReportInput& input) { return ranklint::render(format, input); },
      .serve = [](const Engine& engine,
                  const Io& io) { return lsp::serve(engine, io, [](int status) { std::_Exit(status); }); },
  };
}

}  // namespace ranklint::app
