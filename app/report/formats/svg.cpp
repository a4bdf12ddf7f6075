// One finding as a picture, to be put into a review comment or a page: what is wrong, where, and the timeline.
// It stands alone: its own style, light and dark, no script and no reference to anything.
#include <algorithm>

#include "app/report/formats/formats.h"
#include "app/report/markup.h"
#include "app/report/source_text.h"
#include "app/report/text_layout.h"
#include "app/report/timeline.h"
#include "app/report/unchecked.h"
#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

constexpr unsigned kMargin = 20;
constexpr unsigned kWidth = 800;
constexpr unsigned kLineHeight = 20;
constexpr unsigned kTitleColumns = 84;  // of the sentence on top, whose letters are larger
constexpr unsigned kColumnsOfPicture = 104;

// The clearest: the first whose ranks diverge in a picture, else the first.
const Finding* chosen(const ReportInput& input) {
  const auto found = std::find_if(input.findings.begin(), input.findings.end(),
                                  [](const Finding& f) { return !f.witness.lanes.empty(); });
  if (found != input.findings.end()) return &*found;
  return input.findings.empty() ? nullptr : &input.findings.front();
}

class Picture {
 public:
  void add_title(const std::string& text) { add_words(text, "say", kTitleColumns); }

  void add_words(const std::string& text, const std::string& look, unsigned columns = kColumnsOfPicture) {
    for (const Line& line : wrapped(sentence(text), columns)) {
      inside_ +=
          "<text class=\"" + look + "\" x=\"" + std::to_string(kMargin) + "\" y=\"" + std::to_string(y_ + 14) + "\">";
      for (const Span& span : line)
        inside_ += span.style == Style::Code ? "<tspan class=\"c\">" + markup(without_backticks(span.text)) + "</tspan>"
                                             : markup(span.text);
      inside_ += "</text>\n";
      y_ += kLineHeight;
    }
  }

  void add_timeline(const Witness& witness) {
    const Timeline drawn = timeline(witness, {.width = kWidth - 2 * kMargin});
    if (drawn.elements.empty()) return;
    y_ += 10;
    inside_ += "<g transform=\"translate(" + std::to_string(kMargin) + " " + std::to_string(y_) + ")\">" +
               drawn.elements + "</g>\n";
    y_ += drawn.height + 4;
    width_ = std::max(width_, drawn.width + 2 * kMargin);
  }

  std::string take(const std::string& title) const {
    const std::string width = std::to_string(width_);
    const std::string height = std::to_string(y_ + kMargin);
    return "<svg class=\"rl-timeline\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height +
           "\" width=\"" + width + "\" height=\"" + height + "\" role=\"img\"" + attribute("aria-label", title) +
           ">\n<title>" + markup(title) + "</title>\n<style>" + timeline_style() +
           ".rl-timeline .sheet { fill: var(--rl-paper); stroke: var(--rl-line); }\n" +
           ".rl-timeline .say { font-size: 15px; font-weight: 600; }\n.rl-timeline .say .c { font-size: 14px; "
           "}\n</style>\n" +
           "<rect class=\"sheet\" x=\".5\" y=\".5\" width=\"" + std::to_string(width_ - 1) + "\" height=\"" +
           std::to_string(y_ + kMargin - 1) + "\" rx=\"12\"/>\n" + inside_ + "</svg>\n";
  }

 private:
  static std::string without_backticks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '`'), text.end());
    return text;
  }

  std::string inside_;
  unsigned y_ = kMargin - 2;
  unsigned width_ = kWidth;
};

}  // namespace

std::string render_svg(const ReportInput& input) {
  Picture picture;
  const Finding* finding = chosen(input);
  if (finding == nullptr) {
    const std::string text = unchecked_parts(input).empty() ? "No hazards found." : clean_verdict(input) + ".";
    picture.add_title(text);
    return picture.take(text);
  }
  Sources sources(input.source);
  picture.add_title(finding->message);
  picture.add_words(finding->code + " " + finding->rule + "  ·  " + sources.place(finding->primary), "pl");
  picture.add_timeline(finding->witness);
  for (const std::string& assumption : finding->witness.assumptions) picture.add_words("assuming " + assumption, "pl");
  return picture.take(printable(finding->code + " " + finding->message) + ". " + in_words(finding->witness));
}

}  // namespace ranklint::report
