"""A small classifier for thoughts and work messages in answers; `runtime.py` is all a gateway needs."""
