// The lanes of a finding as a page. The server draws the picture, as it does for reports; here it gets the editor's
// colours, and every step leads to its line.
import { RankPaths } from "./paths";

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

// The messages of the analysis mark code by backticks.
export function marked(text: string): string {
  return escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}

// The picture is markup. It comes from our own server, which escapes what it takes from files, and the page's policy lets
// no script run but its own.
const kStyle = `
:root:root { --rl-ink: var(--vscode-foreground); --rl-paper: var(--vscode-editor-background); --rl-dim: var(--vscode-descriptionForeground); }
body { font-family: var(--vscode-font-family, sans-serif); color: var(--vscode-foreground); padding: 0 1em; }
h1 { font-size: 1.1em; line-height: 1.4; }
.narrow { display: none; }
@media (max-width: 540px) { .wide { display: none; } .narrow { display: block; } }
.picture { overflow-x: auto; } .picture svg { max-width: 100%; height: auto; }
.assumptions { color: var(--vscode-descriptionForeground); }`;

const kScript = `
const vscode = acquireVsCodeApi();
document.documentElement.dataset.theme = /vscode-(light|high-contrast-light)/.test(document.body.className) ? "light" : "dark";
addEventListener("click", (e) => {
  const step = e.target.closest("[data-uri]");
  if (!step) return;
  e.preventDefault();
  vscode.postMessage({ uri: step.dataset.uri, line: +step.dataset.line, character: +step.dataset.character });
});`;

// No script but our own runs: what stands in the page comes from the user's files.
export function page(paths: RankPaths, nonce: string = Array.from({ length: 24 }, () => Math.floor(Math.random() * 36).toString(36)).join("")): string {
  const assumptions = paths.assumptions.map((a) => `<li>${marked(a)}</li>`).join("");
  const { style, wide, narrow } = paths.picture;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(paths.code)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>${style}${kStyle}</style></head>
<body><h1>${escaped(paths.code)} ${marked(paths.message)}</h1>
<div class="picture"><div class="wide">${wide}</div><div class="narrow">${narrow}</div></div>
${assumptions ? `<div class="assumptions"><p>Assuming</p><ul>${assumptions}</ul></div>` : ""}
${paths.help ? `<p>${marked(paths.help)}</p>` : ""}
<script nonce="${nonce}">${kScript}</script></body></html>`;
}
