"""The engine for Apache Beam: the same tasks as on this machine, mapped by any Beam runner."""
