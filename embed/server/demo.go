package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

//go:embed demo
var demoFiles embed.FS

// demoPlan is the content of demo/demo.json: everything that is not SQL.
type demoPlan struct {
	Databases []demoDatabase
	Users     []demoUser
}

type demoDatabase struct {
	Name        string
	Statements  string // file beside the plan
	Keys        []demoKey
	References  []struct{ Key, To string }
	Scores      []demoScore
	Collections []demoCollection
}

type demoKey struct {
	Key     string
	Values  []string // written one after the other, to make a history
	Deleted bool
}

type demoScore struct {
	Set   string
	Score float64
	Key   string
}

type demoCollection struct {
	Name      string
	Fields    []any
	Indexes   []any
	Documents []any
}

type demoUser struct {
	Name, Password string
	Grants         []struct {
		Database string
		Level    int
	}
	Inactive bool
}

var demoLevels = map[int]string{1: "read", 2: "read and write", 254: "admin"}

// fillWithDemo writes the demo data through the REST API at base, as any other
// client would, and reports to out. It adds nothing to a server that already
// has data.
func fillWithDemo(ctx context.Context, way *http.Client, base, password string, out io.Writer) error {
	plan, err := readDemoPlan()
	if err != nil {
		return err
	}
	client, err := demoLogin(ctx, way, base, password)
	if err != nil {
		return err
	}
	defer client.logOut()
	empty, err := client.serverIsEmpty()
	if err != nil {
		return err
	}
	if !empty {
		fmt.Fprintln(out, "Demo     the server already holds data, nothing was added")
		return nil
	}
	for _, database := range plan.Databases {
		if err := client.fill(database, out); err != nil {
			return fmt.Errorf("database %s: %w", database.Name, err)
		}
	}
	for _, user := range plan.Users {
		if err := client.addUser(user, out); err != nil {
			return fmt.Errorf("user %s: %w", user.Name, err)
		}
	}
	return nil
}

func readDemoPlan() (demoPlan, error) {
	var plan demoPlan
	raw, err := demoFiles.ReadFile("demo/demo.json")
	if err == nil {
		err = json.Unmarshal(raw, &plan)
	}
	return plan, err
}

func (c *demoClient) fill(database demoDatabase, out io.Writer) error {
	if err := c.call("POST", "db/create/v2", body{"name": database.Name}, nil); err != nil {
		return err
	}
	if err := c.use(database.Name); err != nil {
		return err
	}
	requests, err := demoStatements(database.Statements)
	if err != nil {
		return err
	}
	for _, sql := range requests {
		if err := c.call("POST", "db/sqlexec", body{"sql": sql}, nil); err != nil {
			return fmt.Errorf("%w in %q", err, firstLine(sql))
		}
	}
	if err := c.fillKeys(database); err != nil {
		return err
	}
	for _, collection := range database.Collections {
		if err := c.fillCollection(collection); err != nil {
			return fmt.Errorf("collection %s: %w", collection.Name, err)
		}
	}
	var state struct{ TxID string }
	if err := c.call("GET", "db/state", nil, &state); err != nil {
		return err
	}
	fmt.Fprintf(out, "Demo     database %s: %s transactions, %d keys, collections: %d\n",
		database.Name, state.TxID, len(database.Keys), len(database.Collections))
	return nil
}

// demoStatements splits a file into paragraphs, drops those with only comments,
// and inserts the generated ledger at its mark.
func demoStatements(file string) ([]string, error) {
	raw, err := demoFiles.ReadFile("demo/" + file)
	if err != nil {
		return nil, err
	}
	var requests []string
	for paragraph := range strings.SplitSeq(string(raw), "\n\n") {
		switch sql := strings.TrimSpace(paragraph); {
		case sql == "-- ledger":
			requests = append(requests, ledgerStatements()...)
		case sql != "" && !strings.HasPrefix(sql, "--"):
			requests = append(requests, sql)
		}
	}
	return requests, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func (c *demoClient) fillKeys(database demoDatabase) error {
	for _, entry := range database.Keys {
		for _, value := range entry.Values {
			pair := body{"key": []byte(entry.Key), "value": []byte(value)}
			if err := c.call("POST", "db/set", body{"KVs": []body{pair}}, nil); err != nil {
				return err
			}
		}
		if entry.Deleted {
			if err := c.call("POST", "db/deletekey", body{"keys": [][]byte{[]byte(entry.Key)}}, nil); err != nil {
				return err
			}
		}
	}
	for _, r := range database.References {
		request := body{"key": []byte(r.Key), "referencedKey": []byte(r.To)}
		if err := c.call("POST", "db/setreference", request, nil); err != nil {
			return err
		}
	}
	for _, s := range database.Scores {
		request := body{"set": []byte(s.Set), "score": s.Score, "key": []byte(s.Key)}
		if err := c.call("POST", "db/zadd", request, nil); err != nil {
			return err
		}
	}
	return nil
}

func (c *demoClient) fillCollection(collection demoCollection) error {
	path := "v2/collection/" + collection.Name
	request := body{"fields": collection.Fields, "indexes": collection.Indexes}
	if err := c.call("POST", path, request, nil); err != nil {
		return err
	}
	return c.call("POST", path+"/documents", body{"documents": collection.Documents}, nil)
}

func (c *demoClient) addUser(user demoUser, out io.Writer) error {
	var databases []string
	for i, grant := range user.Grants {
		if err := c.grant(user, i); err != nil {
			return err
		}
		databases = append(databases, demoLevels[grant.Level]+" on "+grant.Database)
	}
	note := ""
	if user.Inactive {
		note = ", deactivated"
		if err := c.call("POST", "user/setactiveUser", body{"username": user.Name, "active": false}, nil); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "Demo     user %s, password %s: %s%s\n",
		user.Name, user.Password, strings.Join(databases, " and "), note)
	return nil
}

// grant creates the user with the first grant and adds the others. Adding one
// resets the SQL privileges of all databases to those of the new one, so the
// earlier ones are granted again. The plan only needs this at read level.
func (c *demoClient) grant(user demoUser, i int) error {
	grant := user.Grants[i]
	if i == 0 {
		return c.call("POST", "user", body{
			"user": []byte(user.Name), "password": []byte(user.Password),
			"permission": grant.Level, "database": grant.Database,
		}, nil)
	}
	err := c.call("POST", "user/changepermission", body{
		"action": "GRANT", "username": user.Name, "database": grant.Database, "permission": grant.Level,
	}, nil)
	for _, earlier := range user.Grants[:i] {
		if err != nil {
			return err
		}
		err = c.call("POST", "user/changesqlprivileges", body{
			"action": "GRANT", "username": user.Name, "database": earlier.Database, "privileges": []string{"SELECT"},
		}, nil)
	}
	return err
}
