"""The client against a running gateway, whose address and keys npm run test:python puts into the environment."""

import base64
import itertools
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from store_client import Answer, ConnectionFailed, Forbidden, Invalid, NotFound, RateLimited, StoreClient, Unauthenticated, verify_signature

BASE = os.environ["STORE_API_URL"]
KEY = os.environ["STORE_API_KEY"]
LIMITED = os.environ["STORE_LIMITED_KEY"]
waits = []


@pytest.fixture
def store():
    waits.clear()
    return StoreClient(BASE, KEY, strict=True, sleep=waits.append)


def test_every_row_of_several_pages_comes_once(store):
    rows = [{"sku": f"PY-{n}", "name": f"Python {n:04}", "price": "1.50"} for n in range(1_050)]
    assert store.bulk_upsert(rows, dry_run=True)["created"] == 1_050
    saved = store.bulk_upsert(itertools.chain(rows, [{"sku": " ", "name": "No sku"}]))
    assert (saved["created"], saved["failed"]) == (1_050, 1)
    assert saved["errors"] == [{"index": 1_050, "sku": None, "errors": ["Sku can't be blank"]}]
    found = [product["sku"] for product in store.products(search="python ")]
    assert len(found) == len(set(found)) == 1_050


def test_rows_that_are_there_all_along_come_once_while_the_list_changes(store):
    made = [f"MOV-{n}" for n in range(6)]
    store.bulk_upsert([{"sku": sku, "name": f"Moving {sku}"} for sku in made])
    seen = []
    for page in store.pages("/products", search="moving", per_page=2, page=9):
        seen += [product["sku"] for product in page.data]
        # By name, all would be on other pages now.
        store.bulk_upsert([{"sku": sku, "name": f"Z moving {sku}"} for sku in seen] + [{"sku": "MOV-NEW", "name": "A moving"}])
    assert seen == [*made, "MOV-NEW"]


def test_a_key_knows_itself_and_a_product_its_stock(store):
    assert "products:write" in store.key()["scopes"]
    product = store.create_product({"name": "Stocked", "price": "2.00"})
    store.adjust_stock(product["id"], "receive", quantity_change=3)
    store.bulk_update([product["id"]], {"price": "2.50"})
    changed = store.product(product["id"])
    assert (changed["current_stock"], changed["price"]) == (3, "2.50")


def test_errors_have_the_class_of_their_code(store):
    with pytest.raises(Invalid) as invalid:
        store.create_product({"name": "x", "prce": 1})
    assert invalid.value.errors == {"product.prce": ["is not a field of this request"]}
    assert invalid.value.code == "invalid" and invalid.value.request_id
    with pytest.raises(NotFound):
        store.product(999_999_999)
    with pytest.raises(Unauthenticated):
        StoreClient(BASE, "sk_store_wrong").key()
    with pytest.raises(Forbidden):
        store.request("POST", "/sales", body={})
    with pytest.raises(ConnectionFailed):
        StoreClient("http://127.0.0.1:1", KEY, attempts=1).key()


def test_a_429_waits_as_retry_after_says():
    waited = []
    client = StoreClient(BASE, LIMITED, attempts=2, sleep=waited.append)
    with pytest.raises(RateLimited) as limited:
        for _ in range(200):
            client.key()
    assert waited and all(1 <= seconds <= 60 for seconds in waited)
    assert 1 <= limited.value.retry_after <= 60


def test_a_lost_answer_is_asked_for_again_under_one_idempotency_key(store):
    seen = []

    class Losing(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            seen.append((self.headers["Idempotency-Key"], body))
            if len(seen) == 1:
                self.close_connection = True
                return
            answer = json.dumps({"data": {"id": 1}, "meta": {}}).encode()
            self.send_response(201)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Losing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        client = StoreClient(f"http://127.0.0.1:{server.server_port}", KEY, sleep=waits.append)
        assert client.create_product({"name": "Lost"}) == {"id": 1}
    finally:
        server.shutdown()
    assert len(seen) == 2 and seen[0] == seen[1] and seen[0][0]


def test_a_repeated_write_is_done_once(store):
    first = store.create_product({"name": "Once", "sku": "PY-ONCE"}, idempotency_key="python-once")
    again = store.request("POST", "/products", body={"product": {"name": "Once", "sku": "PY-ONCE"}}, idempotency_key="python-once")
    assert again.data == first and again.headers["Idempotency-Replayed"] == "true"


WRITES = {
    "create_product": lambda store, product, options: store.create_product({"name": "Repeated"}, **options),
    "bulk_upsert": lambda store, product, options: store.bulk_upsert([{"sku": "PY-BULK", "name": "Bulk"}], **options),
    "bulk_update": lambda store, product, options: store.bulk_update([product], {"price": "2.50"}, **options),
    "adjust_stock": lambda store, product, options: store.adjust_stock(product, "receive", quantity_change=3, **options),
    "create_customer": lambda store, product, options: store.create_customer({"name": "Repeated"}, force_create=True, **options).data,
    "subscribe": lambda store, product, options: store.subscribe("https://1.1.1.1/hooks", ["sale.completed"], **options),
}


@pytest.mark.parametrize("method", WRITES)
def test_every_writing_method_sends_what_is_common_to_all_beside_its_body(store, monkeypatch, method):
    sent = []

    def attempt(_method, url, headers, body):
        sent.append((url.partition("?")[2], headers.get("Idempotency-Key"), headers.get("X-Request-Id"), json.loads(body)))
        counts = {"created": 0, "updated": 0, "failed": 0, "created_skus": [], "updated_skus": [], "errors": []}
        return Answer(200, {}, {"data": counts})

    monkeypatch.setattr(store, "_attempt", attempt)
    WRITES[method](store, 1, {})
    WRITES[method](store, 1, {"dry_run": True, "idempotency_key": "k", "request_id": "python-request"})
    (plain_query, _, _, plain), (query, key, request_id, body) = sent
    assert (plain_query, query, request_id, body) == ("", "dry_run=true", "python-request", plain)
    assert key == ("k-0" if method == "bulk_upsert" else "k")


@pytest.mark.parametrize("method", WRITES)
def test_a_repetition_of_a_writing_method_books_nothing_more(store, method):
    product = store.create_product({"name": "Counted", "price": "1.00"})["id"]
    first = WRITES[method](store, product, {"idempotency_key": f"twice-{method}"})
    again = WRITES[method](store, product, {"idempotency_key": f"twice-{method}"})
    assert again == first
    if method == "adjust_stock":
        assert store.product(product)["current_stock"] == 3
    if method == "bulk_upsert":
        assert (first["created"], len(list(store.products(search="PY-BULK")))) == (1, 1)


def test_each_request_of_a_bulk_upsert_has_a_key_of_its_own(store, monkeypatch):
    keys = []
    request = store.request
    monkeypatch.setattr(store, "request", lambda *args, **options: keys.append(options["idempotency_key"]) or request(*args, **options))
    rows = [{"sku": f"PY-{n}", "name": f"Keyed {n}"} for n in range(1_001)]
    store.bulk_upsert(rows, dry_run=True, idempotency_key="import-7")
    assert keys == ["import-7-0", "import-7-1000"]


def test_follow_gives_every_event_after_a_number_in_order(store):
    after = store.latest_sequence()
    ids = [store.create_product({"name": f"Followed {n}"})["id"] for n in range(120)]
    # What it does at the end of the log; bounded, so that a lost event fails the test.
    polls = []

    def poll(_seconds):
        polls.append(1)
        assert len(polls) < 300
        threading.Event().wait(0.1)

    follower = StoreClient(BASE, KEY, sleep=poll).follow(after, types=["product.created"])
    events = list(itertools.islice(follower, 120))
    assert [event["resource_id"] for event in events] == ids
    assert [event["sequence"] for event in events] == sorted(event["sequence"] for event in events)


def test_a_signature_verifies_over_the_published_vectors():
    with open(os.path.join(os.path.dirname(__file__), "../../verify/vectors.json"), encoding="utf-8") as file:
        published = json.load(file)
    secret = published["secret"]
    vectors = [vector for vector in published["vectors"] if "body_base64" in vector]
    assert len(vectors) > 3
    for vector in vectors:
        body = base64.b64decode(vector["body_base64"])
        headers = {"x-service-signature": vector["x_service_signature"]}
        assert verify_signature(body, headers, ["whsec_old", secret])
        assert not verify_signature(body + b" ", headers, secret)
        assert not verify_signature(body, headers, "whsec_old")
        standard = {"Webhook-Id": vector["id"], "webhook-timestamp": str(published["timestamp"])}
        standard["webhook-signature"] = f"v1,other {vector['webhook_signature']}"

        def verified(now, headers=standard, raw=body, secrets=("whsec_b2xk", secret)):
            return verify_signature(raw, headers, secrets, scheme="standard", now=published["timestamp"] + now)

        assert verified(300) and verified(-300)
        assert not verified(301) and not verified(-301)
        assert not verified(0, raw=body + b" ") and not verified(0, secrets="whsec_b2xk")
        assert not any(verified(0, {name: value for name, value in standard.items() if name != left_out}) for left_out in standard)
        assert not verify_signature(body, standard, secret, scheme="standard")
    assert not verify_signature(b"{}", {}, "whsec_x")
    with pytest.raises(TypeError):
        verify_signature("{}", {}, "whsec_x")
    with pytest.raises(TypeError):
        verify_signature(b"{}", {}, "whsec_x", scheme="other")
