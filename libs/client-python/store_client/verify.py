"""Verifies that a webhook was sent by the store."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Iterable, Mapping, Union

_form = re.compile(r"sha256=[0-9a-f]{64}")


def verify_signature(raw_body: bytes, headers: Mapping[str, str], secrets: Union[str, Iterable[str]]) -> bool:
    """Whether X-Service-Signature is by one of the secrets. raw_body: the bytes as they arrived, before they are parsed."""
    if not isinstance(raw_body, (bytes, bytearray, memoryview)):
        raise TypeError("raw_body must be the bytes as they arrived, not a parsed body")
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    if not keys or not all(isinstance(key, str) and key for key in keys):
        raise TypeError("secrets must have at least one signing secret")
    given = [value for name, value in headers.items() if name.lower() == "x-service-signature"]
    if len(given) != 1 or not _form.fullmatch(given[0]):
        return False
    # Every secret is compared, so that the time taken says nothing of which one was right.
    matches = [
        hmac.compare_digest("sha256=" + hmac.new(key.encode(), raw_body, hashlib.sha256).hexdigest(), given[0]) for key in keys
    ]
    return any(matches)
