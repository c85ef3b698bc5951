package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// The ledger covers the first days of March in all five invented shops.
const (
	ledgerDays   = 12
	salesPerShop = 6
	ledgerShops  = 5
)

// ledgerPrices are the prices of demo/bakery.sql before they were changed, in
// cents and in the order of the products.
var ledgerPrices = []int{420, 75, 190, 260, 160, 280, 540, 210}

var ledgerNotes = []string{
	"standing order of the school", "paid in small coins", "for the ferry crew",
	"yesterday's, half price", "O'Malley's wedding", "ohne Tüte",
}

// ledgerStatements are one INSERT for each day. The rows are the same every
// time: demo data should not differ between two screenshots.
func ledgerStatements() []string {
	random := rand.New(rand.NewPCG(1987, 3))
	var statements []string
	for day := range ledgerDays {
		var rows []string
		opens := time.Date(2026, time.March, 1+day, 6, 0, 0, 0, time.UTC)
		for shop := range ledgerShops {
			at := opens
			for range salesPerShop {
				at = at.Add(time.Duration(1+random.IntN(120)) * time.Minute)
				rows = append(rows, ledgerRow(random, shop+1, at))
			}
		}
		statements = append(statements, "INSERT INTO sales (shop_id, product_id, sold_at, pieces, amount, note) VALUES\n  "+
			strings.Join(rows, ",\n  ")+";")
	}
	return statements
}

func ledgerRow(random *rand.Rand, shop int, at time.Time) string {
	product := random.IntN(len(ledgerPrices))
	pieces := 1 + random.IntN(24)
	note := "NULL"
	if random.IntN(9) == 0 {
		text := ledgerNotes[random.IntN(len(ledgerNotes))]
		note = "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	cents := pieces * ledgerPrices[product]
	return fmt.Sprintf("(%d, %d, CAST('%s' AS TIMESTAMP), %d, %d.%02d, %s)",
		shop, product+1, at.Format(time.DateTime), pieces, cents/100, cents%100, note)
}
