import os


def begin_bad(folder):
    os.makedirs(folder)  # expect: [shared-file-written-by-all] "makes the folder"
