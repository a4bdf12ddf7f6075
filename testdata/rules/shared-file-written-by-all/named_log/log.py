import os

rank = int(os.environ.get("RANK", -1))


def log_file():
    return os.path.join("logs", f"train_{rank}.log")


LOG_FILE = log_file()


def log_ok(text):
    if rank != -1:
        text = f"[{rank}] {text}"
    with open(LOG_FILE, "a") as f:
        f.write(text)


def log_bad(text):
    with open("logs/train.log", "a") as f:  # expect: [shared-file-written-by-all]
        f.write(text)
