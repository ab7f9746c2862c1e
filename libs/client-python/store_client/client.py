"""The client: one call with its attempts, lists as iterators, and what integrators do most by name."""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional
from urllib.error import HTTPError
from urllib.parse import parse_qs, quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .errors import ApiError, ConnectionFailed, class_of

_passing = {429, 500, 502, 503, 504}
_first_wait = 0.5
_longest_wait = 30.0
_page_rows = 100
_upsert_rows = 1_000
#: Beyond any event: the answer says where the log ends.
_beyond = 2**53 - 1


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    #: The whole body: data, pagination and meta.
    body: Dict[str, Any]

    @property
    def data(self) -> Any:
        return self.body["data"]


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_args: Any) -> None:
        return None


class StoreClient:
    """base_url: what npm start prints, with or without /api/v1. key: the API key; keep it on a server."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        attempts: int = 4,
        timeout: float = 60.0,
        strict: bool = False,
        sleep: Callable[[float], Any] = time.sleep,
    ):
        if not base_url or not key:
            raise ValueError("StoreClient needs a base_url and a key")
        base = base_url.rstrip("/")
        self._base = base if base.endswith("/api/v1") else f"{base}/api/v1"
        self._key = key
        self._attempts = attempts
        self._timeout = timeout
        self._strict = strict
        self._sleep = sleep
        self._opener = build_opener(_NoRedirects)

    # One call

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        dry_run: bool = False,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
    ) -> Answer:
        """Repeats what is safe: a read, and a write under its Idempotency-Key (a POST or PATCH has a random one)."""
        parameters = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        if dry_run:
            parameters["dry_run"] = "true"
        url = self._base + path + (f"?{urlencode(parameters)}" if parameters else "")
        headers = {"X-API-Key": self._key, "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if method in ("POST", "PATCH"):
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if self._strict:
            headers["Prefer"] = "handling=strict"
        if request_id is not None:
            headers["X-Request-Id"] = request_id
        sent = None if body is None else json.dumps(body).encode()
        is_safe = method == "GET" or "Idempotency-Key" in headers
        for attempt in range(1, self._attempts + 1):
            try:
                return self._attempt(method, url, headers, sent)
            except (ApiError, ConnectionFailed) as error:
                if attempt == self._attempts or not _may_repeat(error, is_safe):
                    raise
                self._sleep(_wait(error, attempt))
        raise ValueError("attempts must be 1 or more")

    def _attempt(self, method: str, url: str, headers: Mapping[str, str], sent: Optional[bytes]) -> Answer:
        request = Request(url, data=sent, headers=dict(headers), method=method)
        name = f"{method} {url[len(self._base):].split('?')[0]}"
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return Answer(response.status, response.headers, _parsed(response.read()))
        except HTTPError as error:
            with error:
                code = error.headers.get("X-Error-Code", "unknown")
                retry_after = _seconds(error.headers.get("Retry-After"))
                known = class_of(error.code, code)
                raise known(
                    name, error.code, code, _parsed(error.read()), error.headers.get("X-Request-Id"), retry_after
                ) from None
        except OSError as error:
            raise ConnectionFailed(f"{name}: no answer from the API ({error})") from error

    def get(self, path: str, **query: Any) -> Any:
        """The data of a GET."""
        return self.request("GET", path, query=query).data

    # Lists

    def pages(self, path: str, **query: Any) -> Iterator[Answer]:
        """Every page of a list that has pages, by its cursors: 100 rows each unless per_page says otherwise.

        Rows that are there all along come once, however the list changes.
        """
        after: Optional[str] = ""
        while after is not None:
            answer = self.request("GET", path, query={"per_page": _page_rows, **query, "page": None, "after": after})
            yield answer
            after = _next_of(answer.headers.get("Link"))

    def rows(self, path: str, **query: Any) -> Iterator[Dict[str, Any]]:
        """Every row of a list that has pages. Products, customers and suppliers as they were created, others newest first."""
        for answer in self.pages(path, **query):
            yield from answer.data

    # By name

    def key(self) -> Dict[str, Any]:
        """The key: its scopes, limits, expiry and mode."""
        return self.get("/key")

    def products(self, **query: Any) -> Iterator[Dict[str, Any]]:
        return self.rows("/products", **query)

    def product(self, product_id: int) -> Dict[str, Any]:
        return self.get(f"/products/{int(product_id)}")

    def create_product(self, product: Mapping[str, Any], **options: Any) -> Dict[str, Any]:
        return self.request("POST", "/products", body={"product": dict(product)}, **options).data

    def bulk_upsert(
        self,
        rows: Iterable[Mapping[str, Any]],
        *,
        dry_run: bool = False,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Any number of rows, 1,000 to a request; the counts are summed, and index counts over all rows. Rows that fail are in errors.

        Each request has idempotency_key and the number of its first row: key-0, key-1000.
        """
        total: Dict[str, Any] = {"created": 0, "updated": 0, "failed": 0, "created_skus": [], "updated_skus": [], "errors": []}
        for start, chunk in _chunks(rows, _upsert_rows):
            key = None if idempotency_key is None else f"{idempotency_key}-{start}"
            options = {"dry_run": dry_run, "idempotency_key": key, "request_id": request_id}
            data = self.request("POST", "/products/bulk_upsert", body={"products": chunk}, **options).data
            for name in ("created", "updated", "failed"):
                total[name] += data[name]
            for name in ("created_skus", "updated_skus"):
                total[name] += data[name]
            total["errors"] += [{**error, "index": error["index"] + start} for error in data["errors"]]
        return total

    def bulk_update(self, product_ids: Iterable[int], updates: Mapping[str, Any], **options: Any) -> Dict[str, Any]:
        body = {"product_ids": list(product_ids), "updates": dict(updates)}
        return self.request("PATCH", "/products/bulk_update", body=body, **options).data

    def adjust_stock(
        self,
        product_id: int,
        adjustment_type: str,
        *,
        dry_run: bool = False,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        **fields: Any,
    ) -> Dict[str, Any]:
        """quantity_change, or counted_quantity for the type inventory; reason, warehouse_location_id."""
        body = {"product_id": product_id, "adjustment_type": adjustment_type, **fields}
        options = {"dry_run": dry_run, "idempotency_key": idempotency_key, "request_id": request_id}
        return self.request("POST", "/stock_adjustments", body=body, **options).data

    def customers(self, **query: Any) -> Iterator[Dict[str, Any]]:
        return self.rows("/customers", **query)

    def create_customer(self, customer: Mapping[str, Any], *, force_create: bool = False, **options: Any) -> Answer:
        """201: created, data is the customer. 200: a duplicate was found, data has customer, duplicate and message."""
        body = {"customer": dict(customer), **({"force_create": True} if force_create else {})}
        return self.request("POST", "/customers", body=body, **options)

    def sales(self, **query: Any) -> Iterator[Dict[str, Any]]:
        """Without start_date and end_date, or period, today's."""
        return self.rows("/sales", **query)

    def subscribe(self, url: str, events: Iterable[str], **options: Any) -> Dict[str, Any]:
        """The only answer that has the subscription's secret."""
        body = {"webhook_subscription": {"url": url, "events": list(events)}}
        return self.request("POST", "/webhook_subscriptions", body=body, **options).data

    # The event log

    def latest_sequence(self) -> int:
        """Number of the newest event; 0 if there is none."""
        return self.get("/events", after=_beyond, per_page=1)["latest_sequence"]

    def follow(
        self, after: Optional[int] = None, *, types: Optional[Iterable[str]] = None, poll_seconds: float = 5.0
    ) -> Iterator[Dict[str, Any]]:
        """The events after that number, each once, in order, without end; None begins at the end of the log.

        Store the sequence of an event once you have handled it, and begin there the next time. The log keeps 30 days.
        Failures of the network and of the API are waited out.
        """
        wanted = ",".join(types) if types else None
        failures = 0
        while True:
            try:
                if after is None:
                    after = self.latest_sequence()
                page = self.get("/events", after=after, types=wanted, per_page=_page_rows)
                failures = 0
            except (ApiError, ConnectionFailed) as error:
                if isinstance(error, ApiError) and error.status not in _passing:
                    raise
                failures += 1
                self._sleep(_wait(error, failures))
                continue
            yield from page["events"]
            after = page["next_after"]
            if not page["has_more"]:
                self._sleep(poll_seconds)


def path_of(*segments: Any) -> str:
    """A path of texts that may have any character, such as a card's number."""
    return "".join(f"/{quote(str(segment), safe='')}" for segment in segments)


def _next_of(link: Optional[str]) -> Optional[str]:
    """The cursor in <…>; rel="next"; None on the last page."""
    found = re.match(r'<([^>]*)>; rel="next"', link or "")
    return parse_qs(urlsplit(found[1]).query)["after"][0] if found else None


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(str(one) for one in value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _parsed(body: bytes) -> Any:
    """A load balancer or proxy before the API may answer without JSON."""
    try:
        return json.loads(body)
    except ValueError:
        return None


def _seconds(text: Optional[str]) -> Optional[float]:
    return float(text) if text is not None and text.isdigit() else None


def _may_repeat(error: Exception, is_safe: bool) -> bool:
    """A write is sent again only under an Idempotency-Key, except where it was refused before anything was done."""
    if not isinstance(error, ApiError):
        return is_safe
    at_work = error.status == 409 and (error.body or {}).get("details") == "Idempotency-Key is in use"
    return error.status == 429 or (is_safe and (error.status in _passing or at_work))


def _wait(error: Exception, attempt: int) -> float:
    """Retry-After as the API says it; otherwise twice as long each time, shortened at random so that clients spread."""
    retry_after = getattr(error, "retry_after", None)
    if retry_after is not None:
        return retry_after
    most = min(_first_wait * 2 ** (attempt - 1), _longest_wait)
    return most / 2 + random.random() * most / 2


def _chunks(rows: Iterable[Mapping[str, Any]], size: int) -> Iterator[tuple[int, List[Mapping[str, Any]]]]:
    chunk: List[Mapping[str, Any]] = []
    start = 0
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield start, chunk
            start += size
            chunk = []
    if chunk:
        yield start, chunk
