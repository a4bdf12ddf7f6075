"""Builds the documentation as a site: build.py RANKLINT OUT.

README.md, docs/*.md and a page for every rule, as the program itself tells them, become OUT/html/. It needs what
requirements.txt pins and nothing from the network; fonts and scripts are the site's own. A link that leads nowhere ends
the build.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent
ROOT = SITE.parents[1]

# The order of the pages, each of which has to be there; one that is not named here comes under "More", so that none is lost.
SECTIONS = {
    "Start": ["tutorial", "install", "editors", "ci"],
    "Use": ["configuration", "cache", "living-with-findings", "reports", "reasons", "verify", "extending", "models", "declarative-rules", "cpp", "mpi"],
    "How it works": ["how-it-works", "analysis", "contracts", "architecture", "ir", "random-programs", "planted", "field-report", "calibration", "comparison"],
    "The runtime": ["runtime", "sharded", "loading"],
    "Take part": ["contributing", "frontends"],
}
PACKS = {"RL1": "Collectives", "RL2": "Point to point", "RL3": "DTensor", "RL4": "FSDP", "RL5": "Loading", "RL6": "Sequence parallel",
         "RL7": "Launch", "RL80": "MPI", "RL81": "MPI", "RL85": "NCCL", "RL86": "NCCL", "RL9": "The tool itself"}

CONFIG = """\
site_name: ranklint
site_description: Finds where the ranks of distributed training code stop agreeing
docs_dir: pages
site_dir: html
use_directory_urls: false
strict: true
validation: {{ links: {{ anchors: warn, unrecognized_links: warn }} }}
theme:
  name: material
  font: false
  icon: {{ logo: material/source-merge }}
  features: [navigation.sections, navigation.top, navigation.footer, content.code.copy, toc.follow]
  palette:
    - {{ media: "(prefers-color-scheme: light)", scheme: default, primary: custom, accent: custom, toggle: {{ icon: material/weather-night, name: Dark }} }}
    - {{ media: "(prefers-color-scheme: dark)", scheme: slate, primary: custom, accent: custom, toggle: {{ icon: material/weather-sunny, name: Light }} }}
extra_css: [site.css]
markdown_extensions:
  - tables
  - attr_list
  - toc: {{ permalink: true }}
  - pymdownx.superfences
  - pymdownx.highlight: {{ guess_lang: false }}
plugins: [search]
extra: {{ generator: false }}
nav: {nav}
"""


def title_of(page: Path) -> str:
    heading = next((line for line in page.read_text().splitlines() if line.startswith("# ")), f"# {page.stem}")
    return heading[2:].replace("`", "")


def with_site_links(text: str, pages: dict) -> str:
    """Links as they lead from the site; what is not part of it (a source file) is named only. `pages`: title by name."""

    def link(match):
        label, target, anchor = match[1], match[2], match[3] or ""
        name = target.removeprefix("docs/").removeprefix("./")
        if name in pages and label.removeprefix("docs/") == name:
            label = f"*{pages[name]}*"
        if name.startswith(("http:", "https:")) or name in pages:
            return f"[{label}]({name}{anchor})"
        if rule := re.fullmatch(r"(?:\.\./)?rules/[\w-]+/([\w-]+)\.md", name):
            return f"[{label}](rules/{rule[1]}.md)"
        return label

    text = re.sub(r'^(```\w+) quote="([^"]+)"', r'\1 title="\2"', text, flags=re.MULTILINE)
    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)#\s]+)(#[\w-]+)?\)", link, text)


def for_readers(text: str) -> str:
    """Without what only tests read: an expectation becomes the name of the rule."""
    text = re.sub(r"\s*(?:#|//) expect-note:.*", "", text)
    return re.sub(r"(#|//) expect: \[([\w-]+)\].*", r"\1 ← \2", text)


def pack_of(code: str) -> str:
    return next((name for prefix, name in PACKS.items() if code.startswith(prefix)), "Others")


def write_rules(ranklint: str, pages: Path) -> list:
    """A page for each rule and one for all of them; the entries of the navigation."""
    (pages / "rules").mkdir()
    rules = json.loads(subprocess.check_output([ranklint, "rules", "--output-format", "json"]))
    ids = {rule["id"] for rule in rules}
    packs = {}
    for rule in rules:
        page = for_readers(subprocess.check_output([ranklint, "rule", rule["id"]], text=True))
        linked = re.sub(r"`([a-z0-9]+(?:-[a-z0-9]+)+)`", lambda m: f"[{m[0]}]({m[1]}.md)" if m[1] in ids and m[1] != rule["id"] else m[0], page)
        (pages / "rules" / f"{rule['id']}.md").write_text(linked)
        packs.setdefault(pack_of(rule["code"]), []).append(rule)

    index = [f"# Rules\n\n{len(rules)} rules. Those in *italics* are off until they are selected.\n"]
    navigation = [{"All rules": "rules/index.md"}]
    for pack, members in packs.items():
        index.append(f"## {pack}\n\n| Code | Rule | Severity | Finds |\n|---|---|---|---|")
        for rule in members:
            mark = "" if rule["default"] else "*"
            name = f"{mark}[`{rule['id']}`]({rule['id']}.md){mark}"
            index.append(f"| {rule['code']} | {name} | {rule['severity']} | {rule['summary']} |")
        index.append("")
        navigation.append({pack: [{f"{rule['code']} {rule['id']}": f"rules/{rule['id']}.md"} for rule in members]})
    (pages / "rules/index.md").write_text("\n".join(index))
    return navigation


def write_pages(pages: Path) -> list:
    sources = {path.stem: path for path in sorted((ROOT / "docs").glob("*.md"))}
    known = {f"{stem}.md": title_of(path) for stem, path in sources.items()}
    (pages / "index.md").write_text(with_site_links((ROOT / "README.md").read_text(), known))
    for stem, path in sources.items():
        (pages / f"{stem}.md").write_text(with_site_links(path.read_text(), known))
    if (ROOT / "docs/pictures").is_dir():
        shutil.copytree(ROOT / "docs/pictures", pages / "pictures")
    named = {stem for stems in SECTIONS.values() for stem in stems}
    sections = dict(SECTIONS, More=[stem for stem in sources if stem not in named])
    navigation = [{"Overview": "index.md"}]
    for section, stems in sections.items():
        entries = [{title_of(sources[stem]): f"{stem}.md"} for stem in stems]
        if entries:
            navigation.append({section: entries})
    return navigation


def main(ranklint: str, out: Path) -> None:
    pages = out / "pages"
    shutil.rmtree(out, ignore_errors=True)
    pages.mkdir(parents=True)
    navigation = write_pages(pages)
    navigation.append({"Rules": write_rules(ranklint, pages)})
    shutil.copy(SITE / "site.css", pages / "site.css")
    config = out / "mkdocs.yml"
    config.write_text(CONFIG.format(nav=json.dumps(navigation)))
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", config], check=True,
                   env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    print(out / "html" / "index.html")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: build.py RANKLINT OUT")
    main(sys.argv[1], Path(sys.argv[2]).resolve())
