"""No test of ours asks how long an example takes: a busy machine makes none of them fail."""

from hypothesis import settings

settings.register_profile("ragvet", deadline=None)
settings.load_profile("ragvet")
