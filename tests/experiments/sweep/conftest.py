from __future__ import annotations

from collections.abc import Iterator

import pytest

from svara_sim.experiments.sweep import running


@pytest.fixture(autouse=True)
def workers_of_any_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers do not compare their source with this process's, so that the sources may be edited during the tests."""
    monkeypatch.setattr(running, "point_source", lambda: "")


@pytest.fixture(scope="module")
def s3_server() -> Iterator[str]:
    """Address of a local S3 server that lives as long as a test module."""
    server_module = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()
