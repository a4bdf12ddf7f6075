from __future__ import annotations

import a.b.c
import a.b.c as d, e
from . import sibling
from ..package.module import name as alias, other
from everything import *
