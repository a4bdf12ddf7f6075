// What lists of requirements say, as the calls they become.
#include "frontends/requirements/requirements.h"

#include <catch2/catch.hpp>

#include "analyzer/ir/verify.h"

namespace ranklint {

// The requirements in order, with their lines: "1 torch<2".
static std::vector<std::string> stated(const std::string& path, std::string_view bytes) {
  const ir::Module module = lower_requirements(path, bytes);
  CHECK(ir::verify(module).empty());
  std::vector<std::string> all;
  for (const ir::Function& f : module.functions)
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Call)
          all.push_back(std::to_string(i.range.line) + " " +
                        std::string(module.text(f.exprs[ir::arguments(f, i)[0].value].symbol)));
  return all;
}

using Stated = std::vector<std::string>;

TEST_CASE("files that state requirements are known by their names") {
  for (const char* path :
       {"requirements.txt", "a/requirements-dev.txt", "dev_requirements.txt", "constraints.txt", "pyproject.toml",
        "x/setup.cfg", "environment.yml", "environment_gpu.yaml", "conda.yaml", "a/Dockerfile.gpu"})
    CHECK(may_require(path));
  for (const char* path : {"notes.txt", "ranklint.toml", "train.yaml", "requirements.md", "setup.py",
                           "requirements/a.yaml", "Dockerfile_train.py"})
    CHECK_FALSE(may_require(path));
}

TEST_CASE("lines state requirements") {
  CHECK(stated("requirements.txt", "# numbers\nnumpy\n  torch>=1.13,<2  # cuda\n-r base.txt\nlightning==1.9.4\n") ==
        Stated{"3 torch>=1.13,<2  # cuda", "5 lightning==1.9.4"});
  CHECK(stated("setup.cfg", "[metadata]\nname = x\n[options]\ninstall_requires =\n    torch<2\n") ==
        Stated{"5 torch<2"});
}

TEST_CASE("tables of pyproject.toml state requirements") {
  CHECK(stated("pyproject.toml", R"([project]
dependencies = ["torch<2", "numpy"]
[project.optional-dependencies]
train = ["lightning~=1.8"]
[tool.poetry.dependencies]
accelerate = "^0.20"
deepspeed = {version = "<0.9", optional = true}
)") == Stated{"2 torch<2", "6 accelerate ^0.20", "7 deepspeed <0.9"});
}

TEST_CASE("an environment of conda states requirements, with those of pip in it") {
  CHECK(stated("environment.yml", "name: x\ndependencies:\n  - python=3.8\n  - pip\n  - pip:\n    - torch==1.9.0\n") ==
        Stated{"3 python=3.8", "6 torch==1.9.0"});
}

TEST_CASE("an image states what it is made of, and what is installed in it") {
  CHECK(stated("Dockerfile",
               "FROM host:5000/pytorch/pytorch:1.7.1-cuda11.0 AS base\n# RUN pip install torch==9\n"
               "RUN pip install 'timm<1' \\\n  x==2\nRUN echo y==3\n") ==
        Stated{"1 pytorch==1.7.1-cuda11.0", "3 timm<1", "4 x==2"});
  CHECK(stated("Dockerfile.gpu", "FROM ubuntu\nFROM a:b\nRUN [ $x == 1 ] && pip install torch\n").empty());
}

TEST_CASE("what cannot be read states nothing") {
  CHECK(stated("pyproject.toml", "[project\ndependencies = [\"torch<2\"").empty());
  CHECK(stated("environment.yml", "dependencies: [torch<2").empty());
  CHECK(stated("environment.yml", "- torch<2\n").empty());
  CHECK(stated("requirements.txt", std::string(2 << 20, 'x')).empty());
  CHECK_FALSE(requires_versions("requirements.txt", "numpy\n"));
  CHECK(requires_versions("requirements.txt", "numpy<2\n"));
}

}  // namespace ranklint
