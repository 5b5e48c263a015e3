"""What agents call is in the audit of their organization: the tool and what became of it, never an argument's text."""

from __future__ import annotations

from typing import Any

import httpx2

from application.audit.queries import AuditFilter, audit_lines
from application.identity.issue_key import NewKey
from domain.audit.line import AuditLine
from domain.identity.principal import Role
from entrypoints.application import Application
from tests.entrypoints.mcp.filling import Tenant, new_tenant
from tests.entrypoints.mcp.test_http import ACCEPT

SECRET = "Qwyjibo"
MISSING = "00000000-0000-7000-8000-000000000007"


async def sent(address: str, key: str, method: str, **parameters: Any) -> httpx2.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
    async with httpx2.AsyncClient() as client:
        headers = ACCEPT | {"Authorization": f"Bearer {key}"}
        return await client.post(f"{address}/mcp", json=message, headers=headers)


async def lines(app: Application, tenant: Tenant) -> list[AuditLine]:
    await app.audit.trail.flush()
    read = AuditFilter().read(limit=1000, oldest_first=True)
    return [line for line in await audit_lines(app.unit_of_work, tenant.owner, read) if line.door == "mcp"]


async def test_tools_and_resources_have_lines_with_ids_and_without_content(app: Application, address: str) -> None:
    tenant = await new_tenant(app, "Audited")
    key = tenant.agent_key
    await sent(address, key, "tools/call", name="query_facts", arguments={"subject": SECRET})
    await sent(address, key, "tools/call", name="get_fact", arguments={"fact_id": MISSING})
    answer = await sent(address, key, "tools/call", name="remember", arguments={"text": f"{SECRET} likes tea."})
    assert not answer.json()["result"].get("isError"), answer.text
    await sent(address, key, "tools/call", name=SECRET, arguments={})
    await sent(address, key, "tools/call", name="query_facts", arguments={SECRET: 1})
    await sent(address, key, "resources/read", uri=f"assay://fact/{MISSING}")
    await sent(address, key, "tools/list")
    found = await lines(app, tenant)
    assert [(line.action.value, line.what, line.outcome) for line in found] == [
        ("sign_in", "query_facts", "ok"),
        ("read", "query_facts", "ok"),
        ("read", "get_fact", "not_found"),
        ("write", "remember", "ok"),
        ("read", "unknown", "not_found"),
        ("read", "query_facts", "invalid_input"),
        ("read", "resource assay://fact", "not_found"),
    ]
    assert {str(each) for each in found[2].objects} == {MISSING}
    assert {str(each) for each in found[6].objects} == {MISSING}
    assert found[3].revision is not None
    assert {line.address for line in found} == {"127.0.0.1"}
    assert {line.principal_name for line in found} == {"Scout"}
    assert all(line.request_id for line in found)
    assert SECRET not in repr(found)


async def test_a_tool_that_the_role_forbids_is_refused(app: Application, address: str) -> None:
    tenant = await new_tenant(app, "Refused")
    principal = tenant.owner.principal.id
    viewer = await app.identity.issue_key(tenant.owner, NewKey(principal, "viewer", Role.VIEWER))
    statement = {"subject": SECRET, "predicate": "depends on", "object": "Ceph"}
    await sent(address, viewer.key.text, "tools/call", name="assert_fact", arguments=statement)
    (_, line) = await lines(app, tenant)
    assert (line.action.value, line.what, line.outcome) == ("refused", "assert_fact", "forbidden")
    assert line.connection_id == str(viewer.id)


async def test_a_revoked_key_at_the_gate_is_a_failed_sign_in(app: Application, address: str) -> None:
    tenant = await new_tenant(app, "Revoked")
    key = await app.identity.issue_key(tenant.owner, NewKey(tenant.owner.principal.id, "k", Role.VIEWER))
    await app.identity.revoke_key(tenant.owner, key.id)
    assert (await sent(address, key.key.text, "tools/list")).status_code == 401
    (line,) = await lines(app, tenant)
    assert (line.action.value, line.what, line.outcome) == ("sign_in_failed", "POST /mcp", "not_authenticated")
