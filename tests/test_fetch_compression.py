"""Zstandard files of any kind are unpacked whole, and one that is cut is never taken for whole."""

import io
import random
import struct
import tracemalloc
from collections.abc import Iterable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pipeline.fetch.compression import CutShort, WindowTooLong, unpacked_chunks
from pipeline.fetch.lines import numbered_lines

CHANCE = random.Random(1)
TEXT = b"".join(b"%d. e4 { [%%clk 0:00:%d] } " % (n, CHANCE.randrange(60)) for n in range(9000))


def unpacked(content: bytes) -> tuple[bytes, bool]:
    """What can be unpacked, and whether it ends as it should."""
    good = []
    try:
        for chunk in unpacked_chunks(io.BufferedReader(io.BytesIO(content))):  # type: ignore[arg-type]
            good.append(chunk)
    except (CutShort, WindowTooLong):
        return b"".join(good), False
    return b"".join(good), True


def streamed(content: bytes, **options: object) -> bytes:
    """Packed without knowing the size beforehand, as `zstd` does from a pipe."""
    packer = zstandard.ZstdCompressor(**options).compressobj()  # type: ignore[arg-type]
    return packer.compress(content) + packer.flush()


def long_window(content: bytes) -> bytes:
    parameters = zstandard.ZstdCompressionParameters(
        window_log=27, enable_ldm=True, write_checksum=True
    )
    return zstandard.ZstdCompressor(compression_params=parameters).compress(content)


def skippable(content: bytes) -> bytes:
    """As pzstd and others write between frames: 12 bytes that are no content."""
    return b"\x5f\x2a\x4d\x18\x04\x00\x00\x00abcd" + zstandard.compress(content)


PACKERS = {
    "plain": zstandard.compress,
    "with checksum": zstandard.ZstdCompressor(write_checksum=True).compress,
    "streamed": streamed,
    "streamed with checksum": lambda content: streamed(content, write_checksum=True),
    "long window": long_window,
    "after a skippable frame": skippable,
}


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS.keys())
@pytest.mark.parametrize("content", [b"", b"x", TEXT, b"\0" * 1_000_000, CHANCE.randbytes(400_000)])
def test_what_zstd_packs_is_unpacked(pack: object, content: bytes) -> None:
    assert callable(pack)
    assert unpacked(pack(content)) == (content, True)


@given(sizes=st.lists(st.sampled_from([0, 1, 255, 256, 70_000, 140_000]), min_size=1, max_size=6))
def test_many_frames_are_one_text(sizes: list[int]) -> None:
    parts = [TEXT[:size] for size in sizes]
    packed = b"".join(
        list(PACKERS.values())[number % len(PACKERS)](part) for number, part in enumerate(parts)
    )
    assert unpacked(packed) == (b"".join(parts), True)


FRAMES = [zstandard.compress(TEXT[start : start + 60_000]) for start in range(0, 180_000, 60_000)]
WHOLE = b"".join(FRAMES)


@given(cut=st.integers(4, len(WHOLE)))  # of fewer bytes nobody can say that they are zstd
def test_a_cut_is_noticed_wherever_it_is_but_between_frames(cut: int) -> None:
    ends = [sum(map(len, FRAMES[:count])) for count in range(len(FRAMES) + 1)]
    good, is_whole = unpacked(WHOLE[:cut])
    assert TEXT.startswith(good)
    assert len(good) >= 60_000 * sum(end <= cut for end in ends[1:])
    assert is_whole == (cut in ends)


@pytest.mark.parametrize("rest", [b"\0", b"\0" * 1000, b"garbage", WHOLE[:-1]])
def test_what_follows_the_last_frame_and_is_none_is_noticed(rest: bytes) -> None:
    good, is_whole = unpacked(WHOLE + rest)
    assert good.startswith(TEXT[:180_000])
    assert not is_whole


@given(damage=st.binary(min_size=1, max_size=8), at=st.integers(4, len(WHOLE) - 8))
def test_damaged_bytes_end_in_a_cut_or_in_bytes_but_in_no_other_error(
    damage: bytes, at: int
) -> None:
    unpacked(WHOLE[:at] + damage + WHOLE[at + len(damage) :])


def peak_bytes(chunks: Iterable[bytes]) -> int:
    tracemalloc.start()
    for _ in chunks:
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_a_bomb_of_many_frames_or_one_is_unpacked_in_small_pieces() -> None:
    one = streamed(b"\0" * 200_000_000)
    assert len(one) < 50_000
    for bomb in (one, zstandard.compress(b"\0" * 50_000_000) * 4):
        stream = io.BufferedReader(io.BytesIO(bomb))  # type: ignore[arg-type]
        assert peak_bytes(unpacked_chunks(stream)) < 2_000_000


def test_blocks_of_two_bytes_take_no_more_memory_than_large_ones() -> None:
    block = struct.pack("<I", 2 << 3)[:3] + b"ab"
    frame = b"\x28\xb5\x2f\xfd\0\x58" + block * 200_000 + b"\x01\0\0"
    stream = io.BufferedReader(io.BytesIO(frame))  # type: ignore[arg-type]
    lines = numbered_lines(unpacked_chunks(stream))
    tracemalloc.start()
    assert [len(line.content) for line in lines] == [400_000]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000


@pytest.mark.parametrize(("window_log", "is_read"), [(27, True), (28, False)])
def test_a_window_that_takes_too_much_memory_is_refused(window_log: int, is_read: bool) -> None:
    descriptor = bytes([(window_log - 10) << 3])
    frame = b"\x28\xb5\x2f\xfd\0" + descriptor + b"\x09\0\0x"
    stream = io.BufferedReader(io.BytesIO(frame))  # type: ignore[arg-type]
    if is_read:
        assert b"".join(unpacked_chunks(stream)) == b"x"
        return
    with pytest.raises(WindowTooLong):
        list(unpacked_chunks(stream))
