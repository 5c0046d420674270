"""`movelo demo`: the whole job on games that movelo ships, without a network."""

from __future__ import annotations

from pathlib import Path

from pipeline.cli.options import (
    BudgetOption,
    EngineOption,
    FormatsOption,
    JsonOption,
    NodesOption,
    OutOption,
    WorkersOption,
    formats_of,
    nodes_of,
)


def demo(
    nodes: NodesOption = None,
    budget: BudgetOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = None,
    out: OutOption = None,
    formats: FormatsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Report on games that a model of human moves played, offline.

    Example: movelo demo --out demo-report
    """
    from config.settings import load_settings
    from pipeline.cli.output import write_report
    from pipeline.cli.workshop import workshop
    from pipeline.demo.games import DEMO_NOTE, DEMO_PLAYER, demo_games
    from pipeline.run import report_on
    from pipeline.selection import Selection

    settings = load_settings()
    chosen_nodes = nodes_of(nodes, budget, settings.engine)
    selection = Selection(player=DEMO_PLAYER, speeds=("blitz", "rapid"), casual=True)
    chosen = formats_of(formats) if formats else (() if as_json else settings.report.formats)
    with workshop(settings, nodes=chosen_nodes, workers=workers, engine=engine) as tools:
        found = report_on(demo_games(), selection, tools, notes=(DEMO_NOTE,))
    write_report(found, folder=out or Path(settings.report.folder), formats=chosen, as_json=as_json)
