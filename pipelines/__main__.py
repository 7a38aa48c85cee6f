"""`python -m pipelines` is the `leakrate` command."""

from pipelines.cli import main

if __name__ == "__main__":
    main()
