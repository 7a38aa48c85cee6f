"""LiteLLM's own logs: the payload that its sinks write, and the rows of its database."""
