#include "tests/lsp/session.h"

#include <cstring>
#include <streambuf>

#include "app/engine/engine.h"
#include "app/lsp/document.h"
#include "app/lsp/framing.h"
#include "app/lsp/server.h"

namespace ranklint::test {

// Cuts what the server writes into messages. Each is written whole and then flushed.
class Session::Output : public std::streambuf {
 public:
  explicit Output(Session& session) : session_(session) {}

 protected:
  int_type overflow(int_type c) override {
    bytes_ += static_cast<char>(c);
    return c;
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    bytes_.append(text, static_cast<size_t>(count));
    return count;
  }
  int sync() override {
    const size_t body = bytes_.find("\r\n\r\n");
    const std::lock_guard lock(session_.mutex_);
    session_.incoming_.push_back(Json::parse(bytes_.substr(body + 4)));
    bytes_.clear();
    session_.changed_.notify_all();
    return 0;
  }

 private:
  Session& session_;
  std::string bytes_;
};

app::Engine engine_that_waits(std::promise<void>& may_read, const std::string& path) {
  app::Engine engine = app::real_engine();
  engine.frontend = [allowed = may_read.get_future().share(), real = engine.frontend,
                     path](const app::Reading& reading) -> Result<Frontend> {
    return Frontend([allowed, read = real(reading).value(), path](const std::string& file, std::string_view bytes) {
      if (path.empty() || file == path) allowed.wait_for(std::chrono::seconds(120));
      return read(file, bytes);
    });
  };
  return engine;
}

Session::Session(const std::string& root) : Session(root, app::real_engine()) {}

Session::Session(const std::string& root, app::Engine engine)
    : root_(root), engine_(std::move(engine)), output_(std::make_unique<Output>(*this)), out_(output_.get()) {
  server_ = std::thread([this] {
    const app::Io io{.read_stdin = {},
                     .out = out_,
                     .err = err_,
                     .environment = [](const std::string&) { return std::optional<std::string>(); },
                     .cwd = root_,
                     .read_some =
                         [this](char* to, size_t most) {
                           std::unique_lock lock(mutex_);
                           changed_.wait(lock, [this] { return ended_ || !input_.empty(); });
                           const size_t count = std::min(most, input_.size());
                           std::memcpy(to, input_.data(), count);
                           input_.erase(0, count);
                           return count;
                         }};
    const int status = app::lsp::serve(engine_, io, nullptr);
    const std::lock_guard lock(mutex_);
    status_ = status;
    changed_.notify_all();
  });
}

Session::~Session() { finish(); }

int Session::finish() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  if (server_.joinable()) server_.join();
  return status_;
}

void Session::send_bytes(const std::string& bytes) {
  const std::lock_guard lock(mutex_);
  input_ += bytes;
  changed_.notify_all();
}

void Session::send(const Json& message) { send_bytes(app::lsp::framed(message.dump())); }

void Session::notify(const std::string& method, Json params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

Json Session::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::seconds(60), [this] { return !incoming_.empty() || status_ >= 0; });
  if (incoming_.empty()) return Json();
  Json message = std::move(incoming_.front());
  incoming_.pop_front();
  if (message.is_object() && message.value("method", "") == "textDocument/publishDiagnostics")
    published_[message["params"]["uri"].get<std::string>()] = message["params"]["diagnostics"];
  return message;
}

void Session::settle() {
  if (!request("ranklint/settle", Json()).contains("result")) throw std::runtime_error("the server does not settle");
}

Json Session::next() {
  if (put_by_.empty()) return wait();
  Json message = std::move(put_by_.front());
  put_by_.pop_front();
  return message;
}

Json Session::request(const std::string& method, Json params) {
  const int64_t id = next_id_++;
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  for (;;) {
    Json message = wait();
    if (message.is_null() || (message.is_object() && message.value("id", Json()) == id && !message.contains("method")))
      return message;
    put_by_.push_back(std::move(message));
  }
}

Json Session::next_of(const std::string& method) {
  while (put_by() != 0)
    if (Json message = next(); message.value("method", "") == method) return message;
  return Json();
}

Json Session::next_published() {
  for (Json message = next(); !message.is_null(); message = next())
    if (message.value("method", "") == "textDocument/publishDiagnostics") return message["params"]["diagnostics"];
  return Json();
}

Json Session::start(Json capabilities, Json options) {
  Json answer = request("initialize", {{"processId", nullptr},
                                       {"rootUri", app::lsp::uri_of_path(root_)},
                                       {"capabilities", std::move(capabilities)},
                                       {"initializationOptions", std::move(options)}});
  notify("initialized", Json::object());
  return answer;
}

std::string Session::uri(const std::string& path) const { return app::lsp::uri_of_path(root_ + "/" + path); }

Json Session::diagnostics(const std::string& path) const {
  const auto found = published_.find(uri(path));
  return found == published_.end() ? Json::array() : found->second;
}

void Session::open(const std::string& path, const std::string& text) {
  notify("textDocument/didOpen",
         {{"textDocument", {{"uri", uri(path)}, {"languageId", "python"}, {"version", 1}, {"text", text}}}});
}

Json Session::hover(int line, int character) {
  return request("textDocument/hover", {{"textDocument", {{"uri", uri("train.py")}}},
                                        {"position", {{"line", line}, {"character", character}}}})["result"];
}

}  // namespace ranklint::test
