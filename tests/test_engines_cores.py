import os
from pathlib import Path

import pytest

from engines.cores import usable_cores


@pytest.fixture(autouse=True)
def eight_cores_by_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)


def system(root: Path, cgroup: str, files: dict[str, str]) -> Path:
    for name, content in {"proc/self/cgroup": cgroup, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root


def test_affinity_counts_where_there_is_no_quota(tmp_path: Path) -> None:
    assert usable_cores(tmp_path) == 8


def test_a_version_2_quota_counts(tmp_path: Path) -> None:
    files = {"sys/fs/cgroup/pod/cpu.max": "250000 100000\n"}
    assert usable_cores(system(tmp_path, "0::/pod\n", files)) == 2


def test_a_quota_of_a_group_above_counts(tmp_path: Path) -> None:
    files = {
        "sys/fs/cgroup/pod/cpu.max": "300000 100000\n",
        "sys/fs/cgroup/pod/box/cpu.max": "max 100000\n",
    }
    assert usable_cores(system(tmp_path, "0::/pod/box\n", files)) == 3


def test_a_version_1_quota_counts(tmp_path: Path) -> None:
    folder = "sys/fs/cgroup/cpu,cpuacct/docker"
    files = {f"{folder}/cpu.cfs_quota_us": "400000\n", f"{folder}/cpu.cfs_period_us": "100000\n"}
    assert usable_cores(system(tmp_path, "4:cpu,cpuacct:/docker\n0::/\n", files)) == 4


def test_a_containers_own_mount_counts_where_its_path_is_hidden(tmp_path: Path) -> None:
    folder = "sys/fs/cgroup/cpu"
    files = {f"{folder}/cpu.cfs_quota_us": "200000\n", f"{folder}/cpu.cfs_period_us": "100000\n"}
    assert usable_cores(system(tmp_path, "4:cpu:/docker/0a1b\n", files)) == 2


def test_no_version_1_quota_is_written_as_minus_one(tmp_path: Path) -> None:
    folder = "sys/fs/cgroup/cpu"
    files = {f"{folder}/cpu.cfs_quota_us": "-1\n", f"{folder}/cpu.cfs_period_us": "100000\n"}
    assert usable_cores(system(tmp_path, "4:cpu:/\n", files)) == 8


def test_a_fraction_of_a_core_is_still_one(tmp_path: Path) -> None:
    files = {"sys/fs/cgroup/cpu.max": "50000 100000\n"}
    assert usable_cores(system(tmp_path, "0::/\n", files)) == 1


def test_a_large_quota_makes_no_cores(tmp_path: Path) -> None:
    files = {"sys/fs/cgroup/cpu.max": "9900000 100000\n"}
    assert usable_cores(system(tmp_path, "0::/\n", files)) == 8


@pytest.mark.parametrize("nonsense", ["", "max", "1 0", "a b", "1 2 3"])
def test_a_quota_that_makes_no_sense_is_no_quota(tmp_path: Path, nonsense: str) -> None:
    files = {"sys/fs/cgroup/cpu.max": nonsense}
    assert usable_cores(system(tmp_path, "0::/\n", files)) == 8


def test_this_machine_has_a_core() -> None:
    assert usable_cores() >= 1
