"""Spack recipe of Odonata: put the folder into a repository of recipes as `odonata`.

    spack repo create ~/mine && mkdir -p ~/mine/packages/odonata
    cp packaging/spack/package.py ~/mine/packages/odonata/ && spack repo add ~/mine
    spack install odonata

On a machine without a network `tools/vendor.sh ARCHIVE` makes an archive with all crates inside,
which cargo then takes from there.
"""

from pathlib import Path

from spack.package import *


class Odonata(PythonPackage):
    """Packet-level simulator of dragonfly networks: finds, explains and removes network noise."""

    license("MIT OR Apache-2.0")

    # A source archive that tools/release.sh has made; `spack develop` and
    # `spack install --source` take a checkout.
    version("0.3.0", url="file:///PATH/odonata-0.3.0.tar.gz", sha256="SHA256")

    variant("measure", default=False, description="Measuring on real machines (mpi4py)")

    depends_on("c", type="build")
    depends_on("rust@1.88:", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    depends_on("py-maturin@1.9.4:1", type="build")
    depends_on("py-filelock@4.2:", type=("build", "run"))
    depends_on("py-jinja2@3.1:", type=("build", "run"))
    depends_on("py-matplotlib@3.10:", type=("build", "run"))
    depends_on("py-numpy@1.26:", type=("build", "run"))
    depends_on("py-polars@1.31:", type=("build", "run"))
    depends_on("py-protobuf@5.29:", type=("build", "run"))
    depends_on("py-psutil@6.0:", type=("build", "run"))
    depends_on("py-rich@13.7:", type=("build", "run"))
    depends_on("py-scipy@1.15:", type=("build", "run"))
    depends_on("py-mpi4py@4.1:", type=("build", "run"), when="+measure")

    @run_before("install")
    def build_preload_libraries(self):
        # A checkout has them; the source archive holds the module only.
        with working_dir(self.stage.source_path):
            if not Path("crates/aries-preload").is_dir():
                return
            cargo = which("cargo")
            cargo("build", "--release", "-p", "odonata-aries-preload", "-p", "odonata-fi-hook")
            copy("target/release/libodonata_aries.so", "python/odonata/libodonata_aries.so")
            copy("target/release/libodonata_fi.so", "python/odonata/libodonata-fi.so")

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check(self):
        Executable(self.prefix.bin.odonata)("doctor")
