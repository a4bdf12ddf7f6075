// `ranklint clean`: removes the cache of a project.
#include <filesystem>

#include "app/cache/store.h"
#include "app/check/checked.h"
#include "app/cli/commands.h"
#include "app/files/paths.h"

namespace ranklint::app {

int clean_command(const CleanOptions& options, Io& io, const Engine& engine) {
  return with_run(options.check, io, engine, [&](CheckRun& run) {
    const std::string& folder = run.settings.cache_folder;
    const std::string shown = shown_path(folder, run.settings.discovery.cwd);
    std::error_code ignored;
    if (folder.empty() || !std::filesystem::exists(folder, ignored)) {
      io.err << "ranklint: there is no cache here\n";
      return kClean;
    }
    if (const std::optional<Error> error = remove_store(folder, shown)) return fail(io, *error);
    io.err << "ranklint: removed " << shown << '\n';
    return kClean;
  });
}

}  // namespace ranklint::app
