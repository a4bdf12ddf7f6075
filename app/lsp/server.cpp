#include "app/lsp/server.h"

#include <cerrno>
#include <csignal>
#include <thread>

#include "analyzer/base/contain.h"
#include "app/check/broken.h"
#include "app/lsp/framing.h"

namespace ranklint::app::lsp {

namespace {

constexpr int kWarning = 2;  // a kind of message
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInternalError = -32603;
constexpr int kNotInitialized = -32002;
constexpr int kRequestCancelled = -32800;
constexpr std::chrono::milliseconds kPatience{3000}, kPause{200};

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

const std::map<std::string, Server::Handler, std::less<>>& Server::requests() {
  static const std::map<std::string, Handler, std::less<>> kRequests{
      {"initialize", &Server::initialize},
      {"shutdown", &Server::shut_down},
      {"textDocument/diagnostic", &Server::pull},
      {"workspace/diagnostic", &Server::pull_workspace},
      {"textDocument/codeAction", &Server::code_action},
      {"textDocument/hover", &Server::hover},
      {"textDocument/inlayHint", &Server::inlay_hint},
      {"workspace/executeCommand", &Server::execute},
      {"ranklint/settle", &Server::settle},
  };
  return kRequests;
}

const std::map<std::string, Server::Listener, std::less<>>& Server::notifications() {
  static const std::map<std::string, Listener, std::less<>> kNotifications{
      {"initialized", &Server::initialized},
      {"exit", &Server::leave},
      {"$/cancelRequest", &Server::cancel},
      {"$/setTrace", &Server::set_trace},
      {"textDocument/didOpen", &Server::open},
      {"textDocument/didChange", &Server::change},
      {"textDocument/didClose", &Server::close},
      {"textDocument/didSave", &Server::save},
      {"workspace/didChangeConfiguration", &Server::change_configuration},
      {"workspace/didChangeWatchedFiles", &Server::change_files},
      {"workspace/didChangeWorkspaceFolders", &Server::change_folders},
  };
  return kNotifications;
}

Server::Server(const Engine& engine, const Io& io, Inbox& inbox, Checker& checker)
    : engine_(engine), io_(io), inbox_(inbox), checker_(checker) {}

int Server::run() {
  while (phase_ != Phase::Gone) {
    if (std::optional<Incoming> item = inbox_.pop(is_typing() ? kPause : kPatience))
      show_broken(contain([&] { handle(*item); }));
    else if (leaves_alone())
      return 1;
    // What came together is handled together: of ten keystrokes one check is made.
    if (inbox_.empty() && phase_ == Phase::Running) show_broken(contain([&] { check_what_changed(); }));
  }
  return status_;
}

// The user's next keystroke would break off the next check; a request that waits for one does not wait longer.
bool Server::is_typing() const { return waiting_.empty() && std::chrono::steady_clock::now() - edited_ < kPause; }

// Whether the process that started the server is gone without a word.
bool Server::leaves_alone() { return parent_ > 0 && ::kill(static_cast<pid_t>(parent_), 0) != 0 && errno == ESRCH; }

void Server::handle(Incoming& item) {
  struct Visitor {
    Server& server;
    void operator()(const Json& message) const { server.handle_message(message); }
    void operator()(NoJson) const { server.fail(Json(), kParseError, "not JSON"); }
    void operator()(EndOfInput) const { server.phase_ = Phase::Gone; }
    void operator()(const FramingTrouble& trouble) const { server.log_trouble(trouble.what); }
    void operator()(const Progress& progress) const { server.tell_progress(progress); }
    void operator()(const FirstLook& look) const { server.take(look); }
    void operator()(const KnownBefore& known) const { server.take(known); }
    void operator()(const std::shared_ptr<Loaded>& loaded) const { server.take(loaded); }
    void operator()(const std::shared_ptr<Outcome>& outcome) const { server.take(outcome); }
  };
  std::visit(Visitor{*this}, item);
}

void Server::handle_message(const Json& message) {
  if (!message.is_array()) {
    handle_one(message);
    return;
  }
  if (message.empty()) {
    fail(Json(), kInvalidRequest, "an empty batch");
    return;
  }
  std::vector<Json> answers;
  batch_ = &answers;
  for (const Json& one : items(message)) handle_one(one);
  batch_ = nullptr;
  if (!answers.empty()) send(Json(answers));
}

void Server::handle_one(const Json& message) {
  const Json& id = child(message, "id");
  const Json& method = child(message, "method");
  if (!message.is_object() || (method.is_null() && !message.contains("result") && !message.contains("error"))) {
    fail(is_id(id) ? id : Json(), kInvalidRequest, "neither a request nor an answer");
    return;
  }
  if (method.is_null()) {
    take_answer(id, message);
    return;
  }
  if (!method.is_string() || (message.contains("id") && !is_id(id))) {
    fail(is_id(id) ? id : Json(), kInvalidRequest, "a method is a string, an id a string or a whole number");
    return;
  }
  const std::string name = method.get<std::string>();
  if (message.contains("id")) {
    handle_request(id, name, child(message, "params"));
    return;
  }
  const auto found = notifications().find(name);
  if (found == notifications().end()) return;  // a notification that is not known is not answered
  if (phase_ != Phase::Running && name != "exit" && name != "$/cancelRequest") return;
  (this->*found->second)(child(message, "params"));
}

void Server::handle_request(const Json& id, const std::string& method, const Json& params) {
  if (inbox_.take_cancelled(id)) {
    fail(id, kRequestCancelled, "cancelled");
    return;
  }
  const auto found = requests().find(method);
  if (phase_ == Phase::Fresh && method != "initialize") {
    fail(id, kNotInitialized, "`initialize` comes first");
    return;
  }
  if (phase_ == Phase::ShutDown || (phase_ == Phase::Running && method == "initialize")) {
    fail(id, kInvalidRequest,
         phase_ == Phase::ShutDown ? "the server has shut down" : "the server is initialized already");
    return;
  }
  if (found == requests().end()) {
    fail(id, kMethodNotFound, "`" + method + "` is not known here");
    return;
  }
  if (waiting_.contains(id)) {
    fail(id, kInvalidRequest, "a request with this id is waiting");
    return;
  }
  if (method.starts_with("textDocument/") || method.starts_with("workspace/"))
    take_changes();  // it is asked about what was typed
  Answer answer;
  if (std::optional<std::string> what = contain([&] { answer = (this->*found->second)(id, params); })) {
    answer = Failure{kInternalError, "internal error: " + *what};
    show_broken(what);
  }
  if (Json* result = std::get_if<Json>(&answer)) reply(id, std::move(*result));
  if (const Failure* failure = std::get_if<Failure>(&answer)) fail(id, failure->code, failure->message);
}

void Server::send(Json message) {
  if (batch_ && message.is_object() && !message.contains("method")) {
    batch_->push_back(std::move(message));
    return;
  }
  io_.out << framed(dumped(message));
  io_.out.flush();
}

void Server::reply(const Json& id, Json result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::fail(const Json& id, int code, const std::string& message) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::notify(const char* method, Json params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::ask(const char* method, Json params, const std::string& what) {
  asked_[next_id_] = what;
  Json message{{"jsonrpc", "2.0"}, {"id", next_id_++}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  send(std::move(message));
}

void Server::show(int severity, const std::string& message) {
  notify("window/showMessage", {{"type", severity}, {"message", "ranklint: " + message}});
}

// Before `initialize` a client takes no notifications.
void Server::log_trouble(const std::string& what) {
  io_.err << "ranklint: " << what << std::endl;
  if (phase_ == Phase::Running) notify("window/logMessage", {{"type", kWarning}, {"message", "ranklint: " + what}});
}

// Each bug of ours once, however often it is met.
void Server::show_broken(const std::optional<std::string>& what) {
  if (what && shown_broken_.insert(*what).second)
    show(kWarning, "internal error: " + *what + "; " + std::string(kWhatToSend));
}

int serve(const Engine& engine, const Io& io, void (*leave)(int status)) {
  Inbox inbox;
  Checker checker(engine, io, inbox);
  std::thread reader([&inbox, &io] {
    FrameReader frames(io.read_some, [&inbox](const std::string& what) { inbox.push(FramingTrouble{what}); });
    while (std::optional<std::string> bytes = frames.next()) {
      Json message = Json::parse(*bytes, nullptr, false);
      if (message.is_discarded()) {
        inbox.push(NoJson{});
        continue;
      }
      const bool last = text_of(child(message, "method")) == "exit";
      inbox.push(std::move(message));
      if (last) return;
    }
    inbox.push(EndOfInput{});
  });
  const int status = Server(engine, io, inbox, checker).run();
  if (leave) leave(status);
  reader.join();
  return status;
}

}  // namespace ranklint::app::lsp
