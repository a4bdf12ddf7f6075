// What is open in the editor, and what changes on disk beside it.
#include <algorithm>

#include "app/files/paths.h"
#include "app/lsp/server.h"

namespace ranklint::app::lsp {

Document* Server::find(const Json& params) {
  const auto path = path_of_open_.find(text_of(child(params, "textDocument", "uri")));
  return path == path_of_open_.end() ? nullptr : &open_.at(path->second);
}

// The innermost of the folders that hold it.
Folder* Server::folder_of(const std::string& absolute_path) {
  Folder* best = nullptr;
  for (const auto& folder : folders_)
    if (folder->holds(absolute_path) && (!best || folder->root().size() > best->root().size())) best = folder.get();
  return best;
}

void Server::put(const Document& document) {
  Folder* folder = folder_of(document.path);
  if (!folder) {
    add_folder(std::string(parent_of(document.path)), false);
    folder = folder_of(document.path);
  }
  dirty_.insert({folder->root(), folder->shown(document.path)});
}

void Server::open(const Json& params) {
  const Json& item = child(params, "textDocument");
  const std::string uri = text_of(child(item, "uri"));
  const std::string path = path_of_uri(uri);
  if (path.empty()) return;  // what lies nowhere has no project
  const std::string absolute = absolute_path(path, "/");
  if (const auto twin = open_.find(absolute); twin != open_.end()) path_of_open_.erase(twin->second.uri);
  path_of_open_[uri] = absolute;
  open_[absolute] = {.uri = uri,
                     .path = absolute,
                     .version = number_of(child(item, "version")),
                     .text = std::make_shared<const std::string>(text_of(child(item, "text")))};
  put(open_[absolute]);
  if (const Folder* folder = folder_of(absolute); folder->needs_look() && is_python(absolute))
    checker_.look_first(folder->look_job(options_of(*folder), open_[absolute]));
}

void Server::change(const Json& params) {
  Document* document = find(params);
  if (!document) return;
  document->version = number_of(child(params, "textDocument", "version"), document->version + 1);
  document->text = std::make_shared<const std::string>(
      changed_text(*document->text, child(params, "contentChanges"), client_.encoding));
  put(*document);
}

void Server::close(const Json& params) {
  Document* document = find(params);
  if (!document) return;
  const std::string path = document->path;
  path_of_open_.erase(document->uri);
  open_.erase(path);
  if (Folder* folder = folder_of(path)) dirty_.insert({folder->root(), folder->shown(path)});
}

// What was saved is what is open, unless it is read from disk alone.
void Server::save(const Json& params) {
  const Document* document = find(params);
  Folder* folder = document ? folder_of(document->path) : nullptr;
  if (folder && folder->is_read_anew_with(document->path)) load(*folder);
}

void Server::change_files(const Json& params) {
  std::set<const Folder*> anew;
  for (const Json& change : items(child(params, "changes"))) {
    const std::string path = path_of_uri(text_of(child(change, "uri")));
    Folder* folder = path.empty() ? nullptr : folder_of(path);
    if (!folder || !folder->everything()) continue;
    if (folder->is_read_anew_with(path))
      anew.insert(folder);
    else if (!open_.contains(path))
      dirty_.insert({folder->root(), folder->shown(path)});
  }
  for (const auto& folder : folders_)
    if (anew.contains(folder.get())) load(*folder);
}

}  // namespace ranklint::app::lsp
