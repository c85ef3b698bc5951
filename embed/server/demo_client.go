package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/codenotary/immudb/pkg/auth"
)

// body is a request of the REST API. Byte slices in it become base64, which is
// what the API wants for keys, values and some names.
type body = map[string]any

// demoClient speaks the REST API with the token of the system administrator.
type demoClient struct {
	ctx   context.Context
	http  *http.Client
	api   string // ends in a slash
	token string
}

// demoLogin logs in with the password of a new data directory.
func demoLogin(ctx context.Context, client *http.Client, base, password string) (*demoClient, error) {
	if password == "" {
		password = auth.SysAdminPassword
	}
	password, err := auth.DecodeBase64Password(password)
	if err != nil {
		return nil, err
	}
	c := &demoClient{ctx: ctx, http: client, api: base + "api/"}
	request := body{"user": []byte(auth.SysAdminUsername), "password": []byte(password)}
	if err := c.callForToken("POST", "login", request); err != nil {
		return nil, fmt.Errorf("cannot log in as %s: %w", auth.SysAdminUsername, err)
	}
	return c, nil
}

func (c *demoClient) logOut() { c.call("POST", "logout", body{}, nil) }

func (c *demoClient) use(database string) error {
	return c.callForToken("GET", "db/use/"+database, nil)
}

func (c *demoClient) callForToken(method, path string, request any) error {
	var answer struct{ Token string }
	err := c.call(method, path, request, &answer)
	if err == nil {
		c.token = answer.Token
	}
	return err
}

// serverIsEmpty looks for other databases, other users and transactions.
func (c *demoClient) serverIsEmpty() (bool, error) {
	var list struct{ Databases []struct{ Name string } }
	if err := c.call("POST", "db/list/v2", body{}, &list); err != nil {
		return false, err
	}
	if len(list.Databases) != 1 {
		return false, nil
	}
	if err := c.use(list.Databases[0].Name); err != nil {
		return false, err
	}
	var users struct{ Users []any }
	if err := c.call("GET", "user/list", nil, &users); err != nil {
		return false, err
	}
	// The id is left out while there is no transaction.
	var state struct{ TxID string }
	err := c.call("GET", "db/state", nil, &state)
	return state.TxID == "" && len(users.Users) == 1, err
}

// call sends one request and reads the answer into answer unless that is nil.
func (c *demoClient) call(method, path string, request, answer any) error {
	var payload io.Reader
	if request != nil {
		raw, err := json.Marshal(request)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(c.ctx, method, c.api+path, payload)
	if err != nil {
		return err
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, bytes.TrimSpace(raw))
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(raw, answer)
}
