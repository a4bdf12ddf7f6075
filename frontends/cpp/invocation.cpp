// Flags, and headers that are not there.
//
// A command that names no standard is read by Clang's own, C++17, and once more by the latest where that finds errors.
//
// MPI, NCCL, CUDA and c10d are read through small headers of our own (stubs/), whether or not the machine has the
// real ones: so code can be read anywhere, and every name comes out as the standard spells it (an MPI library's own
// header makes MPI_COMM_WORLD an integer here and the address of a structure there). Other headers that are missing
// are noted and skipped; Clang recovers, and what it could not type is left out.
#include "frontends/cpp/invocation.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <tuple>

#include "analyzer/base/embedded_file.h"
#include "frontends/cpp/guards.h"
#include "frontends/cpp/observing_files.h"
#include "frontends/cpp/resources.h"
#include "frontends/cpp/standards.h"

namespace ranklint {

std::span<const EmbeddedFile> embedded_cpp_stubs();

}  // namespace ranklint

namespace ranklint::cpp {

namespace {

constexpr std::string_view kStubFolder = "/ranklint-stubs";
constexpr size_t kMostDiagnostics = 20;
constexpr size_t kMostBrokenPlaces = 10'000;
constexpr unsigned kStackBytes = 64U << 20;

// Keeps the errors of the main file, and which headers are not here. What follows from a header that is missing says
// nothing about the code: then only the headers are reported.
class Collector : public clang::DiagnosticConsumer {
 public:
  explicit Collector(ParseNotes& notes) : notes_(notes) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    if (level < clang::DiagnosticsEngine::Error || !info.hasSourceManager()) return;
    ++errors_;
    note_place(info);
    if (info.getID() == clang::diag::err_pp_file_not_found) return note_missing(info);
    if (notes_.misses_headers || notes_.diagnostics.size() >= kMostDiagnostics) return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    add(info, text.str().str());
  }

  // Errors that a later standard may not have.
  bool found_errors() const { return errors_ > 0 && !notes_.misses_headers; }

 private:
  void note_place(const clang::Diagnostic& info) {
    const bool is_understood = clang::DiagnosticIDs::isBuiltinWarningOrExtension(info.getID());
    const clang::SourceLocation at = info.getSourceManager().getFileLoc(info.getLocation());
    if (!is_understood && at.isValid() && notes_.broken_places.size() < kMostBrokenPlaces)
      notes_.broken_places.push_back(at.getRawEncoding());
  }

  void note_missing(const clang::Diagnostic& info) {
    if (!notes_.misses_headers) notes_.diagnostics.clear();
    notes_.misses_headers = true;
    const std::string header = info.getArgStdStr(0);
    if (notes_.diagnostics.size() < kMostDiagnostics && values_read_.insert(header).second)
      add(info, "`" + header + "` is not found: what it declares is not known");
  }

  // At its place in the main file; what stands in a header, where the main file includes it.
  void add(const clang::Diagnostic& info, std::string message) {
    const clang::SourceManager& sources = info.getSourceManager();
    clang::SourceLocation at = sources.getFileLoc(info.getLocation());
    if (at.isInvalid()) return;
    if (!sources.isInMainFile(at) && !notes_.misses_headers) return;
    while (!sources.isInMainFile(at)) {
      at = sources.getIncludeLoc(sources.getFileID(at));
      if (at.isInvalid()) return;
    }
    const uint32_t line = sources.getSpellingLineNumber(at), column = sources.getSpellingColumnNumber(at);
    notes_.diagnostics.push_back({.range = {line, column, line, column + 1}, .message = std::move(message)});
  }

  ParseNotes& notes_;
  size_t errors_ = 0;
  std::set<std::string> values_read_;
};

// Shows the tree when it is complete. Of the system's headers, which are most of a unit, nothing is lowered:
// declarations are all that is asked of them, and what constant expressions and types that are deduced need Clang keeps
// by itself.
class Reader : public clang::ASTConsumer {
 public:
  explicit Reader(const std::function<void(clang::ASTContext&)>& read) : read_(read) {}
  void HandleTranslationUnit(clang::ASTContext& context) override { read_(context); }
  bool shouldSkipFunctionBody(clang::Decl* function) override {
    return function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation());
  }

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

bool is_cuda(std::string_view path) { return ends_with_any(path, {".cu", ".cuh", ".hip"}); }

enum class Language { C, Cxx, Cuda };

Language language_of(std::string_view path, const std::vector<std::string>& kept) {
  const auto told = [&](std::string_view flag) { return std::find(kept.begin(), kept.end(), flag) != kept.end(); };
  if (is_cuda(path) || told("-xcuda")) return Language::Cuda;
  return path.ends_with(".c") && !told("-xc++") ? Language::C : Language::Cxx;
}

std::vector<std::string> language_flags(Language language) {
  const std::string first = std::string(kStubFolder) + "/first", bounded = first + "/bounded_sequences.h";
  switch (language) {
    case Language::C: return {"-xc"};
    case Language::Cxx: return {"-xc++", "-include", bounded};
    case Language::Cuda:
      return {"-xcuda", "--cuda-host-only", "-nocudainc",          "-nocudalib", "-include",
              bounded,  "-include",         first + "/cuda_host.h"};
  }
  return {};
}

// A standard of the other language (a header of C++ read by a command of C) is none.
bool is_standard_of(std::string_view flag, Language language) {
  return flag.starts_with("-std=") && (language == Language::C) == (flag.find("++") == std::string_view::npos);
}

// What to try in turn; the command's own alone where it names one.
std::vector<std::string_view> standards_to_try(Language language, const std::vector<std::string>& kept,
                                               std::string_view bytes) {
  for (const std::string& flag : kept)
    if (is_standard_of(flag, language)) return {""};
  if (language == Language::C) return {"-std=gnu17"};
  return standards_of(bytes, language == Language::Cuda);
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view b) { return text.starts_with(b); });
}

bool is_kept(std::string_view a) {
  return starts_with_any(a, {"-I",
                             "-D",
                             "-U",
                             "-isystem",
                             "-iquote",
                             "-idirafter",
                             "-std=",
                             "-fopenmp",
                             "-fms-extensions",
                             "-fno-exceptions",
                             "-fno-rtti",
                             "-funsigned-char",
                             "-fsigned-char",
                             "-fshort-enums",
                             "-mavx",
                             "-msse",
                             "-mfma",
                             "-march=x86",
                             "-march=native",
                             "-pthread"});
}

// A folder of headers by its absolute path: the folder that the command starts in may be gone, or not made yet.
std::string from_directory(const std::string& path, const std::string& directory) {
  if (path.starts_with('/') || directory.empty()) return path;
  llvm::SmallString<256> absolute(directory);
  llvm::sys::path::append(absolute, path);
  llvm::sys::path::remove_dots(absolute, true);
  return absolute.str().str();
}

std::string with_absolute_folder(const std::string& flag, const std::string& directory) {
  for (const std::string_view prefix : {"-isystem", "-iquote", "-idirafter", "-I"})
    if (flag.starts_with(prefix)) return std::string(prefix) + from_directory(flag.substr(prefix.size()), directory);
  return flag;
}

void add_language(std::string_view language, std::vector<std::string>& kept) {
  if (language == "cu" || language == "cuda" || language == "hip")
    kept.emplace_back("-xcuda");
  else if (language != "c")
    kept.emplace_back("-xc++");
}

// What decides about the meaning of the text; everything else of a command line is for other tools.
std::vector<std::string> kept_flags(const CompileCommand& command) {
  const std::vector<std::string>& arguments = command.arguments;
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    static constexpr std::array<std::string_view, 7> kTakesNext{"-I",       "-D",      "-U",        "-isystem",
                                                                "-include", "-iquote", "-idirafter"};
    const bool takes_next = std::find(kTakesNext.begin(), kTakesNext.end(), a) != kTakesNext.end();
    if (takes_next && i + 1 < arguments.size()) {
      kept.push_back(a);
      const std::string& value = arguments[++i];
      const bool is_folder = a.starts_with("-I") || a.starts_with("-i");
      kept.push_back(is_folder && a != "-include" ? from_directory(value, command.directory) : value);
    } else if (a == "-x" && i + 1 < arguments.size()) {
      add_language(arguments[++i], kept);
    } else if (a.starts_with("-x")) {
      add_language(a.substr(2), kept);
    } else if (is_kept(a)) {
      kept.push_back(with_absolute_folder(a, command.directory));
    }
  }
  return kept;
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string(".") : path.substr(0, slash);
}

std::vector<std::string> command_line(const std::string& path, std::string_view bytes, const CompileCommand& command,
                                      std::vector<std::string> kept, Language language, std::string_view standard) {
  // mpi.h is ours before any other, so that handles have the names of the standard; the other stubs stand in for what
  // is not here. Both are headers of the system, whichever flag leads to them.
  const std::string first = std::string(kStubFolder) + "/first", last = std::string(kStubFolder) + "/last";
  std::vector<std::string> line{"clang",
                                "-fsyntax-only",
                                "-w",
                                "-ferror-limit=0",
                                "-fno-spell-checking",
                                "-nogpulib",
                                "-resource-dir",
                                clang_resources(),
                                "-I" + first,
                                "--system-header-prefix=mpi.h",
                                "-idirafter",
                                last};
  const std::vector<std::string> of_language = language_flags(language);
  line.insert(line.end(), of_language.begin(), of_language.end());
  if (!standard.empty()) line.emplace_back(standard);
  std::erase_if(kept, [&](const std::string& a) {
    return a.starts_with("-x") || (a.starts_with("-std=") && !is_standard_of(a, language));
  });
  line.insert(line.end(), kept.begin(), kept.end());
  // The headers beside a file, and a project's usual places for them, where no command says more.
  if (!command.known) {
    if (bytes.find("#pragma omp") != std::string_view::npos) line.emplace_back("-fopenmp");
    for (const std::string& macro : communication_macros(bytes)) line.push_back("-D" + macro + "=1");
    for (const char* folder : {"", "/include", "/..", "/../include", "/../src"})
      line.push_back("-I" + folder_of(path) + folder);
  }
  line.push_back(path);
  return line;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_of(const CompileCommand& command,
                                                         std::vector<Observation>& seen) {
  auto stubs = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const EmbeddedFile& file : embedded_cpp_stubs()) {
    std::string_view name = file.name;
    const size_t at = name.find("/stubs/");
    name = name.substr(at + 7);
    stubs->addFile(
        std::string(kStubFolder) + "/" + std::string(name), 0,
        llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(file.content.data(), file.content.size()), name, false));
  }
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real(llvm::vfs::createPhysicalFileSystem().release());
  for (const std::string& folder : {command.shown_from, command.directory})
    if (!folder.empty())
      std::ignore = real->setCurrentWorkingDirectory(folder);  // stays where it is when there is no such folder
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(observing(real, seen));
  overlay->pushOverlay(stubs);
  auto unsaved = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const UnsavedFile& file : command.unsaved)
    unsaved->addFile(file.path, 0, llvm::MemoryBuffer::getMemBuffer(*file.text, file.path));
  overlay->pushOverlay(unsaved);
  return overlay;
}

struct Attempt {
  std::vector<std::string> line;
  bool is_last = true;  // else errors call for the next one, and nothing is shown
};

bool parse(const std::string& path, std::string_view bytes, const CompileCommand& command, const Attempt& attempt,
           const std::function<void(clang::ASTContext&, const ParseNotes&)>& read, ParseNotes& notes) {
  auto* const collector = new Collector(notes);
  auto engine = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, collector, true);
  engine->setFatalsAsError(true);  // a missing header is not the end
  std::vector<const char*> arguments;
  for (const std::string& word : attempt.line) arguments.push_back(word.c_str());
  auto files = files_of(command, notes.seen);
  clang::CreateInvocationOptions options;
  options.Diags = engine;
  options.VFS = files;
  options.RecoverOnError = true;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(arguments, options);
  if (!invocation) return attempt.is_last;
  invocation->getFrontendOpts().SkipFunctionBodies = true;  // those that `Reader` says
  invocation->getFrontendOpts().DisableFree = false;  // a driver's command leaves the tree to the end of the process
  invocation->getPreprocessorOpts().addRemappedFile(
      path, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(bytes.data(), bytes.size()), path).release());

  clang::CompilerInstance instance;
  instance.setInvocation(std::move(invocation));
  instance.setDiagnostics(engine.get());
  instance.setFileManager(new clang::FileManager(clang::FileSystemOptions(), files));
  bool is_done = attempt.is_last;
  const std::function<void(clang::ASTContext&)> read_if_good = [&](clang::ASTContext& context) {
    is_done = attempt.is_last || !collector->found_errors();
    if (is_done) read(context, notes);
  };
  Action action(read_if_good);
  // A mistake of Clang's own in odd code ends this file, not the run. On a thread with room for deep nesting.
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  notes.crashed = !recovery.RunSafelyOnThread([&] { instance.ExecuteAction(action); }, kStackBytes);
  if (notes.crashed) notes.seen.push_back({Observation::Kind::Unrepeatable, path, {}});
  return is_done || notes.crashed;
}

}  // namespace

ParseNotes parse_unit(const std::string& path, std::string_view bytes, const CompileCommand& command,
                      const std::function<void(clang::ASTContext&, const ParseNotes&)>& read) {
  const std::vector<std::string> kept = kept_flags(command);
  const Language language = language_of(path, kept);
  const std::vector<std::string_view> standards = standards_to_try(language, kept, bytes);
  std::vector<Observation> seen;
  if (std::find(kept.begin(), kept.end(), "-march=native") != kept.end())
    seen.push_back({Observation::Kind::Unrepeatable, {}, {}});
  for (const std::string_view standard : standards) {
    ParseNotes notes{.seen = std::move(seen)};
    const Attempt attempt{.line = command_line(path, bytes, command, kept, language, standard),
                          .is_last = standard == standards.back()};
    if (parse(path, bytes, command, attempt, read, notes)) return notes;
    seen = std::move(notes.seen);
  }
  return {.seen = std::move(seen)};
}

}  // namespace ranklint::cpp
