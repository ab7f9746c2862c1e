// Upserts, follows the pages and reads a 422 with the client that oapi-codegen generates.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"generated/store"
)

type result struct {
	Created int32    `json:"created"`
	Listed  []string `json:"listed"`
	Status  int      `json:"status"`
	Error   string   `json:"error"`
}

func pointer[T any](value T) *T { return &value }

func main() {
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("STORE_KEY"))
		return nil
	}
	client, err := store.NewClientWithResponses(os.Getenv("STORE_URL")+"/api/v1", store.WithRequestEditorFn(withKey))
	must(err)
	ctx := context.Background()
	rows := []store.ProductRow{}
	for _, name := range []string{"A", "B", "C"} {
		rows = append(rows, store.ProductRow{Sku: "go-" + name, Name: pointer("Generated go " + name), Price: pointer("1.50")})
	}
	upserted, err := client.BulkUpsertWithResponse(ctx, nil, store.BulkUpsertJSONRequestBody{Products: rows})
	must(err)
	found := result{Created: upserted.JSON200.Data.Created, Listed: []string{}}
	for page, pages := int64(1), int64(1); page <= pages; page++ {
		params := store.ListProductsParams{Search: pointer("Generated go"), PerPage: pointer(int64(2)), Page: &page}
		listed, err := client.ListProductsWithResponse(ctx, &params)
		must(err)
		for _, product := range listed.JSON200.Data {
			found.Listed = append(found.Listed, *product.Sku+" "+product.Price)
		}
		pages = int64(listed.JSON200.Pagination.TotalPages)
	}
	refused, err := client.CreateProductWithResponse(ctx, nil, store.CreateProductJSONRequestBody{Product: store.ProductInput{Name: ""}})
	must(err)
	found.Status = refused.StatusCode()
	found.Error = refused.JSON422.Error
	text, err := json.Marshal(found)
	must(err)
	fmt.Println(string(text))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
