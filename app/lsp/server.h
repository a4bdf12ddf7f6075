// The language server: one thread handles messages in order and is the only one that writes.
//
// A keystroke is answered at once with what is found in the edited file (incremental.h), and with what the last check
// found in all others; the check of all runs in parallel (checker.h), of the newest state there is, and its result
// replaces both. It begins when the user pauses, and the next keystroke cancels it, since its state is outdated.
// So typing never waits for it, and what is shown in the end is what a fresh check of the same state finds.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "app/lsp/checker.h"
#include "app/lsp/folder.h"
#include "app/lsp/inbox.h"
#include "app/lsp/places.h"

namespace ranklint::app::lsp {

// What the client has set for ranklint.
struct ClientSettings {
  bool enable = true;
  bool open_files_only = false;
  bool inlay_hints = false;
  std::string config;
  std::vector<std::string> select, ignore, extend_exclude, models;
  std::optional<std::string> min_severity, min_confidence;
};

// What the client can do.
struct ClientAbilities {
  Encoding encoding = Encoding::Utf16;
  bool related_information = false;
  bool pulls = false;  // asks for diagnostics, and accepts a request to ask again
  bool progress = false;
  bool configuration = false;  // can be asked for its settings
  bool watches = false;        // can be asked to watch files
  bool rank_paths = false;     // knows the command that shows them
  bool refreshes_hints = false;
};

class Server {
 public:
  Server(const Engine& engine, const Io& io, Inbox& inbox, Checker& checker);

  // Handles what comes until the client leaves; its exit status.
  int run();

 private:
  struct Failure {
    int code;
    std::string message;
  };
  // A request's answer; nothing: it comes later.
  using Answer = std::variant<Json, Failure, std::monostate>;
  using Handler = Answer (Server::*)(const Json& id, const Json& params);
  static const std::map<std::string, Handler, std::less<>>& requests();
  using Listener = void (Server::*)(const Json& params);
  static const std::map<std::string, Listener, std::less<>>& notifications();

  // server.cpp: messages.
  void handle(Incoming& item);
  void handle_message(const Json& message);
  void handle_one(const Json& message);
  void handle_request(const Json& id, const std::string& method, const Json& params);
  void send(Json message);
  void reply(const Json& id, Json result);
  void fail(const Json& id, int code, const std::string& message);
  void notify(const char* method, Json params);
  void ask(const char* method, Json params, const std::string& what = {});
  void show(int severity, const std::string& message);
  void log_trouble(const std::string& what);
  void show_broken(const std::optional<std::string>& what);
  bool leaves_alone();

  // server_lifecycle.cpp
  Answer initialize(const Json& id, const Json& params);
  Answer shut_down(const Json& id, const Json& params);
  void initialized(const Json& params);
  void leave(const Json& params);
  void cancel(const Json& params);
  void set_trace(const Json& params);
  void configure(const Json& given);
  void change_configuration(const Json& params);
  void change_folders(const Json& params);
  void take_answer(const Json& id, const Json& message);
  void add_folder(const std::string& path, bool everything);
  CheckOptions options_of(const Folder& folder) const;
  void load(Folder& folder);
  void tell_progress(const Progress& progress);
  void end_progress(const std::string& root);

  // server_text.cpp: what is open, and what changes on disk.
  void open(const Json& params);
  void change(const Json& params);
  void close(const Json& params);
  void save(const Json& params);
  void change_files(const Json& params);
  Document* find(const Json& params);
  Folder* folder_of(const std::string& absolute_path);
  void put(const Document& document);

  // server_diagnostics.cpp
  void take(const KnownBefore& known);
  void take(const FirstLook& look);
  void take(const std::shared_ptr<Loaded>& loaded);
  void take(const std::shared_ptr<Outcome>& outcome);
  void take_changes();
  void check_what_changed();
  bool is_typing() const;
  void publish(const Folder& folder);
  void publish_file(const Folder& folder, const std::string& shown_path);
  Json diagnostics_of(const Folder& folder, const std::string& shown_path, Places& places) const;
  Json report_of(const Folder& folder, const std::string& shown_path, const std::string& previous);
  bool is_settled() const;
  void answer_waiting();
  Answer pull(const Json& id, const Json& params);
  Answer pull_workspace(const Json& id, const Json& params);
  Answer settle(const Json& id, const Json& params);

  // server_features.cpp
  Answer code_action(const Json& id, const Json& params);
  Answer hover(const Json& id, const Json& params);
  Answer inlay_hint(const Json& id, const Json& params);
  Json replay(const Finding& finding);
  Answer execute(const Json& id, const Json& params);
  std::map<std::string, Document> open_by_path() const;

  const Engine& engine_;
  const Io& io_;
  Inbox& inbox_;
  Checker& checker_;

  enum class Phase { Fresh, Running, ShutDown, Gone };
  Phase phase_ = Phase::Fresh;
  int status_ = 1;
  int64_t parent_ = 0;
  ClientAbilities client_;
  ClientSettings settings_;
  std::map<std::string, Document> open_;             // by absolute path
  std::map<std::string, std::string> path_of_open_;  // by uri
  std::vector<std::unique_ptr<Folder>> folders_;
  std::map<std::string, std::map<std::string, Json>> published_;  // by root and uri
  std::set<std::pair<std::string, std::string>> dirty_;           // root and path of a file whose text changed
  std::map<Json, std::function<Answer()>> waiting_;               // requests that wait for a check
  std::vector<Json> order_;                                       // of `waiting_`
  int64_t next_id_ = 1;
  std::map<int64_t, std::string> asked_;  // of the client, by id: what for
  std::set<std::string> shown_broken_;    // bugs of ours that the client has been shown
  std::vector<Json>* batch_ = nullptr;
  std::map<std::string, unsigned> in_progress_;     // roots, and how many percent were told
  size_t at_work_ = 0;                              // jobs of the checker whose results have not come
  std::chrono::steady_clock::time_point edited_{};  // when an edit was last reported at once
};

// Runs the server on the streams of `io`. `leave` is called instead of waiting for a check that is still running; null:
// wait.
int serve(const Engine& engine, const Io& io, void (*leave)(int status));

}  // namespace ranklint::app::lsp
