"""Identity: where a turn ran, from what its log says and what the deployment history adds.

A deployment file (TOML or CSV) tells, for a span of time and a gateway's model, model id or address, which engine, version,
template, parsers and launch flags stood behind it. The log wins where both speak, except for the model's name.
"""

from pipelines.deployments.history import Deployment, Deployments, load
from pipelines.deployments.identity import identify, identity_key
from pipelines.deployments.thinking import thinking_mode

__all__ = ["Deployment", "Deployments", "identify", "identity_key", "load", "thinking_mode"]
