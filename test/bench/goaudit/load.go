package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	immudb "github.com/codenotary/immudb/pkg/client"
)

const loadedTable = `CREATE TABLE %s (id INTEGER, label VARCHAR[64], price FLOAT, made TIMESTAMP,
	sold BOOLEAN, note VARCHAR[256], PRIMARY KEY id);`

type loaded struct {
	Rows    int     `json:"rows"`
	Seconds float64 `json:"seconds"`
}

// load inserts the rows of a CSV file with a header, so many in each transaction, as a careful
// program would: one INSERT with parameters after the other. It is the floor for the import of the
// console, which sends the same rows in the same transactions.
func load(ctx context.Context, client immudb.ImmuClient, path, table string, rowsEach int) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.ReuseRecord = true
	if _, err := reader.Read(); err != nil {
		return err
	}
	started := time.Now()
	if _, err := client.SQLExec(ctx, fmt.Sprintf(loadedTable, table), nil); err != nil {
		return err
	}
	all := 0
	for {
		rows, params, err := readBatch(reader, rowsEach)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		sql := fmt.Sprintf("INSERT INTO %s (id, label, price, made, sold, note) VALUES %s;", table, strings.Join(rows, ","))
		if _, err := client.SQLExec(ctx, sql, params); err != nil {
			return err
		}
		all += len(rows)
	}
	return json.NewEncoder(os.Stdout).Encode(loaded{Rows: all, Seconds: time.Since(started).Seconds()})
}

func readBatch(reader *csv.Reader, most int) (rows []string, params map[string]interface{}, err error) {
	params = map[string]interface{}{}
	for len(rows) < most {
		record, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		names := make([]string, len(record))
		for at, field := range record {
			value, err := valueOf(at, field)
			if err != nil {
				return nil, nil, err
			}
			name := fmt.Sprintf("p%d", len(params))
			params[name] = value
			names[at] = "@" + name
		}
		rows = append(rows, "("+strings.Join(names, ",")+")")
	}
	return rows, params, nil
}

func valueOf(column int, field string) (interface{}, error) {
	switch column {
	case 0:
		return strconv.ParseInt(field, 10, 64)
	case 2:
		return strconv.ParseFloat(field, 64)
	case 3:
		return time.Parse(time.RFC3339Nano, field)
	case 4:
		return strconv.ParseBool(field)
	}
	return strings.Clone(field), nil
}
