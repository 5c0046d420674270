"""Whether Dask workers work with the same things, and in words how they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from config.language import _, english, retold
from config.version import version
from engines.cluster_orders import Facts

_MOST_NAMED = 5


def common_facts(found: Mapping[str, Facts]) -> Facts:
    """What most workers have; `found` by worker, at least one."""
    (facts, _count), *_others = Counter(found.values()).most_common(1)
    return facts


def refusal(
    found: Mapping[str, Facts], expected: Facts, *, problems: Mapping[str, str] | None = None
) -> str | None:
    """Which workers differ from `expected` and how, in one sentence; None when none does.

    `problems` are workers that can't work at all, and why.
    """
    faults = [
        *((worker, retold(problem)) for worker, problem in (problems or {}).items()),
        *((worker, _difference(facts, expected)) for worker, facts in found.items()),
    ]
    named = [f"{worker}: {fault}" for worker, fault in faults if fault]
    if not named:
        return None
    return _(
        "workers of the cluster differ or can't work ({faults}); give them all the same, and "
        "start the same command again: what was evaluated is kept"
    ).format(faults="; ".join(_shortened(named)))


def unfit_for_tasks(error: BaseException | None) -> str:
    """Why a worker could not even begin with a task of movelo's."""
    if isinstance(error, (ImportError, AttributeError)):
        problem = english("it has no movelo of this kind ({error}); install movelo {version} there")
    else:
        problem = english("it can't do movelo's tasks ({error}); install movelo {version} there")
    first_line = str(error).strip().partition("\n")[0]
    return problem.format(error=first_line, version=version())


def _shortened(named: Sequence[str]) -> Iterator[str]:
    yield from named[:_MOST_NAMED]
    if len(named) > _MOST_NAMED:
        yield _("and {workers} more").format(workers=len(named) - _MOST_NAMED)


def _difference(facts: Facts, expected: Facts) -> str:
    """The first one says most: whatever follows may follow from it. "" when there is none."""
    here, there = dict(facts), dict(expected)
    for name in [*there, *here]:
        if here.get(name, "") != there.get(name, ""):
            return _("{what} is {found} and not {expected}").format(
                what=_in_words(name),
                found=here.get(name) or _("none"),
                expected=there.get(name) or _("none"),
            )
    return ""


def _in_words(name: str) -> str:
    words = {
        "movelo": _("its movelo"),
        "engine": _("its engine"),
        "network": _("its engine's network"),
        "network file": _("the content of its engine's network"),
        "tables": _("the number of its Syzygy tables"),
        "trial": _("what its engine finds at the start of a game"),
        "human-move model": _("its human-move model"),
    }
    return words[name]
