// Flags, and headers that are not there.
//
// MPI, NCCL, CUDA and c10d are read through small headers of our own (stubs/), whether or not the machine has the
// real ones: so code can be read anywhere, and every name comes out as the standard spells it (an MPI library's own
// header makes MPI_COMM_WORLD an integer here and the address of a structure there). Other headers that are missing
// are noted and skipped; Clang recovers, and what it could not type is left out.
#include "frontends/cpp/invocation.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Frontend/Utils.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <span>

#include "analyzer/base/embedded_file.h"

namespace ranklint {

std::span<const EmbeddedFile> embedded_cpp_stubs();

}  // namespace ranklint

namespace ranklint::cpp {

namespace {

constexpr std::string_view kStubFolder = "/ranklint-stubs";
constexpr size_t kMostDiagnostics = 20;

// Keeps the errors of the main file.
class Collector : public clang::DiagnosticConsumer {
 public:
  explicit Collector(std::vector<ir::Diagnostic>& out) : out_(out) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    if (level < clang::DiagnosticsEngine::Error || !info.hasSourceManager()) return;
    // What follows from a header that is not here says nothing about the code.
    if (info.getID() == clang::diag::err_pp_file_not_found) misses_header_ = true;
    if (misses_header_) return out_.clear();
    if (out_.size() >= kMostDiagnostics) return;
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::SourceLocation at = sources.getFileLoc(info.getLocation());
    if (at.isInvalid() || !sources.isInMainFile(at)) return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    const uint32_t line = sources.getSpellingLineNumber(at), column = sources.getSpellingColumnNumber(at);
    out_.push_back({.range = {line, column, line, column + 1}, .message = text.str().str()});
  }

 private:
  std::vector<ir::Diagnostic>& out_;
  bool misses_header_ = false;
};

// Shows the tree when it is complete.
class Reader : public clang::ASTConsumer {
 public:
  explicit Reader(const std::function<void(clang::ASTContext&)>& read) : read_(read) {}
  void HandleTranslationUnit(clang::ASTContext& context) override { read_(context); }

 private:
  const std::function<void(clang::ASTContext&)>& read_;
};

class Action : public clang::ASTFrontendAction {
 public:
  explicit Action(const std::function<void(clang::ASTContext&)>& read) : read_(read) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Reader>(read_);
  }

 private:
  const std::function<void(clang::ASTContext&)>& read_;
};

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return path.ends_with(e); });
}

std::vector<std::string> language_flags(std::string_view path) {
  if (path.ends_with(".c")) return {"-xc", "-std=gnu17"};
  return {"-xc++", "-std=gnu++23"};
}

// What decides about the meaning of the text; everything else of a command line is for other tools.
std::vector<std::string> kept_flags(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    const bool takes_next = a == "-I" || a == "-D" || a == "-U" || a == "-isystem" || a == "-include" || a == "-iquote" || a == "-x";
    if (takes_next && i + 1 < arguments.size()) {
      kept.push_back(a);
      kept.push_back(arguments[++i]);
    } else if (a.starts_with("-I") || a.starts_with("-D") || a.starts_with("-U") || a.starts_with("-isystem") ||
               a.starts_with("-std=") || a.starts_with("-f") || a.starts_with("-x")) {
      kept.push_back(a);
    }
  }
  return kept;
}

std::vector<std::string> command_line(const std::string& path, const CompileCommand& command) {
  std::vector<std::string> line{"clang", "-fsyntax-only", "-w", "-ferror-limit=0", "-fno-spell-checking", "-nogpulib",
                                "-resource-dir",
                                RANKLINT_CLANG_RESOURCES, "-isystem", std::string(kStubFolder)};
  const std::vector<std::string> kept = kept_flags(command.arguments);
  for (const std::string& flag : language_flags(path)) line.push_back(flag);
  if (ends_with_any(path, {".cu", ".cuh"}) || path.find("cuda") != std::string::npos)
    line.insert(line.end(), {"-include", std::string(kStubFolder) + "/cuda_host.h"});
  line.insert(line.end(), kept.begin(), kept.end());
  // The headers beside a file, and a project's usual places for them, where no command says more.
  if (command.arguments.empty())
    for (const char* folder : {"", "/include", "/..", "/../include", "/../src"}) {
      const size_t slash = path.rfind('/');
      line.push_back("-I" + (slash == std::string::npos ? std::string(".") : path.substr(0, slash)) + folder);
    }
  line.push_back(path);
  return line;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_with_stubs(const CompileCommand& command) {
  auto stubs = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const EmbeddedFile& file : embedded_cpp_stubs()) {
    std::string_view name = file.name;
    const size_t at = name.find("/stubs/");
    name = name.substr(at + 7);
    stubs->addFile(std::string(kStubFolder) + "/" + std::string(name), 0,
                   llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(file.content.data(), file.content.size()), name, false));
  }
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real(llvm::vfs::createPhysicalFileSystem().release());
  if (!command.directory.empty()) real->setCurrentWorkingDirectory(command.directory);
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(real);
  overlay->pushOverlay(stubs);
  return overlay;
}

}  // namespace

std::vector<ir::Diagnostic> parse_unit(const std::string& path, std::string_view bytes, const CompileCommand& command,
                                       const std::function<void(clang::ASTContext&)>& read) {
  std::vector<ir::Diagnostic> diagnostics;
  auto engine = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, new Collector(diagnostics), true);
  engine->setFatalsAsError(true);  // a missing header is not the end
  const std::vector<std::string> line = command_line(path, command);
  std::vector<const char*> arguments;
  for (const std::string& word : line) arguments.push_back(word.c_str());
  auto files = files_with_stubs(command);
  clang::CreateInvocationOptions options;
  options.Diags = engine;
  options.VFS = files;
  options.RecoverOnError = true;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(arguments, options);
  if (!invocation) return diagnostics;
  invocation->getPreprocessorOpts().addRemappedFile(
      path, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(bytes.data(), bytes.size()), path).release());

  clang::CompilerInstance instance;
  instance.setInvocation(std::move(invocation));
  instance.setDiagnostics(engine.get());
  instance.setFileManager(new clang::FileManager(clang::FileSystemOptions(), files));
  Action action(read);
  instance.ExecuteAction(action);
  return diagnostics;
}

}  // namespace ranklint::cpp
