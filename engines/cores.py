"""How many processor cores this process may really use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_CGROUP_V1_MOUNTS = ("sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct")
_CGROUP_V2_MOUNTS = ("sys/fs/cgroup", "sys/fs/cgroup/unified")


def usable_cores(system_root: Path = Path("/")) -> int:
    """Cores that one may keep busy, 1 or more: CPU affinity, and cgroup v1 and v2 quotas.

    A container on a large machine often owns a fraction of it; a quota of 1.5 cores counts
    as 1. `system_root` is where /proc and /sys are found.
    """
    quotas = [max(1, int(quota)) for quota in _cpu_quotas(system_root)]
    return min([_cores_by_affinity(), *quotas])


def _cores_by_affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpu_quotas(system_root: Path) -> Iterator[float]:
    for line in _text(system_root / "proc/self/cgroup").splitlines():
        hierarchy, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        if hierarchy == "0":
            yield from _v2_quotas(system_root, group)
        elif "cpu" in controllers.split(","):
            yield from _v1_quotas(system_root, group)


def _v2_quotas(system_root: Path, group: str) -> Iterator[float]:
    """`cpu.max` holds `<quota|max> <period>`, both in microseconds (kernel cgroup-v2)."""
    for folder in _group_folders(system_root, _CGROUP_V2_MOUNTS, group):
        yield from _cores(_text(folder / "cpu.max").split())


def _v1_quotas(system_root: Path, group: str) -> Iterator[float]:
    for folder in _group_folders(system_root, _CGROUP_V1_MOUNTS, group):
        quota = _text(folder / "cpu.cfs_quota_us")
        period = _text(folder / "cpu.cfs_period_us")
        yield from _cores([quota.strip(), period.strip()])


def _cores(quota_and_period: list[str]) -> Iterator[float]:
    """No quota is written `max` (v2) or `-1` (v1)."""
    if len(quota_and_period) == 2 and all(text.isdigit() for text in quota_and_period):
        quota, period = map(int, quota_and_period)
        if period > 0:
            yield quota / period


def _group_folders(system_root: Path, mounts: tuple[str, ...], group: str) -> Iterator[Path]:
    """The group and all groups above it: each of them may hold a quota.

    Inside a container the group's own path may not be visible; the mount then is the group.
    """
    group_path = Path(group.strip().lstrip("/"))
    for mount in mounts:
        for folder in (group_path, *group_path.parents):
            yield system_root / mount / folder


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace")
    except OSError:
        return ""
