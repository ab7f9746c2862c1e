"""Errors of the client: what the API answered, and that there was no answer."""

from __future__ import annotations

from typing import Any, Optional


class StoreError(Exception):
    """Any error of this package."""


class ConnectionFailed(StoreError):
    """No answer came. Whether a write without an Idempotency-Key was done is not known."""


class ApiError(StoreError):
    """An answer that is no success; its class is that of X-Error-Code."""

    def __init__(self, request: str, status: int, code: str, body: Any, request_id: Optional[str], retry_after: Optional[float]):
        self.status = status
        #: X-Error-Code.
        self.code = code
        #: The parsed JSON; None when it was none.
        self.body = body if isinstance(body, dict) else None
        #: Quote it to support.
        self.request_id = request_id
        #: Seconds, of a 429 and of a service that is down.
        self.retry_after = retry_after
        text = (self.body or {}).get("error") or (self.body or {}).get("message") or self.errors or code
        super().__init__(f"{request}: {status} {text}")

    @property
    def errors(self) -> Any:
        """Messages of a 422: by field, or a list."""
        return (self.body or {}).get("errors")


class Unauthenticated(ApiError):
    """401."""


class Forbidden(ApiError):
    """403: scope, Test Mode, a read-only resource or an endpoint for staff."""


class FeatureNotEnabled(Forbidden):
    """403: the store's plan lacks the feature."""


class NotFound(ApiError):
    """404."""


class Conflict(ApiError):
    """409."""


class Invalid(ApiError):
    """422."""


class RateLimited(ApiError):
    """429, once the attempts are used up."""


class ServerError(ApiError):
    """500, or an answer of a load balancer or proxy before the API."""


_by_code = {
    "unauthenticated": Unauthenticated,
    "forbidden": Forbidden,
    "feature_not_enabled": FeatureNotEnabled,
    "not_found": NotFound,
    "conflict": Conflict,
    "invalid": Invalid,
    "rate_limited": RateLimited,
    "database": ServerError,
    "unavailable": ServerError,
}


def class_of(status: int, code: str) -> type[ApiError]:
    return _by_code.get(code, ServerError if status >= 500 else ApiError)
