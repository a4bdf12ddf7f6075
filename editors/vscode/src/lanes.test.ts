import { strict as assert } from "node:assert";
import { test } from "node:test";
import { marked, page } from "./lanes";
import { isRankPaths, RankPaths, Step } from "./paths";

const at = { uri: "file:///a%20b/train.py", range: { start: { line: 5, character: 8 }, end: { line: 5, character: 14 } } };
const step = (kind: Step["kind"], text: string, nesting = 0): Step => ({ kind, text, nesting, function: "step", op: "", group: "", location: at });
const paths: RankPaths = {
  code: "RL101", rule: "rank-guarded-collective", message: "`barrier` on `world`", help: "", location: at, assumptions: [],
  lanes: [
    { ranks: "rank 0", steps: [step("branch", "`rank == 0` is true"), step("collective", "`barrier` on `world`", 1)], end: "waits for the other ranks" },
    { ranks: "the other ranks", steps: [step("exit", "leaves")], end: "never call `barrier`" },
  ],
  picture: { style: ":root { --rl-red: red }", wide: '<svg><a data-uri="file:///a%20b/train.py" data-line="5" data-character="8"></a></svg>', narrow: "<svg></svg>" },
};

test("the server's picture stands in the page, for wide and for narrow panels", () => {
  const html = page(paths, "n");
  assert.equal(html.split("<svg>").length - 1, 2);
  assert.match(html, /--rl-red: red/);
});

test("no script runs but the page's own", () => {
  assert.match(page(paths, "n"), /default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-n'/);
});

test("what comes from the user's files is text and nothing else", () => {
  const html = page({ ...paths, message: "<script>alert(1)</script> `<b>`" }, "n");
  assert.ok(!html.includes("<script>alert"));
  assert.equal(marked("`<b>`"), "<code>&#60;b&#62;</code>");
});

test("only what looks like paths of ranks is drawn", () => {
  assert.ok(isRankPaths(paths));
  for (const other of [null, undefined, 1, {}, { lanes: 1, code: "x" }, { lanes: [], code: "x" }]) assert.ok(!isRankPaths(other));
});
