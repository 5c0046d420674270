"""How all tests run: these machines are shared, so a slow example is no failure."""

from hypothesis import settings

settings.register_profile("movelo", deadline=None)
settings.load_profile("movelo")
