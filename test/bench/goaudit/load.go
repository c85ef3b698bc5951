package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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

// exec sends a statement with its parameters, in a transaction of its own.
type exec func(sql string, params map[string]interface{}) error

func overGRPC(ctx context.Context, client immudb.ImmuClient) exec {
	return func(sql string, params map[string]interface{}) error {
		_, err := client.SQLExec(ctx, sql, params)
		return err
	}
}

type restParam struct {
	Name  string                 `json:"name"`
	Value map[string]interface{} `json:"value"`
}

// overREST sends as the console has to: JSON to the gateway of the server, which calls gRPC in turn.
func overREST(address, token string) exec {
	return func(sql string, params map[string]interface{}) error {
		list := make([]restParam, 0, len(params))
		for name, value := range params {
			list = append(list, restParam{name, restValue(value)})
		}
		body, err := json.Marshal(map[string]interface{}{"sql": sql, "params": list})
		if err != nil {
			return err
		}
		request, err := http.NewRequest("POST", address+"/db/sqlexec", bytes.NewReader(body))
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		said, err := io.ReadAll(answer.Body)
		if err == nil && answer.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %s", answer.Status, said)
		}
		return err
	}
}

// restValue is a schema.SQLValue in JSON.
func restValue(value interface{}) map[string]interface{} {
	switch of := value.(type) {
	case int64:
		return map[string]interface{}{"n": of}
	case float64:
		return map[string]interface{}{"f": of}
	case bool:
		return map[string]interface{}{"b": of}
	case time.Time:
		return map[string]interface{}{"ts": of.UnixMicro()}
	}
	return map[string]interface{}{"s": value}
}

// load inserts the rows of a CSV file with a header, so many in each transaction, as a careful
// program would: one INSERT with parameters after the other. It is the floor for the import of the
// console, which sends the same rows in the same transactions.
func load(send exec, path, table string, rowsEach int) error {
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
	if err := send(fmt.Sprintf(loadedTable, table), nil); err != nil {
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
		if err := send(sql, params); err != nil {
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
