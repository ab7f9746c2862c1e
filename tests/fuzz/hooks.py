"""Who calls, and which rows: what schemathesis cannot know from the document.

FUZZ_CALLERS is JSON: {"keys": [...], "session": "...", "spare_sessions": [...], "as": "keys" | "staff"}.
"""

import itertools
import json
import os
import threading

import schemathesis

CALLERS = json.loads(os.environ["FUZZ_CALLERS"])
KEYS = itertools.cycle(CALLERS["keys"])
SPARE_SESSIONS = iter(CALLERS["spare_sessions"])
LOCK = threading.Lock()
# Rows that exist are among the first of each table.
ROWS = 14


@schemathesis.auth(refresh_interval=None)
class Callers:
    """Keys, each in its turn, so that none reaches its limit; or the session of staff."""

    def get(self, case, context):
        operation = context.operation
        document = operation.definition.raw
        if document.get("security") == []:
            return None
        with LOCK:
            if operation.path == "/staff_sessions/current":
                # It ends the session it is called with; without spare ones the last answer is a 401.
                return ("Authorization", f"Bearer {next(SPARE_SESSIONS, 'none')}")
            if CALLERS["as"] == "staff":
                return ("Authorization", f"Bearer {CALLERS['session']}")
            return ("X-API-Key", next(KEYS))

    def set(self, case, data, context):
        name, value = data
        case.headers = {**(case.headers or {}), name: value}


def near(name, value):
    """Three of four ids become one of a row that may exist."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and (name == "id" or name.endswith(("_id", "_ids"))):
        return value if value % 4 == 0 else abs(value) % ROWS + 1
    if isinstance(value, list):
        return [near(name, item) for item in value]
    if isinstance(value, dict):
        return {key: near(key, item) for key, item in value.items()}
    return value


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return near("", path_parameters)


@schemathesis.hook
def map_query(context, query):
    return near("", query)


@schemathesis.hook
def map_body(context, body):
    return near("", body)


@schemathesis.hook
def before_call(context, case, **kwargs):
    """A link may carry an answer's number into a header, which only text can be."""
    case.headers = {name: str(value) for name, value in (case.headers or {}).items()}
