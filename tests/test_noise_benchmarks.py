"""What OSU and the Intel MPI Benchmarks print, read column by column and shown by size."""

from __future__ import annotations

import json

import polars as pl
import pytest

from odonata import measured, noise
from odonata.errors import MeasurementError


@pytest.fixture(scope="module")
def examples(repository):
    return repository / "tests" / "data" / "noise"


def values(frame, quantity, statistic="mean"):
    rows = frame.filter((pl.col("quantity") == quantity) & (pl.col("statistic") == statistic))
    return rows["value"].to_list()


def read(folder, text):
    path = folder / "log"
    path.write_text(text)
    return measured.read([path]).frame


NONBLOCKING = (
    "# OSU MPI{kind} Non-blocking Alltoall Latency Test v{version}\n"
    "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"
)


def test_osu_nonblocking_collectives(examples):
    found = measured.read([examples / "osu" / "iallreduce.txt"]).frame
    allreduce = found.filter(pl.col("series") == "MPI Non-blocking Allreduce Latency Test")
    assert values(allreduce, "overall_time") == pytest.approx([24_100.0, 31_800.0, 62_400.0])
    assert values(allreduce, "compute_time") == pytest.approx([12_000.0, 20_500.0, 43_100.0])
    assert values(allreduce, "latency") == pytest.approx([11_600.0, 19_900.0, 42_000.0])
    assert values(allreduce, "overlap") == pytest.approx([0.0, 0.4322, 0.5405])
    barrier = found.filter(pl.col("series") == "MPI Non-blocking Barrier Latency Test")
    assert barrier["bytes"].to_list() == [None] * 4
    assert values(barrier, "overall_time") == [14_200.0]


def test_osu_nonblocking_collectives_in_full(tmp_path):
    found = read(
        tmp_path,
        NONBLOCKING.format(kind="-CUDA", version="5.6.3")
        + "# Size           Overall(us)       Compute(us)    Coll. Init(us)      MPI_Test(us)"
        "      MPI_Wait(us)    Pure Comm.(us)     Min Comm.(us)     Max Comm.(us)"
        "        Overlap(%)\n"
        "1                      11.09              6.10              0.50              0.00"
        "              4.49              5.18              5.00              5.50"
        "              3.46\n",
    )
    assert found["series"][0] == "MPI-CUDA Non-blocking Alltoall Latency Test"
    assert [values(found, name)[0] for name in ("init_time", "test_time", "wait_time")] == [
        500.0, 0.0, 4490.0
    ]  # fmt: skip
    assert values(found, "latency", "min") == [5000.0]
    assert values(found, "latency", "max") == [5500.0]


def test_osu_columns_that_stand_one_blank_apart(tmp_path):
    found = read(
        tmp_path,
        "# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_CHAR.\n"
        "# Size      Bandwidth (MB/s) P50 Tail BW(MB/s) P90 Tail BW(MB/s) P99 Tail BW(MB/s)\n"
        "1                       2.32              2.40              2.10              1.70\n",
    )
    assert values(found, "bandwidth") == [2.32e6]
    assert values(found, "bandwidth", "p99") == [1.7e6]


def test_osu_remarks_and_validation_are_no_numbers(tmp_path):
    found = read(
        tmp_path,
        "# OSU MPI Allreduce Latency Test (Version 2.2)\n"
        "# Size       Avg Latency(us)        Validation     Transmit Size\n"
        "4                       1.50              Pass                 4\n",
    )
    assert found.select("quantity", "bytes", "value").rows() == [("latency", 4, 1500.0)]


def test_osu_datatypes_and_pairs_tell_tests_of_one_title_apart(tmp_path):
    table = "# Size       Avg Latency(us)\n8                       1.50\n"
    pairs = (
        "# OSU MPI Multiple Bandwidth / Message Rate Test v5.9\n"
        "# [ pairs: {} ] [ window size: 64 ]\n"
        "# Size                  MB/s        Messages/s\n1         6.39        6385003.80\n"
    )
    title = "# OSU MPI Allreduce Latency Test v7.4\n"
    found = read(
        tmp_path,
        f"{title}# Datatype: MPI_INT.\n{table}# Datatype: MPI_FLOAT.\n{table}"
        f"{title}# Datatype: MPI_INT.\n{table}" + pairs.format(1) + pairs.format(4),
    )
    mean = found.filter(pl.col("quantity") == "latency")
    assert mean.select("series", "iteration").rows() == [
        ("MPI Allreduce Latency Test", 0), ("MPI Allreduce Latency Test, MPI_FLOAT", 0),
        ("MPI Allreduce Latency Test", 1),
    ]  # fmt: skip
    several = found.filter(pl.col("quantity") == "message_rate")
    assert [name.partition("Test, ")[2] for name in several["series"]] == [
        "pairs 1, window 64", "pairs 4, window 64"
    ]  # fmt: skip
    assert several["value"].to_list() == [6385003.8] * 2


def test_imb_benchmarks_processes_and_columns(examples):
    found = measured.read([examples / "imb" / "mpi1.txt"]).frame
    assert found["series"].unique(maintain_order=True).to_list() == [
        "PingPong, 2 processes", "Sendrecv, 4 processes", "Allreduce, 2 processes",
        "Allreduce, 4 processes", "Barrier, 4 processes",
    ]  # fmt: skip
    ping = found.filter(pl.col("series") == "PingPong, 2 processes")
    assert values(ping, "latency") == pytest.approx([1660.0, 1700.0, 4460.0, 21_990.0])
    assert values(ping, "iterations", "given") == [1000.0, 1000.0, 1000.0, 320.0]
    assert values(ping, "bandwidth")[-1] == pytest.approx(5960.53e6)
    four = found.filter(pl.col("series") == "Allreduce, 4 processes")
    assert four.filter(pl.col("statistic") == "mean")["bytes"].to_list() == [8, 8192]
    assert values(four, "latency", "min") == pytest.approx([4010.0, 12_100.0])
    assert values(four, "latency", "max") == pytest.approx([4250.0, 12_700.0])
    barrier = found.filter(pl.col("series") == "Barrier, 4 processes")
    assert barrier["bytes"].null_count() == len(barrier) == 4


def test_imb_nonblocking_and_groups(examples):
    found = measured.read([examples / "imb" / "nbc-multi.txt"]).frame
    overlap = found.filter(pl.col("series") == "Iallreduce, 4 processes")
    assert values(overlap, "overall_time") == pytest.approx([9800.0, 25_900.0])
    assert values(overlap, "overlap") == pytest.approx([0.06, 0.2635])
    groups = found.filter(
        (pl.col("quantity") == "latency") & pl.col("series").str.starts_with("Multi-")
    )
    assert groups.select("series", "bytes", "value").rows()[:2] == [
        ("Multi-PingPong, 2 groups of 2 processes, group 0", 8, 1720.0),
        ("Multi-PingPong, 2 groups of 2 processes, group 1", 8, 1810.0),
    ]


IMB = """# Benchmarking {name}
# #processes = 2
{head}
{rows}
"""


@pytest.mark.parametrize(("mega", "way"), [(1e6, 1), (2**20, 1), (1e6, 2), (2**20, 4)])
def test_imb_says_by_its_times_how_many_bytes_its_mbytes_are(tmp_path, mega, way):
    # 2018 and later print 10^6 bytes a second, 4.1 and before 2^20, under one name.
    rows = "\n".join(f"{size} 100 {time:.2f} {way * size / time * 1e6 / mega:.2f}"
                     for size, time in ((8, 1.7), (65536, 12.41), (4194304, 397.52)))  # fmt: skip
    found = read(tmp_path, IMB.format(name="Exchange", rows=rows,
                                      head="#bytes #repetitions t[usec] Mbytes/sec"))  # fmt: skip
    assert values(found, "bandwidth")[-1] == pytest.approx(way * 4194304 / 397.52e-6, rel=1e-4)


def test_imb_modes_and_repetitions(tmp_path):
    aggregate = IMB.format(
        name="Unidir_Put",
        head="#\n#    MODE: AGGREGATE\n#\n#bytes #repetitions t[usec] Mbytes/sec",
        rows="8 100 1.5 5.3",
    )  # fmt: skip
    found = read(tmp_path, aggregate + aggregate.replace("1.5 5.3", "1.75 4.6"))
    assert found["series"].unique().to_list() == ["Unidir_Put, 2 processes, aggregate"]
    assert values(found, "latency") == [1500.0, 1750.0]
    assert found.filter(pl.col("quantity") == "latency")["iteration"].to_list() == [0, 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (IMB.format(name="Bcast", head="#bytes #repetitions t_avg[usec]", rows="8 100"),
         "2 values for 3 column names"),
        (IMB.format(name="Bcast", head="#bytes #repetitions t_avg[usec]", rows="8 100 fast"),
         "`fast` is not a number"),
        (IMB.format(name="Bcast", head="#bytes #repetitions t_avg[usec]", rows="8 100 1e308"),
         "`1e308` is too large"),
        (IMB.format(name="Bcast", head="#bytes #repetitions t_avg[usec]", rows=""),
         "no IMB benchmark has results"),
    ],
)  # fmt: skip
def test_damaged_imb_is_refused_with_place_and_remedy(tmp_path, text, words):
    with pytest.raises(MeasurementError, match="give the output as the benchmark printed it") as it:
        read(tmp_path, text)
    assert words in str(it.value)


def test_given_means_of_repetitions(examples):
    found = noise.given_means(noise.read(examples / "osu" / "allreduce.txt").frame)
    rows = {row["statistic"]: row for row in found.iter_rows(named=True) if row["bytes"] == 8}
    assert rows["mean"]["count"] == 3
    assert rows["mean"]["value"] == pytest.approx((11_200 + 12_660 + 10_860) / 3)
    assert (rows["mean"]["low"], rows["mean"]["high"]) == (10_860.0, 12_660.0)
    assert rows["min"]["value"] == 8690.0
    assert rows["max"]["value"] == 21_520.0
    assert rows["given"]["value"] == 1000.0


def test_a_table_by_size_is_printed(odonata, examples):
    shown = odonata("noise", examples / "osu" / "allreduce.txt")
    assert shown.returncode == 0, shown.stderr
    lines = [line.split() for line in shown.stdout.splitlines()]
    assert ["8", "B", "11.57", "8.69", "21.52", "1000", "10.86", "to", "12.66"] in lines
    assert "mean (us)" in shown.stdout
    assert "no noise can be computed" not in shown.stdout
    overlap = odonata("noise", examples / "osu" / "iallreduce.txt").stdout
    assert ["1024", "B", "31.80", "20.50", "19.90", "43.22"] in [
        line.split() for line in overlap.splitlines()
    ]
    given = json.loads(odonata("noise", examples / "imb", "--json").stdout)["given"]
    assert {row["series"] for row in given} >= {"PingPong, 2 processes", "Barrier, 4 processes"}


def test_gpcnet_is_not_printed_twice(odonata, examples):
    found = json.loads(odonata("noise", examples / "gpcnet", "--json").stdout)
    assert found["given"] == []
    assert len(found["impact"]) == 3


LABELS = ["0: ", " 3: ", "[0] ", "[1,0]<stdout>:", "[1,12]: ", "[prterun-nid1-77@1,0]<stdout>: ",
          "PE 0: ", "x4301c3s2b0n0 0: "]  # fmt: skip
LINES = ["osu/iallreduce.txt", "imb/mpi1.txt", "gpcnet/network_load_test.txt", "cxi/job.log",
         "cassini-grep/before-and-after.txt", "netgauge/ng_netnoise_mpi_lat.out",
         "netgauge/ring_4_16.csv", "netgauge/ng_osnoise.out", "netgauge/ng_loggp.out",
         "netgauge/hoverboard_reps_1.out"]  # fmt: skip


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("name", LINES)
def test_labels_of_launchers_are_passed_over(examples, tmp_path, name, label):
    text = (examples / name).read_text()
    # Some launchers leave no blank at the end of an empty line.
    labelled = "".join(f"{label}{line}".rstrip() + "\n" for line in text.splitlines())
    path = tmp_path / (examples / name).name
    path.write_text(labelled)
    found, plain = (measured.read([one]) for one in (path, examples / name))
    assert found.frame.drop("source").equals(plain.frame.drop("source"))
    assert list(found.formats.values()) == list(plain.formats.values())


def test_what_only_looks_like_a_label_is_no_row(examples, tmp_path):
    """Output of the program, or of another rank, does not become a row without its label."""
    text = (examples / "osu" / "allreduce.txt").read_text()
    plain = measured.read([examples / "osu" / "allreduce.txt"]).frame.drop("source")
    noisy = text.replace("\n8 ", "\n12: 0.53\nepoch 3: 8 1.0 2.0 3.0 1000\n8 ")
    assert read(tmp_path, noisy).drop("source").equals(plain)
    labelled = "".join(f"0: {line}\n1: 8 1.0 2.0 3.0 1000\n" for line in text.splitlines())
    assert read(tmp_path, labelled).drop("source").equals(plain)


OSU_CHECKED = """# OSU MPI Latency Test v7.5
# Size       Avg Latency(us)        Validation
1                       3.00              Pass
2                       2.99              {}
4                       2.98              {}
"""
IMB_CHECKED = """# Benchmarking PingPong
# #processes = 2
#bytes #repetitions t[usec] Mbytes/sec defects
0 1000 1.50 0.00 0.00
1024 1000 2.00 512.00 {}
2048 1000 {}
"""


def test_rows_that_the_benchmark_calls_wrong_are_warned_of(tmp_path, odonata):
    path = tmp_path / "log"
    path.write_text(OSU_CHECKED.format("Fail", "Fail"))
    found = measured.read([path])
    assert values(found.frame, "latency") == [3000.0, 2990.0, 2980.0]
    assert found.warnings == [
        f"{path}, line 4: MPI Latency Test: 2 rows failed the validation of OSU (wrong data "
        "arrived): do not use the numbers."
    ]
    assert "Warning:" in odonata("noise", path).stdout
    assert json.loads(odonata("noise", path, "--json").stdout)["warnings"] == found.warnings
    path.write_text(OSU_CHECKED.format("Pass", "Pass"))
    assert measured.read([path]).warnings == []
    path.write_text(IMB_CHECKED.format("3.00", "4.00 512.00 0.00"))
    assert [text.partition(", line ")[2] for text in measured.read([path]).warnings] == [
        "5: PingPong, 2 processes: 1 row with defects (wrong data arrived): do not use the numbers."
    ]
    path.write_text(IMB_CHECKED.format("0.00", "time-out."))
    assert [text.partition(", line ")[2] for text in measured.read([path]).warnings] == [
        "6: PingPong, 2 processes: 1 row without a number (time-out)."
    ]


def test_what_others_write_into_a_log_is_no_row(examples, tmp_path):
    for name in ("osu/allreduce.txt", "imb/mpi1.txt"):
        text = (examples / name).read_text()
        noisy = text.replace("\n8 ", "\n4 nodes are up, 2 more to come and so on\n8 ") + (
            "\n12 warnings were seen\n------\nreal\t0m3.2s\n3.5 GB of memory were left over\n"
        )
        plain = measured.read([examples / name]).frame
        assert read(tmp_path, noisy).drop("source").equals(plain.drop("source"))
