// The lanes of a finding as a page: a column for each class of ranks, its steps from top to bottom, collectives as boxes,
// and in red the one in which a lane waits for ever. Every step leads to its line.
import { Lane, RankPaths, Step } from "./paths";

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

// The messages of the analysis mark code by backticks.
export function marked(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}

function place(step: Step): string {
  if (!step.location) return "";
  const { line, character } = step.location.range.start;
  return ` data-uri="${escaped(step.location.uri)}" data-line="${line}" data-character="${character}" tabindex="0" role="link"`;
}

function fileAndLine(step: Step): string {
  if (!step.location) return "";
  const file = decodeURIComponent(step.location.uri.slice(step.location.uri.lastIndexOf("/") + 1));
  return `<span class="place">${escaped(file)}:${step.location.range.start.line + 1}</span>`;
}

function stepOf(step: Step, waits: boolean): string {
  const name = `step ${step.kind}${waits ? " waits" : ""}`;
  return `<li class="${name}" style="margin-left:${Math.min(step.nesting, 12)}em"${place(step)}>${marked(step.text)}${fileAndLine(step)}</li>`;
}

function laneOf(lane: Lane): string {
  const last = lane.steps.length - 1;
  const waits = (i: number): boolean => i === last && lane.steps[i].kind === "collective";
  const steps = lane.steps.map((step, i) => stepOf(step, waits(i))).join("\n");
  const end = lane.end ? `<p class="end">${marked(lane.end)}</p>` : "";
  return `<section class="lane"><h2>${escaped(lane.ranks)}</h2><ol>\n${steps}\n</ol>${end}</section>`;
}

const kStyle = `
body { font-family: var(--vscode-font-family, sans-serif); color: var(--vscode-foreground); padding: 0 1em; }
h1 { font-size: 1.1em; } h2 { font-size: 1em; border-bottom: 2px solid var(--vscode-panel-border, gray); }
.lanes { display: flex; flex-wrap: wrap; gap: 1.5em; } .lane { flex: 1 1 16em; min-width: 0; }
ol { list-style: none; padding: 0; border-left: 2px solid var(--vscode-panel-border, gray); }
.step { padding: .25em .6em; margin: .3em 0; cursor: pointer; overflow-wrap: anywhere; }
.step:hover, .step:focus { background: var(--vscode-list-hoverBackground, rgba(128,128,128,.2)); }
.collective { border: 1px solid var(--vscode-panel-border, gray); border-radius: .3em; font-weight: 600; }
.waits { border: 2px solid var(--vscode-errorForeground, #d33); } .end { color: var(--vscode-errorForeground, #d33); }
.place { float: right; opacity: .65; font-weight: normal; margin-left: 1em; }`;

const kScript = `
const vscode = acquireVsCodeApi();
function open(e) {
  const step = e.target.closest("[data-uri]");
  if (step) vscode.postMessage({ uri: step.dataset.uri, line: +step.dataset.line, character: +step.dataset.character });
}
addEventListener("click", open);
addEventListener("keydown", (e) => { if (e.key === "Enter") open(e); });`;

// No script but our own runs: what stands in the page comes from the user's files.
export function page(paths: RankPaths, nonce: string = Array.from({ length: 24 }, () => Math.floor(Math.random() * 36).toString(36)).join("")): string {
  const assumptions = paths.assumptions.map((a) => `<li>${marked(a)}</li>`).join("");
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(paths.code)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>${kStyle}</style></head>
<body><h1>${escaped(paths.code)} ${marked(paths.message)}</h1>
<div class="lanes">${paths.lanes.map(laneOf).join("\n")}</div>
${assumptions ? `<p>Assuming</p><ul>${assumptions}</ul>` : ""}
${paths.help ? `<p>${marked(paths.help)}</p>` : ""}
<script nonce="${nonce}">${kScript}</script></body></html>`;
}
