"""`torchlint rule`: show what a rule finds, why it matters and what to do."""

from __future__ import annotations

import click

from torchlint.pages import load_page, load_pages, render


@click.command()
@click.argument("code", required=False)
@click.option("--all", "every", is_flag=True, help="Show every rule.")
def rule(code: str | None, every: bool) -> None:
    """Explain the rule CODE (TL101)."""
    if every == (code is not None):
        raise click.UsageError("name one rule, such as TL101, or give --all")
    pages = [load_page(code)] if code else list(load_pages().values())
    click.echo("\n\n".join(render(page) for page in pages), nl=False)


explain = click.Command("explain", params=rule.params, callback=rule.callback, help="The same as `rule`.", hidden=True)
