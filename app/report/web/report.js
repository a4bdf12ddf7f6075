"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const findings = [...document.querySelectorAll(".f")];
  const rules = [...document.querySelectorAll(".rules button")];
  const filter = $("filter");
  if (!filter) return;
  const words = findings.map((f) => f.querySelector("summary").textContent.toLowerCase());
  let visible = findings;

  // -- filter -----------------------------------------------------------------------------------------------------
  function chosenRules() { return rules.filter((b) => b.getAttribute("aria-pressed") === "true").map((b) => b.dataset.rule); }

  function apply() {
    const wanted = $("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const severity = $("severity").value, confidence = +$("confidence").value, chosen = chosenRules();
    visible = findings.filter((f, i) => {
      const shown = (!severity || f.classList.contains(severity)) && +f.dataset.confidence >= confidence &&
        (!chosen.length || chosen.includes(f.dataset.rule)) && wanted.every((w) => words[i].includes(w));
      f.hidden = !shown;
      return shown;
    });
    $("shown").value = visible.length === findings.length ? `${findings.length} shown` : `${visible.length} of ${findings.length}`;
    $("nothing").hidden = visible.length > 0;
    tellAll();
  }
  filter.addEventListener("submit", (e) => e.preventDefault());
  for (const id of ["text", "severity", "confidence"]) $(id).addEventListener("input", apply);
  for (const b of rules)
    b.addEventListener("click", () => { b.setAttribute("aria-pressed", b.getAttribute("aria-pressed") === "true" ? "false" : "true"); apply(); });

  // -- opening -----------------------------------------------------------------------------------------------------
  function allOpen() { return visible.length > 0 && visible.every((f) => f.open); }
  function tellAll() { $("all").textContent = allOpen() ? "Close all" : "Open all"; }
  function toggleAll() { const open = !allOpen(); for (const f of visible) f.open = open; tellAll(); }
  $("all").addEventListener("click", toggleAll);

  function openTarget() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const around = target && target.closest("details");
    if (!around) return;
    around.open = true;
    target.scrollIntoView({ block: around === target ? "start" : "nearest" });
  }
  addEventListener("hashchange", openTarget);

  // -- keys --------------------------------------------------------------------------------------------------------
  function step(by) {
    const at = visible.findIndex((f) => f.contains(document.activeElement));
    const next = visible[at < 0 ? (by > 0 ? 0 : visible.length - 1) : Math.min(Math.max(at + by, 0), visible.length - 1)];
    if (!next) return;
    next.querySelector("summary").focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  }
  function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }
  $("theme").addEventListener("click", toggleTheme);
  const keys = {
    j: () => step(1), k: () => step(-1), a: toggleAll, t: toggleTheme, "/": () => $("text").focus(),
    o: () => { const f = document.activeElement.closest(".f"); if (f) f.open = !f.open; },
  };
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape" && e.target === $("text")) { $("text").value = ""; apply(); $("text").blur(); return; }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  });

  // -- a step of a picture lights its line --------------------------------------------------------------------------
  function light(e, on) {
    const a = e.target.closest && e.target.closest(".picture a");
    const line = a && document.getElementById(a.getAttribute("href").slice(1));
    if (line) line.classList.toggle("lit", on);
  }
  for (const name of ["mouseover", "focusin"]) addEventListener(name, (e) => light(e, true));
  for (const name of ["mouseout", "focusout"]) addEventListener(name, (e) => light(e, false));
  // The line comes into view beside the picture, and the window stays where it is.
  addEventListener("click", (e) => {
    const a = e.target.closest && e.target.closest(".picture a");
    if (!a || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    history.replaceState(null, "", a.getAttribute("href"));
    for (const old of document.querySelectorAll(".sl.lit")) old.classList.remove("lit");
    const line = document.getElementById(a.getAttribute("href").slice(1));
    line.classList.add("lit");
    line.scrollIntoView({ block: "nearest" });
  });

  // -- paper ---------------------------------------------------------------------------------------------------------
  let closed = [];
  addEventListener("beforeprint", () => { closed = visible.filter((f) => !f.open); for (const f of closed) f.open = true; });
  addEventListener("afterprint", () => { for (const f of closed) f.open = false; });

  filter.hidden = false;
  for (const hint of document.querySelectorAll(".keys")) hint.hidden = false;
  apply();
  openTarget();
})();
