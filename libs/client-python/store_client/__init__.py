"""The store's developer API. Standard library only; Python 3.9 or later."""

from .client import Answer, StoreClient
from .errors import (
    ApiError,
    Conflict,
    ConnectionFailed,
    FeatureNotEnabled,
    Forbidden,
    Invalid,
    NotFound,
    RateLimited,
    ServerError,
    StoreError,
    Unauthenticated,
)
from .verify import verify_signature

__all__ = [
    "Answer",
    "ApiError",
    "Conflict",
    "ConnectionFailed",
    "FeatureNotEnabled",
    "Forbidden",
    "Invalid",
    "NotFound",
    "RateLimited",
    "ServerError",
    "StoreClient",
    "StoreError",
    "Unauthenticated",
    "verify_signature",
]
