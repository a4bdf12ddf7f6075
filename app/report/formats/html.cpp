// The report as one page for a browser, with nothing beside it: style and script are inside, nothing is loaded.
//
// Without its script the page says everything: findings are <details> elements, steps of a picture are links to
// lines. The script adds the filter and the keys. Every picture is there twice, for a wide and for a narrow
// window, and the style sheet shows one of them.
#include <algorithm>
#include <map>

#include "app/report/fingerprint.h"
#include "app/report/formats/formats.h"
#include "app/report/formats/html.h"
#include "app/report/markup.h"
#include "app/report/timeline.h"
#include "app/report/unchecked.h"
#include "app/report/web_files.h"

namespace ranklint::report {

namespace html {

namespace {

constexpr unsigned kWidePicture = 680;
constexpr unsigned kNarrowPicture = 336;
constexpr size_t kOpenedAtFirst = 1;

std::string element(const std::string& tag, const std::string& attributes, const std::string& inside) {
  return "<" + tag + attributes + ">" + inside + "</" + tag + ">";
}

// "/home/me/project" -> "project": the page is sent around, and the folder above is private.
std::string project_name(const std::string& root) {
  const size_t end = root.find_last_not_of('/');
  return end == root.npos ? "" : root.substr(root.rfind('/', end) + 1, end - root.rfind('/', end));
}

struct RuleCount {
  std::string rule;
  Severity severity = Severity::Info;
  size_t count = 0;
};

class Page {
 public:
  explicit Page(const ReportInput& input) : input_(input), sources_(input.source) {}

  std::string run() {
    const std::string name = project_name(input_.project_root);
    out_ =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n" +
        element("title", "", name.empty() ? "ranklint" : markup(name) + ": ranklint") + "\n<style>\n" +
        timeline_style() + std::string(web_file("report.css")) + "</style>\n</head>\n<body>\n";
    add_head(name);
    if (!input_.findings.empty()) add_filter();
    out_ += "<main>\n";
    const Fingerprints prints = fingerprints(input_.findings, input_.suppressed);
    for (size_t i = 0; i < input_.findings.size(); ++i) add_finding(input_.findings[i], prints.findings[i], i + 1);
    if (input_.findings.empty())
      out_ += "<p class=\"none\">" + markup(clean_verdict(input_)) + ".</p>\n";
    else
      out_ += "<p class=\"none\" id=\"nothing\" hidden>Nothing matches the filter.</p>\n";
    out_ += "</main>\n";
    add_rules();
    add_notes();
    add_unchecked();
    add_suppressed();
    add_foot();
    out_ += "<script>\n" + std::string(web_file("report.js")) + "</script>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  // -- head --------------------------------------------------------------------------------------------------

  void add_head(const std::string& name) {
    size_t count[3] = {};
    for (const Finding& f : input_.findings) ++count[static_cast<size_t>(f.severity)];
    out_ += "<header>\n<p class=\"brand\">ranklint" + (name.empty() ? "" : " <span>" + markup(name) + "</span>") +
            "</p>\n<h1>" +
            (input_.findings.empty()
                 ? clean_verdict(input_)
                 : counted(input_.findings.size(), "hazard") + " in " + counted(input_.counts.files, "file")) +
            "</h1>\n<p class=\"counts\">";
    constexpr Severity kOrder[] = {Severity::Error, Severity::Warning, Severity::Info};
    for (const Severity severity : kOrder)
      if (const size_t n = count[static_cast<size_t>(severity)]; n > 0)
        out_ += element("span", " class=\"sev " + std::string(word(severity)) + "\"",
                        counted(n, std::string(word(severity))));
    if (input_.verified)
      out_ += element("span", "", std::to_string(input_.verified->confirmed) + " confirmed by a run");
    if (!input_.suppressed.empty())
      out_ += element("span", "", std::to_string(input_.suppressed.size()) + " suppressed");
    out_ += "</p>\n";
    if (const std::string text = unchecked_sentence(input_); !text.empty())
      out_ += "<p class=\"unchecked\">" + markup(text) + "</p>\n";
    add_rule_table();
    out_ += "</header>\n";
  }

  void add_rule_table() {
    std::map<std::string, RuleCount> rules;  // by code
    size_t most = 0;
    for (const Finding& f : input_.findings) {
      RuleCount& rule = rules[f.code];
      rule.rule = f.rule;
      rule.severity = std::max(rule.severity, f.severity);
      most = std::max(most, ++rule.count);
    }
    if (rules.size() < 2) return;
    out_ += "<ul class=\"rules\">\n";
    for (const auto& [code, rule] : rules)
      out_ += "<li><button type=\"button\"" + attribute("data-rule", code) +
              " aria-pressed=\"false\"><span class=\"id\">" + markup(code) + "</span> <span>" + markup(rule.rule) +
              "</span><span class=\"bar " + std::string(word(rule.severity)) +
              "\"><span style=\"width:" + std::to_string(std::max<size_t>(2, rule.count * 100 / most)) +
              "%\"></span></span><span class=\"n\">" + std::to_string(rule.count) + "</span></button></li>\n";
    out_ += "</ul>\n";
  }

  // Hidden until the script is there to do what it promises.
  void add_filter() {
    out_ +=
        "<form id=\"filter\" role=\"search\" hidden>\n<input type=\"search\" id=\"text\" placeholder=\"Filter: file, "
        "function, words\" aria-label=\"Filter\">\n";
    out_ +=
        "<select id=\"severity\" aria-label=\"Severity\"><option value=\"\">any "
        "severity</option><option>error</option><option>warning</option><option>info</option></select>\n";
    out_ +=
        "<select id=\"confidence\" aria-label=\"Confidence\"><option value=\"0\">any confidence</option><option "
        "value=\"3\">certain</option>"
        "<option value=\"2\">high or more</option><option value=\"1\">likely or more</option></select>\n";
    out_ +=
        "<output id=\"shown\" aria-live=\"polite\"></output>\n<button type=\"button\" id=\"all\">Open all</button>\n"
        "<button type=\"button\" id=\"theme\" title=\"Light or dark (t)\" aria-label=\"Light or "
        "dark\">◐</button>\n</form>\n";
  }

  // -- findings ----------------------------------------------------------------------------------------------

  void add_finding(const Finding& f, const std::string& fingerprint, size_t number) {
    out_ += "<details class=\"f " + std::string(word(f.severity)) + "\"" + attribute("id", f.code + "-" + fingerprint) +
            attribute("data-rule", f.code) + " data-confidence=\"" + std::to_string(static_cast<int>(f.confidence)) +
            "\"" + (number <= kOpenedAtFirst ? " open" : "") + ">\n<summary>";
    out_ += "<span class=\"say\">" + markup_sentence(f.message) + "</span><span class=\"meta\"><span class=\"sev " +
            std::string(word(f.severity)) + "\">" + std::string(word(f.severity)) + "</span><span class=\"id\">" +
            markup(f.code) + "</span><span>" + markup(f.rule) + "</span><span class=\"at\">" +
            markup(sources_.place(f.primary)) + "</span>" +
            (f.function.empty() ? "" : "<span class=\"fn\">" + markup(f.function) + "</span>") + "<span>" +
            std::string(word(f.confidence)) + "</span>" +
            (f.verdict ? "<span class=\"v\">" + std::string(word(f.verdict->kind)) + "</span>" : "") +
            "</span></summary>\n";
    out_ +=
        "<div class=\"body" + std::string(f.witness.lanes.empty() ? " alone" : "") + "\">\n<div class=\"beside\">\n";
    add_picture(f, number);
    out_ += "<div class=\"sources\">" + source_of(f, number, sources_) + "</div>\n</div>\n";
    add_words(f);
    out_ += "</div>\n</details>\n";
  }

  void add_picture(const Finding& f, size_t number) {
    if (f.witness.lanes.empty()) return;
    const FileNumbers files(f);
    const auto link = [&](const WitnessStep& step) -> std::string {
      const SourceText& text = sources_.file(step.location.path);
      if (!text.has_line(step.location.range.line)) return {};
      return " href=\"#" + line_id(number, files.of(step.location.path), step.location.range.line) + "\"";
    };
    out_ += "<figure class=\"picture\"><div class=\"wide\">" +
            timeline_svg(f.witness, {.width = kWidePicture, .link = link}) + "</div><div class=\"narrow\">" +
            timeline_svg(f.witness, {.width = kNarrowPicture, .link = link}) + "</div></figure>\n";
  }

  void add_words(const Finding& f) {
    std::string rows;
    if (!f.doubts.empty()) {
      std::string items;
      for (const FindingDoubt& doubt : f.doubts)
        items += element("li", "", markup_sentence(std::string(info_of(doubt.reason).sentence)));
      rows += "<dt>Merely possible</dt><dd><ul>" + items + "</ul></dd>";
    }
    if (!f.evidence.empty()) {
      std::string items;
      for (const FindingAssumption& rests : f.evidence)
        items += element("li", "", markup_sentence(sentence_of(rests.assumption)));
      rows += "<dt>Rests on</dt><dd><ul>" + items + "</ul></dd>";
    }
    if (!f.witness.assumptions.empty()) {
      std::string items;
      for (const std::string& assumption : f.witness.assumptions)
        items += element("li", "", markup_sentence(assumption));
      rows += "<dt>Assuming</dt><dd><ul>" + items + "</ul></dd>";
    }
    if (!f.help.empty()) rows += "<dt>Way out</dt><dd>" + markup_sentence(f.help) + "</dd>";
    if (const std::optional<ReportFix> fix = input_.fix ? input_.fix(f) : std::nullopt)
      rows += "<dt>Fix</dt><dd>" + markup_sentence(fix->title) + ": <code>ranklint check --fix" +
              (fix->safe ? "" : " --unsafe-fixes") + "</code> makes the change</dd>";
    if (f.verdict) rows += "<dt>A run</dt><dd>" + verdict(*f.verdict) + "</dd>";
    rows += "<dt>Rule</dt><dd>" + about(f) + "</dd>";
    out_ += "<dl>" + rows + "</dl>\n";
  }

  static std::string verdict(const Verdict& v) {
    std::string out = std::string(word(v.kind)) + (v.reason.empty() ? "" : ": " + markup_sentence(v.reason));
    if (v.ranks.empty()) return out;
    out += "<ul>";
    for (const std::string& rank : v.ranks) out += element("li", "", markup_sentence(rank));
    return out + "</ul>";
  }

  std::string about(const Finding& f) const {
    std::string out;
    for (const ReportRule& rule : input_.rules)
      if (rule.info->code == f.code)
        out = "<a href=\"#" + rule_id(f.code) + "\">" + markup_sentence(rule.info->summary) + "</a>. ";
    return out + "Where it is known to be right, a comment <code>ranklint: ignore[" + markup(f.rule) +
           "] reason</code> silences it.";
  }

  // -- the rest ----------------------------------------------------------------------------------------------

  static std::string rule_id(const std::string& code) { return markup("rule-" + code); }

  // Once each, however often it was met.
  void add_rules() {
    std::string pages;
    for (const ReportRule& rule : input_.rules) {
      const bool was_met = std::any_of(input_.findings.begin(), input_.findings.end(),
                                       [&](const Finding& f) { return f.code == rule.info->code; });
      if (!was_met) continue;
      pages += "<details class=\"rule\" id=\"" + rule_id(std::string(rule.info->code)) +
               "\"><summary><span class=\"id\">" + markup(rule.info->code) + "</span> " + markup(rule.info->id) +
               "</summary>\n" + page_of(rule) + "</details>\n";
    }
    if (!pages.empty()) out_ += "<section>\n<h2>What the rules are about</h2>\n" + pages + "</section>\n";
  }

  void add_notes() {
    if (input_.notes.empty()) return;
    out_ += "<section>\n<h2>" + counted(input_.notes.size(), "note") +
            " about the check itself</h2>\n<ul class=\"plain\">\n";
    for (const ReportNote& note : input_.notes)
      out_ += "<li><span class=\"id\">" + markup(note.code) + "</span> <span class=\"at\">" +
              markup(sources_.place(note.location)) + "</span> " + markup_sentence(note.message) + "</li>\n";
    out_ += "</ul>\n</section>\n";
  }

  void add_unchecked() {
    if (input_.unread.empty() && input_.incomplete.empty()) return;
    out_ += "<section>\n<h2>Not checked</h2>\n<ul class=\"plain\">\n";
    for (const auto& [place, text] : unchecked_places(input_))
      out_ += "<li><span class=\"at\">" + markup(place) + "</span> " + markup_sentence(text) + "</li>\n";
    out_ += "</ul>\n</section>\n";
  }

  void add_suppressed() {
    if (input_.suppressed.empty()) return;
    out_ += "<section>\n<h2>" + std::to_string(input_.suppressed.size()) + " suppressed</h2>\n<ul class=\"plain\">\n";
    for (const SuppressedFinding& s : input_.suppressed)
      out_ += "<li><span class=\"id\">" + markup(s.finding.code) + "</span> <span class=\"at\">" +
              markup(sources_.place(s.finding.primary)) + "</span> " + markup_sentence(s.finding.message) +
              "<br><span class=\"why\">" +
              (s.by == SuppressedFinding::By::Baseline ? "in the baseline"
               : s.reason.empty()                      ? "no reason given"
                                                       : markup(s.reason)) +
              "</span></li>\n";
    out_ += "</ul>\n</section>\n";
  }

  void add_foot() {
    out_ += "<footer><p>ranklint " + markup(input_.version) + " read " + counted(input_.counts.files, "file") +
            " and " + counted(input_.counts.functions, "function") + ", " +
            std::to_string(input_.counts.communicating_functions) + " of which communicate. " +
            counted(input_.counts.unresolved_calls, "call") +
            " had no body and no model.</p><p class=\"keys\" hidden><kbd>/</kbd> filter <kbd>j</kbd> <kbd>k</kbd> "
            "next, previous <kbd>o</kbd> open, close <kbd>a</kbd> all <kbd>t</kbd> light or dark</p></footer>\n";
  }

  const ReportInput& input_;
  Sources sources_;
  std::string out_;
};

}  // namespace

}  // namespace html

std::string render_html(const ReportInput& input) { return html::Page(input).run(); }

}  // namespace ranklint::report
