from .ops import *
from .ops import synchronise as synchronise_all
from .registry import build, register
