"""`leakrate train`: a model folder from labelled examples."""

from pathlib import Path

import click


@click.command(name="train")
@click.option(
    "--examples",
    "paths",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    help="JSONL file or folder of labelled examples; may be given several times.",
)
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder of the model; a model in it is overwritten.",
)
@click.option("--name", default="custom", show_default=True, help="Name of the model.")
@click.option("--version", default="1.0", show_default=True, help="Version of the model: MAJOR.MINOR.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0))
def command(paths: tuple[Path, ...], output: Path, name: str, version: str, seed: int) -> None:
    """Train a classifier for thoughts and work messages in answers.

    The same examples, seed and version of leakrate give the same bytes. Examples whose split is test are not learned from; the
    model card reports on them. Takes some minutes for ten thousand texts.
    """
    from classifier import export
    from classifier.examples import ExampleError, read
    from classifier.train import train
    from pipelines.cli.writable import check_writable
    from pipelines.errors import ConfigurationError
    from pipelines.scored import check_version

    if not output.is_dir():
        check_writable({"--output": str(output)})
    elif any(output.iterdir()) and not (output / "model.json").exists():
        raise ConfigurationError(
            f"{output}: --output must be a new folder or a model folder, this holds something else"
        )
    check_version(version, "--version")
    try:
        examples = read(paths)
        trained = train(examples, seed=seed)
    except ExampleError as error:
        raise ConfigurationError(str(error)) from None
    model = export.write(trained, output, examples=examples, name=name, version=version)
    click.echo(f"{output}: {name} {model.version}, trained on {trained.training['texts']} texts; see MODEL_CARD.md")
