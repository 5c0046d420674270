"""`movelo elo`: rating systems, from single games to performances and targets."""

from __future__ import annotations

import typer

from pipeline.cli import elo_basic, elo_cfc_uscf, elo_federations, elo_glicko, elo_target, elo_views

app = typer.Typer(
    no_args_is_help=True,
    help="Ratings calculated: Elo, FIDE, Échecs et Maths, CFC, US Chess, Glicko, Lichess; "
    "performances, conversions, targets.",
)
app.command("expected")(elo_basic.expected)
app.command("change")(elo_basic.change)
app.command("period")(elo_basic.period)
app.command("performance")(elo_views.performance)
app.command("fide")(elo_federations.fide)
app.command("fide-first")(elo_federations.fide_first)
app.command("cma")(elo_federations.cma)
app.command("cfc")(elo_cfc_uscf.cfc)
app.command("uscf")(elo_cfc_uscf.uscf)
app.command("fqe")(elo_federations.fqe)
app.command("glicko1")(elo_glicko.glicko1)
app.command("glicko2")(elo_glicko.glicko2)
app.command("convert")(elo_views.convert)
app.command("target")(elo_target.target)
