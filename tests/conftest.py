"""Property tests have no deadline: a slow machine makes no test fail."""

from hypothesis import settings

settings.register_profile("leakrate", deadline=None)
settings.load_profile("leakrate")
