"""Upserts, follows the pages and reads a 422 with the client that openapi-python-client generates."""
import json
import os

from store_developer_api_client import AuthenticatedClient
from store_developer_api_client.api.products import bulk_upsert, create_product, list_products
from store_developer_api_client.models.bulk_upsert_body import BulkUpsertBody
from store_developer_api_client.models.create_product_body import CreateProductBody
from store_developer_api_client.models.product_input import ProductInput
from store_developer_api_client.models.product_row import ProductRow

client = AuthenticatedClient(
    base_url=os.environ["STORE_URL"] + "/api/v1", token=os.environ["STORE_KEY"], prefix="", auth_header_name="X-API-Key"
)
rows = [ProductRow(sku=f"py-{name}", name=f"Generated py {name}", price="1.50") for name in "ABC"]
upserted = bulk_upsert.sync(client=client, body=BulkUpsertBody(products=rows))
listed = []
page = pages = 1
while page <= pages:
    answer = list_products.sync(client=client, search="Generated py", per_page=2, page=page)
    listed += [f"{product.sku} {product.price}" for product in answer.data]
    pages = answer.pagination.total_pages
    page += 1
refused = create_product.sync_detailed(client=client, body=CreateProductBody(product=ProductInput(name="")))
print(
    json.dumps(
        {"created": upserted.data.created, "listed": listed, "status": refused.status_code, "error": refused.parsed.error},
        separators=(",", ":"),
    )
)
