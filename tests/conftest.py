"""How all tests run: these machines are shared, so a slow example is no failure.

Whatever the machine speaks, movelo speaks English here; tests of languages say so themselves.
"""

import os

from hypothesis import settings

settings.register_profile("movelo", deadline=None)
settings.load_profile("movelo")
os.environ["MOVELO_LANG"] = "en"
