"""Every format of measured data is read into the one form; what is wrong is refused in words."""

from __future__ import annotations

import io
import random
import re
import shutil
import sys
import tarfile

import polars as pl
import pytest

from odonata import measured
from odonata.errors import Error, MeasurementError
from odonata.measured.content import Content
from odonata.measured.form import FORM, SCHEMA, checked, table


@pytest.fixture(scope="module")
def examples(repository):
    return repository / "tests" / "data" / "noise"


def read(path, **options):
    return measured.read([path], **options).frame


def rows(frame, **wanted):
    for name, value in wanted.items():
        frame = frame.filter(pl.col(name) == value)
    return frame


def test_every_reader_has_an_example_that_it_alone_takes(examples, shared):
    # A log of Darshan can only be made by a run: it is read in place.
    log = shared / "data/counters/darshan_apmpi/darshan-apmpi-2nodes-64mpi.darshan"
    found = {}
    for path in [*examples.rglob("*"), log]:
        if path.is_file() and not path.name.endswith((".timings.json", ".md")):
            data = path.read_bytes()
            content = Content(
                str(path), data, lambda name, p=path: p.with_name(name).read_bytes()
                if p.with_name(name).is_file() else None,
            )  # fmt: skip
            kinds = [kind.name for kind in measured.FORMATS if kind.recognises(content)]
            assert len(kinds) == 1, (path, kinds)
            found.setdefault(kinds[0], []).append(path)
    assert set(found) == {kind.name for kind in measured.FORMATS}


def test_everything_read_is_in_the_form(examples):
    found = measured.read([examples])
    assert dict(found.frame.schema) == dict(SCHEMA)
    assert found.frame["world"].unique().to_list() == ["measured"]
    for name in ("source", "series", "quantity", "unit", "statistic", "value"):
        assert found.frame[name].null_count() == 0, name
    assert found.frame["value"].is_finite().all()
    assert found.skipped == []


def test_the_page_names_every_column_and_format(repository):
    page = (repository / "docs" / "noise.md").read_text("utf-8")
    for column in FORM:
        assert f"| `{column.name}` |" in page, column.name
    for kind in measured.FORMATS:
        assert f"| `{kind.name}` |" in page, kind.name


def test_netgauge_samples_are_in_order_and_in_ns(examples):
    path = examples / "netgauge" / "ng_netnoise_mpi_lat.out"
    first = float(path.read_text().splitlines()[1].split()[1])
    found = read(path)
    assert len(found) == 400
    assert found["iteration"].to_list() == list(range(400))
    assert found["value"][0] == pytest.approx(first * 1000)
    assert found.row(0, named=True)["bytes"] == 1


def test_netgauge_counts_samples_of_each_size(tmp_path):
    path = tmp_path / "ng_one_one.out"
    path.write_text("#size\trtt\n1\t2.5\n8\t3.5\n1\t2.25\n8\t3.25\n")
    found = read(path)
    assert found.select("bytes", "iteration").rows() == [(1, 0), (8, 0), (1, 1), (8, 1)]


def test_netgauge_reads_ranks_detours_loggp_products_and_pauses(examples):
    folder = examples / "netgauge"
    ring = read(folder / "ring_4_16.csv")
    assert (ring["rank"].n_unique(), ring["iteration"].n_unique()) == (4, 40)
    noise = read(folder / "ng_osnoise.out")
    assert rows(noise, quantity="watched")["value"].item() == 1.3e8
    assert len(rows(noise, quantity="detour")) == 60
    assert rows(noise, quantity="detour")["place"][0] == "nid00001"
    loggp = read(folder / "ng_loggp.out")
    assert rows(loggp, quantity="g")["value"].to_list() == pytest.approx([6035.31, 20067.931])
    assert len(rows(loggp, quantity="L")) == 3
    assert rows(read(folder / "gemm_64.dat"), quantity="compute_time").height == 30
    pauses = read(folder / "hoverboard_reps_1.out")
    assert pauses["series"].n_unique() == 2
    assert pauses["bytes"].unique().item() == 1048576


def test_osu_repetitions_statistics_and_units(examples):
    found = read(examples / "osu" / "allreduce.txt")
    assert found["series"].unique().item() == "MPI Allreduce Latency Test"
    means = rows(found, statistic="mean", bytes=8)
    assert means["iteration"].to_list() == [0, 1, 2]
    assert means["value"].to_list() == pytest.approx([11200.0, 12660.0, 10860.0])
    assert {"mean", "min", "max", "given"} == set(found["statistic"])
    width = read(examples / "osu" / "bandwidth.txt")
    assert rows(width, bytes=4096)["value"].item() == pytest.approx(5021.55e6)


def test_osu_percentiles_and_tests_without_sizes(tmp_path):
    path = tmp_path / "log"
    path.write_text(
        "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n"
        "# Size       Avg Latency(us)  P50 Tail Lat(us)  P99 Tail Lat(us)\n"
        "8      1.50    1.25    9.75\n"
        "# OSU MPI Barrier Latency Test v5.9\n"
        "# Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
        "             2.65              2.02              3.27        1000\n"
    )
    found = read(path)
    assert rows(found, statistic="p99")["value"].item() == 9750.0
    barrier = rows(found, series="MPI Barrier Latency Test", statistic="mean")
    assert barrier["bytes"].item() is None
    assert barrier["value"].item() == pytest.approx(2650.0)


def test_gpcnet_tables_conditions_and_factors(examples):
    found = read(examples / "gpcnet" / "network_load_test.txt")
    ring = rows(found, series="RR Two-sided BW+Sync (131072 B)", statistic="mean")
    assert rows(ring, condition="isolated")["value"].item() == pytest.approx(4061.4 * 2**20)
    assert rows(ring, condition="congested")["value"].item() == pytest.approx(2030.7 * 2**20)
    assert ring["bytes"][0] == 131072
    factor = rows(found, quantity="congestion_impact", statistic="p99")
    assert factor["value"].to_list() == [4.0, 2.0, 5.0]


def test_gpcnet_verbose_tables(tmp_path):
    path = tmp_path / "log"
    bar = "+---+---+"
    path.write_text(
        f"{bar}\n|     Isolated Network Tests     |\n{bar}\n"
        "| Name | Min | Max | Avg | Avg(Worst) | 99% | 99.9% | Units |\n"
        f"| RR Get Lat (8 B) | 1.0 | 9.0 | 4.4 | 5.0 | 5.4 | 6.0 | usec |\n{bar}\n"
    )
    found = read(path)
    assert found["statistic"].to_list() == ["min", "max", "mean", "mean_worst", "p99", "p99.9"]


def test_a_gpcnet_output_that_is_cut_short_is_refused(examples, tmp_path, odonata):
    """Cut behind every line: refused, but where all tables are whole."""
    lines = (examples / "gpcnet" / "network_load_test.txt").read_text().splitlines(keepends=True)
    path = tmp_path / "log"
    whole = [at for at, line in enumerate(lines) if line.startswith("+")][-1]
    for end in range(next(at for at, line in enumerate(lines) if "Isolated" in line) + 1, whole):
        path.write_text("".join(lines[: end + 1]))
        with pytest.raises(MeasurementError, match=r"truncated.*give the whole output"):
            read(path)
    path.write_text("".join(lines[: whole + 1]))
    assert len(read(path)) == 18
    path.write_text("".join(lines[:30]))
    done = odonata("noise", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "truncated" in done.stderr


def test_ariesncl_binary_names_tiles_and_times(examples):
    found = measured.read([examples / "ariesncl"])
    assert found.skipped == []
    frame = found.frame
    assert frame["source"].n_unique() == 1
    stall = rows(frame, quantity="INQ_PRF_ROWBUS_STALL_CNT", place="tile 0,1", iteration=3)
    assert stall["rank"].to_list() == [0, 16]
    assert stall["series"].unique().item() == "network tiles"
    times = rows(frame, quantity="comm_time")
    assert times["iteration"].n_unique() == 40
    assert (stall["interval_ns"] == rows(times, iteration=3)["value"]).all()
    flits = rows(frame, quantity="AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS")
    assert flits["series"].unique().item() == "NIC"


def test_ariesncl_text(examples):
    found = read(examples / "ariesncl-text")
    assert found["interval_ns"].unique().item() == 250e6
    assert found["place"].n_unique() == 4
    assert set(found["quantity"]) == {"INQ_PRF_INCOMING_FLIT_VC0", "INQ_PRF_ROWBUS_STALL_CNT"}
    assert len(found) == 16


def test_ldms_readings_rates_and_texts(examples):
    found = read(examples / "ldms")
    assert set(found["quantity"]) == {
        "INQ_PRF_ROWBUS_STALL_CNT", "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS", "load.rate"
    }  # fmt: skip
    stall = rows(found, quantity="INQ_PRF_ROWBUS_STALL_CNT")
    assert set(stall["place"]) == {"nid00012 tile 0,0", "nid00013 tile 0,0"}
    assert stall["statistic"].unique().item() == "total"
    assert rows(found, quantity="load.rate")["statistic"].unique().item() == "mean"


def test_ldms_takes_the_header_from_beside(examples, tmp_path):
    text = (examples / "ldms" / "aries_rtr_mmr.csv").read_text()
    head, _, body = text.partition("\n")
    (tmp_path / "rtr.1558387831").write_text(body)
    (tmp_path / "rtr.1558387831.HEADER").write_text(head + "\n")
    found = measured.read([tmp_path])
    assert len(found.frame) == len(read(examples / "ldms"))
    assert found.skipped == []


LDMS = """#Time,Time_usec,ProducerName,component_id,job_id,app_id,flits,stalls
10.5,5,nid1,1,7,0,100,5
20.5,5,nid1,1,7,0,120,7
"""


def ldms(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text)
    return measured.read([path])


def test_ldms_names_that_stand_there_again_hold_from_there_on(tmp_path):
    again = LDMS.partition("\n")[0]
    more = f"{LDMS}{again}\n30.5,5,nid1,1,7,0,140,9\n{again},nacks\n40.5,5,nid1,1,7,0,160,11,3\n"
    found = ldms(tmp_path, more).frame
    assert rows(found, quantity="flits")["value"].to_list() == [100, 120, 140, 160]
    assert rows(found, quantity="nacks").select("time_ns", "value").rows() == [(40.5e9, 3)]
    swapped = LDMS + again.replace("flits,stalls", "stalls,flits") + "\n30.5,5,nid1,1,7,0,9,140\n"
    assert rows(ldms(tmp_path, swapped).frame, quantity="flits")["value"][-1] == 140
    with pytest.raises(MeasurementError, match=r"line 5: there are 9 values for 8 column names"):
        ldms(tmp_path, f"{LDMS}{again}\n30.5,5,nid1,1,7,0,140,9,3\n")


def test_ldms_decomposed_tables(tmp_path):
    head = "#timestamp,producer,instance,component_id,job_id,flits\n"
    found = ldms(tmp_path, f"{head}10.5,nid1,nid1/cxi,1,7,100\n20.5,nid1,nid1/cxi,1,7,120\n").frame
    assert found.select("place", "value").rows() == [("nid1", 100), ("nid1", 120)]
    two = "".join(f"{time}.5,nid1,nid1/cxi{nic},1,7,{time + nic}\n" for time in (10, 20)
                  for nic in (0, 1))  # fmt: skip
    assert ldms(tmp_path, head + two).frame["place"].unique(maintain_order=True).to_list() == [
        "nid1 cxi0", "nid1 cxi1"
    ]  # fmt: skip
    devices = head.replace("flits", "name,bytes") + "".join(
        f"{time}.5,nid1,nid1/net,1,7,{name},{time}\n"
        for time in (10, 20)
        for name in ("lo", "hsn0")
    )
    assert ldms(tmp_path, devices).frame["place"].unique(maintain_order=True).to_list() == [
        "nid1 lo", "nid1 hsn0"
    ]  # fmt: skip
    ports = devices.replace("lo,", "0,").replace("hsn0,", "1,").replace(",name,", ",port,")
    with pytest.raises(MeasurementError, match=r"line 2: `nid1` has several rows at this instant"):
        ldms(tmp_path, ports)


def test_a_last_line_that_is_cut_short_is_left_out_and_said(examples, tmp_path, odonata):
    """A value that is cut is smaller: the counter would seem to have been set back."""
    found = ldms(tmp_path, LDMS + "30.5,5,nid1,1,7,0,140,1")
    assert rows(found.frame, quantity="stalls")["value"].to_list() == [5, 7]
    (warning,) = found.warnings
    assert warning.startswith(f"{tmp_path}/table.csv, line 4: the last line has no line break")
    shown = odonata("noise", tmp_path / "table.csv").stdout
    assert "Warning:" in shown
    assert "reset" not in shown
    names = ("osu/bandwidth.txt", "imb/mpi1.txt", "table/alternated.csv", "dragonview/net.csv",
             "cassini-grep/before-and-after.txt", "netgauge/ng_netnoise_mpi_lat.out")  # fmt: skip
    for name in names:
        path = tmp_path / "cut"
        text = (examples / name).read_text().rstrip()
        path.write_text(text[:-1])
        assert "it is left out" in measured.read([path]).warnings[0], name
    # AriesNCL ends no line, and a file of one reading may have no line break.
    assert measured.read([examples / "ariesncl-text"]).warnings == []
    path.write_text("12@1693526400.5")
    assert measured.read([path]).warnings == []


def test_dragonview_links_and_placement(examples):
    found = read(examples / "dragonview")
    assert set(found["series"]) == {"green links", "black links", "blue links", "placement"}
    assert rows(found, place="5-3-4 to 5-3-1", quantity="stalls")["value"].item() == 1033014094
    assert rows(found, series="placement", value=4712.0)["place"].to_list() == [
        "5-3-4 node 0", "5-3-4 node 1"
    ]  # fmt: skip


def test_cassini_files_and_listings(examples):
    files = read(examples / "cassini")
    assert set(files["place"]) == {"nid001 cxi0", "nid001 cxi1"}
    assert set(files["quantity"]) == {
        "hni_tx_paused_0", "oxe_stall_fgfc_blk_0", "pct_req_rsp_latency_0"
    }  # fmt: skip
    assert files["time_ns"][0] == pytest.approx(1693526400e9)
    listing = rows(read(examples / "cassini-grep"), quantity="oxe_stall_fgfc_blk_0")
    assert listing["value"].to_list() == [3456.0, 4056.0]
    assert listing["place"].unique().item() == "cxi0"


def test_cxi_summary_and_lines_of_nics(examples):
    found = read(examples / "cxi")
    paused = rows(found, quantity="hni_rx_paused_0", place="all NICs", unit="count")
    assert dict(paused.select("statistic", "value").rows()) == {
        "min": 371553, "mean": 1960270, "max": 5466732
    }  # fmt: skip
    assert rows(found, quantity="rh:nacks", unit="NICs")["value"].item() == 16
    nic = rows(found, place="nid001 cxi1")
    assert (nic["value"].item(), nic["statistic"].item()) == (5466732, "delta")
    assert nic["interval_ns"].item() == pytest.approx(115e9, rel=1e-3)


CXI = """MPICH Slingshot Network Summary: {timeouts} network timeouts

MPICH Slingshot CXI Counter Summary:
Counter           Samples    Min    (/s)    Mean   (/s)    Max     (/s)
hni_rx_paused_0   8          1000   1.0     20000  20.0    400000  400.0
{between}
rh:nacks          8          5      0.0     25     0.0     85      0.1

Computed Ratios   Min   Mean    Max
not_a_counter     1     2     3     4     5     6     7
"""


@pytest.mark.parametrize(
    "between", ["", "mo_atmo: Time step: 12", "step_3 of 12 is done", "a_b 1 x y"]
)
def test_foreign_and_empty_lines_do_not_end_the_cxi_summary(tmp_path, between):
    path = tmp_path / "job.log"
    path.write_text(CXI.format(timeouts=0, between=between))
    found = measured.read([path])
    counters = rows(found.frame, statistic="mean", unit="count")
    assert dict(counters.select("quantity", "value").rows()) == {
        "hni_rx_paused_0": 20000, "rh:nacks": 25
    }  # fmt: skip
    assert found.warnings == []
    path.write_text(CXI.format(timeouts=0, between="rh:acks  8  5  0.0"))
    with pytest.raises(MeasurementError, match=r"line 6: there are 4 values, but 8 are expected"):
        measured.read([path])


def test_network_timeouts_are_counted_and_warned_of(tmp_path, odonata):
    path = tmp_path / "job.log"
    path.write_text("step 1\nMPICH Slingshot Network Summary: 3 network timeouts\n")
    found = measured.read([path])
    row = rows(found.frame, quantity="network_timeouts").row(0, named=True)
    assert (row["value"], row["unit"], row["place"]) == (3, "count", "all NICs")
    assert found.warnings[0].startswith(f"{path}, line 2: 3 network timeouts")
    done = odonata("noise", path)
    assert done.returncode == 0, done.stderr
    assert "network_timeouts" in done.stdout
    assert "Warning:" in done.stdout


def test_a_log_may_hold_several_formats(examples, tmp_path):
    path = tmp_path / "job.log"
    text = [(examples / name).read_text() for name in ("osu/allreduce.txt", "cxi/job.log")]
    path.write_text("\n".join(text))
    found = measured.read([path])
    assert found.formats == {str(path): "osu, cxi"}


def test_darshan_ranks_and_times(shared):
    pytest.importorskip("darshan", reason="needs the optional package darshan")
    found = read(shared / "data/counters/darshan_apmpi/darshan-apmpi-2nodes-64mpi.darshan")
    times = rows(found, quantity="mpi_time")
    assert times["rank"].to_list() == list(range(128))
    assert times["value"][0] == pytest.approx(317.5987e9, rel=1e-6)
    assert times["place"].n_unique() == 2
    assert rows(found, quantity="MPI_ISEND_TOTAL_BYTES", rank=0)["value"].item() == 19628716744


def test_edison_counters_of_every_link(shared):
    found = read(shared / "data/counters/edison_dragonview")
    assert rows(found, quantity="flits").height == 4694
    assert rows(found, series="placement").height == 2682
    assert rows(found, series="placement")["value"].n_unique() == 10


@pytest.mark.parametrize("packed", ["tar", "tar.gz", "tar.xz"])
def test_archives_are_read_as_folders(examples, tmp_path, packed):
    path = tmp_path / f"all.{packed}"
    mode = {"tar": "w", "tar.gz": "w:gz", "tar.xz": "w:xz"}[packed]
    with tarfile.open(path, mode) as archive:
        archive.add(examples / "ariesncl", "run")
        archive.add(examples / "osu" / "allreduce.txt", "allreduce.txt")
        archive.addfile(tarfile.TarInfo("notes.txt"), io.BytesIO(b""))
    found = measured.read([path])
    assert found.skipped == [f"{path}/notes.txt"]
    assert len(found.frame) == len(read(examples / "ariesncl")) + len(
        read(examples / "osu" / "allreduce.txt")
    )


def test_packed_files_are_unpacked(examples, tmp_path):
    import lzma  # noqa: PLC0415 - here only

    path = tmp_path / "ng_netnoise_mpi_lat.out.xz"
    path.write_bytes(lzma.compress((examples / "netgauge/ng_netnoise_mpi_lat.out").read_bytes()))
    found = read(path)
    assert found["series"][0] == "ng_netnoise_mpi_lat"


def test_the_form_itself_is_read_from_csv_and_parquet(tmp_path):
    frame = table(series="ping", quantity="latency", unit="ns", statistic="sample",
                  iteration=[0, 1], value=[5.0, 7.0])  # fmt: skip
    frame.write_parquet(tmp_path / "ping.parquet")
    frame.write_csv(tmp_path / "ping.csv")
    for name in ("ping.parquet", "ping.csv"):
        assert read(tmp_path / name)["value"].to_list() == [5.0, 7.0]


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ({"value": [1.0]}, "no column `quantity`"),
        ({"quantity": ["a"], "value": [1.0], "colour": [1]}, "`colour` is not part"),
        ({"quantity": ["a"], "value": ["x"]}, "has the wrong type"),
    ],
)
def test_foreign_tables_are_refused(frame, words):
    with pytest.raises(MeasurementError, match=words):
        checked(pl.DataFrame(frame), "here")


WRONG = {
    "ng.out": ("#size\trtt\n1\t2.0\n1\n", "line 3: there are 1 values, but 2 are expected"),
    "nothing.out": ("#size\trtt\n", "the table has no rows"),
    "nan.out": ("#size\trtt\n1\tnan\n", "line 2: `nan` is not a number"),
    "minus.out": ("#size\trtt\n1\t-2.0\n", "a time is negative"),
    "half.out": ("#size\trtt\n1.5\t2.0\n", "not a whole number of bytes"),
    "osu.txt": ("# OSU MPI Latency Test v5\n# Size  Latency (us)\n8 1.0 2.0\n", "3 values for 2"),
    "osu2.txt": ("# OSU MPI Latency Test v5\n# Size  Latency (us)\n", "no OSU test"),
    "gpc.txt": ("| Isolated Network Tests |\n| Name | Avg | 99% | Units |\n| a | 1 | 2 | h |\n",
                "unit `h` is not known"),
    "gpc3.txt": ("| Isolated Network Tests |\n| Name | Avg | Units |\n+--+\n", "is truncated"),
    "gpc2.txt": ("| Isolated Network Tests |\n| Name | Avg | Units |\n| a | usec |\n",
                 "2 cells for 3 column names"),
    "a.nettiles.1.yaml": ("---\nkey: ARIESCOUNTER_NETWORK\n---\n- [mpirank, int32]\n...\n0\n",
                          "does not name rank, tile and counters"),
    "a.counters.0.bin": ("01234567", "a.timings.json, which is not in the same folder"),
    "l.csv": ("#Time,Time_usec,ProducerName,x\n1.0,1,n\n", "3 values for 4 column names"),
    "l2.csv": ("#Time,Time_usec,ProducerName,x\n1.0,1,n,5\n2.0,1,n,five\n", "`five` in column 4"),
    "d.csv": ("sg,sr,sc,dg,dr,dc,color,flits,stalls\n0,0,0,0,0,1,p,1,2\n", "`p` is not a link"),
    "d2.csv": ("g,r,c,n,jobid\n0,0,0,x,1\n", "`x` in column `n` is not a whole number"),
    "hni": ("12@1.5\nhello\n", "line 2: `hello` is not a reading"),
    "log": ("MPICH Slingshot CXI Counter Summary:\nnothing\n", "the summary has no counter"),
    "t.csv": ("quantity,value\nlatency,\n", "a row without a number"),
    "empty": ("", "it is empty"),
    "prose.txt": ("It was a dark and stormy night.\n", "its format is not known"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files_are_refused_with_place_problem_and_remedy(tmp_path, name):
    text, words = WRONG[name]
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(MeasurementError) as caught:
        measured.read([path])
    message = str(caught.value)
    assert message.startswith(str(path))
    assert words in message
    assert re.search(r"; (give|split|copy|install|leave|unpack) .*\.$", message), message
    assert "\n" not in message


def test_missing_files_and_folders_without_measurements(tmp_path):
    with pytest.raises(MeasurementError, match="no such file"):
        measured.read([tmp_path / "nothing"])
    (tmp_path / "notes.md").write_text("# Notes\n")
    with pytest.raises(MeasurementError, match="holds no measurement files"):
        measured.read([tmp_path])


def test_unknown_formats_are_named_with_the_nearest(tmp_path):
    with pytest.raises(MeasurementError, match="Did you mean `netgauge`"):
        measured.read([tmp_path], kind="netgage")


def test_damaged_logs_of_darshan_and_missing_packages_are_sentences(tmp_path, monkeypatch):
    pytest.importorskip("darshan", reason="needs the optional package darshan")
    path = tmp_path / "a.darshan"
    path.write_bytes(b"3.21\0\0\0\0" + b"\0" * 100)
    with pytest.raises(MeasurementError, match=r"give a Darshan log"):
        measured.read([path])
    monkeypatch.setattr("odonata.measured.apmpi._CHILD", tmp_path / "child.py")
    (tmp_path / "child.py").write_text('print(\'{"error": "missing"}\')')
    with pytest.raises(MeasurementError, match="pip install 'darshan"):
        measured.read([path])
    (tmp_path / "child.py").write_text("import os; os.abort()")
    with pytest.raises(MeasurementError, match="crashes on it"):
        measured.read([path])
    monkeypatch.setattr("odonata.measured.apmpi._PATIENCE_S", 0.2)
    (tmp_path / "child.py").write_text("while True: pass")
    with pytest.raises(MeasurementError, match="does not return"):
        measured.read([path])


DAMAGES = 15


def refusal(path):
    try:
        measured.read([path])
    except Error as error:
        return str(error)
    return ""


def test_damaged_examples_are_taken_or_refused_with_a_sentence(examples, tmp_path, repository):
    """Every text and binary example, damaged at places drawn from a fixed seed."""
    pytest.importorskip("otf2", reason="needs the optional package otf2")
    sys.path.insert(0, str(repository / "fuzz"))
    import binary  # noqa: PLC0415 - beside the package

    answers = {"taken": 0, "refused": 0}
    for original in sorted(examples.rglob("*")):
        many = ".counters." in original.name and not original.name.endswith(".0.bin")
        if not original.is_file() or many:
            continue
        draw = random.Random(f"20260101 {original.name}")  # noqa: S311 - not a secret
        folder = tmp_path / original.parent.name
        shutil.copytree(original.parent, folder, dirs_exist_ok=True)
        for number in range(DAMAGES):
            (folder / original.name).write_bytes(binary.damage(original.read_bytes(), draw))
            target = folder / original.name
            if original.name.endswith("timings.json"):
                target = folder / "halo.counters.0.bin"
            sentence = refusal(target)
            answers["refused" if sentence else "taken"] += 1
            assert "\n" not in sentence, (original, number)
            assert len(sentence) < 2000, (original, number)
        shutil.copy(original, folder / original.name)
    assert min(answers.values()) > 50, answers


def test_files_of_a_folder_that_cannot_be_read_are_named_and_left_out(examples, tmp_path, odonata):
    shutil.copy(examples / "osu" / "allreduce.txt", tmp_path)
    (tmp_path / "cut.txt").write_text(
        "# OSU MPI Latency Test v5\n# Size  Latency (us)\n8 1.0 2.0\n"
    )
    (tmp_path / "cut.xz").write_bytes(b"\xfd7zXZ\x00 and no more")
    found = measured.read([tmp_path])
    assert len(found.frame) == len(read(examples / "osu" / "allreduce.txt"))
    assert list(found.formats) == [str(tmp_path / "allreduce.txt")]
    assert [sentence.partition(str(tmp_path))[2].partition(":")[0].partition(",")[0]
            for sentence in found.unreadable] == ["/cut.txt", "/cut.xz"]  # fmt: skip
    assert "3 values for 2 column names" in found.unreadable[0]
    shown = odonata("noise", tmp_path)
    assert shown.returncode == 0
    assert "2 of 3 files cannot be read and are left out" in shown.stdout
    assert "3 values for 2 column names" in shown.stdout
    named = odonata("noise", tmp_path / "cut.txt")
    assert (named.returncode, named.stdout) == (2, "")
    assert "3 values for 2 column names" in named.stderr


def test_a_member_of_an_archive_that_cannot_be_read_is_left_out(examples, tmp_path):
    path = tmp_path / "all.tar"
    damaged = b"#size\trtt\n1\t2.0\n1\n"
    with tarfile.open(path, "w") as archive:
        archive.add(examples / "osu" / "allreduce.txt", "allreduce.txt")
        member = tarfile.TarInfo("ng.out")
        member.size = len(damaged)
        archive.addfile(member, io.BytesIO(damaged))
    found = measured.read([path])
    assert list(found.formats) == [f"{path}/allreduce.txt"]
    assert found.unreadable[0].startswith(f"{path}/ng.out, line 3:")


def test_a_folder_of_which_nothing_can_be_read_is_refused(tmp_path):
    for name in ("a.out", "b.out"):
        (tmp_path / name).write_text("#size\trtt\n1\n")
    with pytest.raises(
        MeasurementError, match=r"none of its 2 measurement .* first: .*a\.out, line 2"
    ):
        measured.read([tmp_path])
