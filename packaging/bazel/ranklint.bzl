"""Checks sources with ranklint: each is read by an action of its own, and one action judges what came out together.

    load("//tools:ranklint.bzl", "ranklint_check")

    ranklint_check(
        name = "findings",  # makes findings.sarif
        srcs = glob(["**/*.py"]),
        ranklint = "//tools:ranklint",
    )

What reading gives of a source stays the same until the source changes, so Bazel takes it from its cache, a remote one too. C and C++
files need the module `ranklint_cpp.so` beside the program, among `data`, and the headers that they include, among `srcs`.
"""

_HEADERS = ["h", "hh", "hpp", "hxx", "cuh"]
_INCLUDING = ["c", "cc", "cpp", "cxx", "cu"]

def _lower(ctx, source, headers):
    folder = ctx.actions.declare_directory("%s.lowered/%s" % (ctx.label.name, source.short_path))
    ctx.actions.run(
        executable = ctx.executable.ranklint,
        arguments = ["lower", "--output", folder.path, source.path],
        inputs = [source] + (headers if source.extension in _INCLUDING else []) + ctx.files.data,
        outputs = [folder],
        mnemonic = "RanklintLower",
        progress_message = "Reading " + source.short_path,
    )
    return folder

def _ranklint_check(ctx):
    headers = [file for file in ctx.files.srcs if file.extension in _HEADERS]
    sources = [file for file in ctx.files.srcs if file.extension not in _HEADERS]
    lowered = [_lower(ctx, source, headers) for source in sources]
    report = ctx.actions.declare_file(ctx.label.name + ".sarif")
    arguments = ctx.actions.args()
    arguments.add_all(["check", "--exit-zero", "--no-cache", "--output-format", "sarif", "--output-file", report])
    arguments.add_all(lowered, before_each = "--lowered", expand_directories = False)
    arguments.add_all(sources)
    ctx.actions.run(
        executable = ctx.executable.ranklint,
        arguments = [arguments],
        inputs = sources + headers + lowered + ctx.files.data + ctx.files.config,
        outputs = [report],
        mnemonic = "RanklintCheck",
        progress_message = "Checking %s" % ctx.label,
    )
    return [DefaultInfo(files = depset([report]))]

ranklint_check = rule(
    implementation = _ranklint_check,
    attrs = {
        "srcs": attr.label_list(allow_files = True, mandatory = True),
        "ranklint": attr.label(executable = True, cfg = "exec", allow_single_file = True, mandatory = True),
        "data": attr.label_list(allow_files = True, doc = "what the program needs beside itself"),
        "config": attr.label_list(allow_files = True, doc = "pyproject.toml or ranklint.toml, rules and models of its own"),
    },
)
