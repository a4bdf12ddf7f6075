// `ranklint lower`: reads files for checks that come later.
#include <filesystem>

#include "app/check/checked.h"
#include "app/check/result_cache.h"
#include "app/cli/commands.h"
#include "app/files/paths.h"

namespace ranklint::app {

namespace {

int fail_to_read(Io& io, const std::string& path, const std::string& why) {
  return fail(io, Error{.message = "cannot be read: " + why, .path = path});
}

int lower_sources(const CheckRun& run, const Sources& sources, const Frontend& frontend) {
  if (!sources.unread.empty()) {
    const UnreadSource& unread = sources.unread.front();
    return fail_to_read(run.io, unread.path, unread.why + (unread.way_out.empty() ? "" : "; " + unread.way_out));
  }
  for (const SourceFile& file : sources.files) {
    if (!file.reported) continue;  // below `src`
    if (const LoweredSource source = frontend(file.path, file.bytes); !source.broken.empty())
      return fail_to_read(run.io, file.path, "internal error: " + source.broken);
  }
  return kClean;
}

}  // namespace

int lower_command(const LowerOptions& options, Io& io, const Engine& engine) {
  return with_run(options.check, io, engine, [&](CheckRun& run) {
    if (engine.identity.empty())
      return fail(io, "this build of ranklint cannot be told from others, so that no check could trust what it reads");
    Result<Sources> sources = read_sources(run.options, run.settings, run.io, {}, 0);
    if (!sources) return fail(io, sources.error());
    set_unreadable_aside(sources.value(), run.engine);
    const std::string folder = absolute_path(options.output, io.cwd);
    std::error_code ignored;  // the store says whether the folder is there
    std::filesystem::create_directories(std::filesystem::path(folder).parent_path(), ignored);
    const Store store(folder);
    if (!store.prepare())
      return fail(io, Error{.message = "cannot be written, or holds other things; name a folder of its own",
                            .path = options.output});
    const auto observed = std::make_shared<ObservedFiles>();
    const Result<Frontend> frontend = run.engine.frontend(
        {.cwd = io.cwd,
         .build_folder = run.settings.build_folder,
         .observed = observed,
         .kept = std::make_shared<const SourceStore>(store, std::vector<Store>(), key_of_engine(run), observed)});
    if (!frontend) return fail(io, frontend.error());
    return lower_sources(run, sources.value(), frontend.value());
  });
}

}  // namespace ranklint::app
