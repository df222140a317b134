"""Random requests after the OpenAPI document: no fault of the server, and replies as documented."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance

from foundry.web.app import make_app
from foundry.web.site import Site

HOST = {"Host": "127.0.0.1"}
CHECKS = [not_a_server_error, response_schema_conformance]
FEW = settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def check(case: schemathesis.Case) -> None:
    case.call_and_validate(headers=HOST, checks=CHECKS)


def test_no_request_breaks_the_server(site: Site) -> None:
    schema = schemathesis.openapi.from_asgi("/api/v2/openapi.json", make_app(site), headers=HOST)
    # Streams, and the doctor, which looks for models elsewhere, are for other tests.
    chosen = schema.exclude(path_regex="stream$|/doctor$|/uploads$")
    operations = [found.ok() for found in chosen.get_all_operations()]
    assert len(operations) > 30
    for operation in operations:
        FEW(given(operation.as_strategy())(check))()
