from build import build_bad, build_ok


def work_on_right(rank, url, store):
    ready = False
    try:
        start(rank, url)
        ready = True
        build_ok(store, rank=rank)
    except BaseException as error:
        print(error)
    finally:
        if ready:
            stop()


def work_on_wrong(rank, url, store):
    ready = False
    try:
        start(rank, url)
        ready = True
        build_bad(store, rank=rank)
    except BaseException as error:
        print(error)
    finally:
        if ready:
            stop()
