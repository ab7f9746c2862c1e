"""Verifies that a webhook was sent by the store."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from typing import Iterable, List, Mapping, Optional, Union

_form = re.compile(r"sha256=[0-9a-f]{64}")
_time = re.compile(r"[0-9]{1,12}")
_prefix = "whsec_"


def verify_signature(
    raw_body: bytes,
    headers: Mapping[str, str],
    secrets: Union[str, Iterable[str]],
    *,
    scheme: str = "service",
    tolerance_seconds: float = 300.0,
    now: Optional[float] = None,
) -> bool:
    """Whether the signature is by one of the secrets. raw_body: the bytes as they arrived, before they are parsed.

    scheme "service" reads X-Service-Signature. "standard" reads the headers of Standard Webhooks, and refuses a request whose time is
    more than tolerance_seconds from now (Unix seconds; the clock's by default).
    """
    if not isinstance(raw_body, (bytes, bytearray, memoryview)):
        raise TypeError("raw_body must be the bytes as they arrived, not a parsed body")
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    if not keys or not all(isinstance(key, str) and key for key in keys):
        raise TypeError("secrets must have at least one signing secret")
    if scheme == "service":
        given = _header(headers, "x-service-signature")
        if given is None or not _form.fullmatch(given):
            return False
        return _any_equal(["sha256=" + hmac.new(key.encode(), raw_body, hashlib.sha256).hexdigest() for key in keys], [given])
    if scheme != "standard":
        raise TypeError("scheme must be 'service' or 'standard'")
    event_id, sent_at, signatures = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not event_id or not signatures or sent_at is None or not _time.fullmatch(sent_at):
        return False
    if not abs((time.time() if now is None else now) - int(sent_at)) <= tolerance_seconds:
        return False
    signed = f"{event_id}.{sent_at}.".encode() + bytes(raw_body)
    digests = [hmac.new(_decoded(key), signed, hashlib.sha256).digest() for key in keys]
    return _any_equal(["v1," + base64.b64encode(digest).decode() for digest in digests], signatures.split(" "))


def _decoded(secret: str) -> bytes:
    try:
        return base64.b64decode(secret[len(_prefix):] if secret.startswith(_prefix) else secret, validate=True)
    except binascii.Error:
        raise TypeError("secrets must be signing secrets: whsec_ and base64") from None


def _header(headers: Mapping[str, str], wanted: str) -> Optional[str]:
    """A header that is sent twice has no one value, so it has none."""
    found = [value for name, value in headers.items() if name.lower() == wanted]
    return found[0] if len(found) == 1 else None


def _any_equal(expected: List[str], given: List[str]) -> bool:
    """Compares every pair, so that the time taken says nothing of which secret was right."""
    return any([hmac.compare_digest(mine.encode(), theirs.encode()) for mine in expected for theirs in given])
