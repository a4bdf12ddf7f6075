import core
import core.ops.reduce as reductions
from core import average as mean_of
from core import shorten, synchronise_all
from core.metrics import Mean, Peak, summarise
from core.ops import *

from .rank import is_primary


def reexported_bad(x):
    if is_primary():
        return mean_of(x)  # expect: [rank-guarded-collective] "`all_reduce`"
    return x


def reexported_under_another_name_bad(x):
    if is_primary():
        synchronise_all(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def star_import_bad(x):
    if is_primary():
        synchronise(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def attribute_of_the_package_bad(x):
    if is_primary():
        core.average(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def module_alias_bad(x):
    if is_primary():
        reductions.synchronise(x)  # expect: [rank-guarded-collective] "`all_reduce`"


def method_bad(x):
    metric = Mean(x)
    if is_primary():
        print(metric.compute())  # expect: [rank-guarded-collective] "`all_reduce`"


def overriding_method_ok(x):
    metric = Peak(x)
    if is_primary():
        print(metric.compute())


def chain_over_files_bad(x):
    if is_primary():
        print(shorten(str(summarise(x))))  # expect: [rank-guarded-collective] "`all_reduce`"


def local_helper_ok(x):
    mean = mean_of(x)
    if is_primary():
        print(shorten(str(mean)))
