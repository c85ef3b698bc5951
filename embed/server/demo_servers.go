package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	webconsole "immudb-webconsole/embed"
)

// demoServers are a primary and its replicas, each a process of this binary.
// immudb keeps state in package variables, so one process cannot hold two.
type demoServers struct {
	servers   *webconsole.Servers
	processes []*demoProcess
}

// endWithInput is a variable that makes a process end with its standard input.
// The kernel closes that when the process which started it dies, however it
// dies, so none of the servers stays behind.
const endWithInput = "WEBCONSOLE_END_WITH_INPUT"

// withParent ends the context with the standard input where the process which
// started this one wants that.
func withParent(ctx context.Context) context.Context {
	if os.Getenv(endWithInput) == "" {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return ctx
}

// synchronous is the database that the first replica has to confirm; all others
// follow when they can.
const synchronous = "bakery"

// startDemoServers returns when all servers answer and the replicas are set up.
// Transactions may still be on their way to them.
func startDemoServers(ctx context.Context, s settings, out, notes io.Writer) (_ *demoServers, err error) {
	d := &demoServers{}
	defer func() {
		if err != nil {
			d.stop()
		}
	}()
	names := []string{"primary"}
	for i := range s.replicas {
		names = append(names, fmt.Sprintf("replica-%d", i+1))
	}
	for _, name := range names {
		process, err := startDemoProcess(s, name, notes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		d.processes = append(d.processes, process)
	}
	var list []webconsole.Server
	for _, process := range d.processes {
		if err := process.waitUntilReady(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", process.name, err)
		}
		list = append(list, webconsole.Server{
			Name: process.name, URL: strings.TrimSuffix(process.console, "/"), Metrics: process.metrics,
		})
	}
	if err := fillWithDemo(ctx, plainClient, d.processes[0].console, s.adminPassword, out); err != nil {
		return nil, fmt.Errorf("demo data: %w", err)
	}
	if err := d.replicate(ctx, s.adminPassword); err != nil {
		return nil, fmt.Errorf("replication: %w", err)
	}
	d.servers, err = webconsole.NewServers(list)
	return d, err
}

// plainClient calls the other processes of the demo, whatever this one listens on.
var plainClient = ownClient(settings{})

// replicate makes the databases of the demo follow the primary. Ports differ
// between two starts, so a replica that is there already is told the new one.
func (d *demoServers) replicate(ctx context.Context, password string) error {
	plan, err := readDemoPlan()
	if err != nil {
		return err
	}
	primary, err := demoLogin(ctx, plainClient, d.processes[0].console, password)
	if err != nil {
		return err
	}
	defer primary.logOut()
	source := replicationSource{address: d.processes[0].grpc, user: "replicator", password: rand.Text()}
	if err := primary.addReplicator(source, plan.Databases); err != nil {
		return err
	}
	// Before the replicas, because a synchronous one fails while its primary is
	// not. From now on a write waits for it.
	if err := primary.call("POST", "db/update/v2", body{"database": synchronous, "settings": body{
		"replicationSettings": body{"syncReplication": setting(true), "syncAcks": setting(1)},
	}}, nil); err != nil {
		return err
	}
	for i, process := range d.processes[1:] {
		replica, err := demoLogin(ctx, plainClient, process.console, password)
		if err != nil {
			return fmt.Errorf("%s: %w", process.name, err)
		}
		err = replica.follow(source, plan, i == 0)
		replica.logOut()
		if err != nil {
			return fmt.Errorf("%s: %w", process.name, err)
		}
	}
	return nil
}

// replicationSource is where replicas get transactions from.
type replicationSource struct {
	address, user, password string
}

// setting is a value as the settings of a database have it.
func setting(value any) body { return body{"value": value} }

// addReplicator makes a user for the replicas, because any reader of a replica
// sees its password. Each start gives it a new one.
func (c *demoClient) addReplicator(source replicationSource, databases []demoDatabase) error {
	var list struct{ Users []struct{ User []byte } }
	if err := c.use(databases[0].Name); err != nil {
		return err
	}
	if err := c.call("GET", "user/list", nil, &list); err != nil {
		return err
	}
	for _, known := range list.Users {
		if string(known.User) == source.user {
			return c.call("POST", "user/password/change", body{
				"user": []byte(source.user), "newPassword": []byte(source.password),
			}, nil)
		}
	}
	for i, database := range databases {
		var err error
		if i == 0 {
			err = c.call("POST", "user", body{
				"user": []byte(source.user), "password": []byte(source.password),
				"permission": 254, "database": database.Name,
			}, nil)
		} else {
			err = c.call("POST", "user/changepermission", body{
				"action": "GRANT", "username": source.user, "database": database.Name, "permission": 254,
			}, nil)
		}
		if err != nil {
			return fmt.Errorf("user %s: %w", source.user, err)
		}
	}
	return nil
}

// follow sets the databases up as replicas. Users are not replicated, so the
// demo users are made here too.
func (c *demoClient) follow(source replicationSource, plan demoPlan, isFirst bool) error {
	host, portText, err := net.SplitHostPort(source.address)
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return err
	}
	isNew := true
	for _, database := range plan.Databases {
		settings := body{"replicationSettings": body{
			"replica":         setting(true),
			"primaryDatabase": setting(database.Name),
			"primaryHost":     setting(host),
			"primaryPort":     setting(port),
			"primaryUsername": setting(source.user),
			"primaryPassword": setting(source.password),
			"syncReplication": setting(isFirst && database.Name == synchronous),
		}}
		var answer struct{ AlreadyExisted bool }
		err := c.call("POST", "db/create/v2", body{"name": database.Name, "settings": settings, "ifNotExists": true}, &answer)
		if err == nil && answer.AlreadyExisted {
			isNew = false
			err = c.call("POST", "db/update/v2", body{"database": database.Name, "settings": settings}, nil)
		}
		if err != nil {
			return fmt.Errorf("database %s: %w", database.Name, err)
		}
	}
	if !isNew {
		return nil
	}
	for _, user := range plan.Users {
		if err := c.addUser(user, io.Discard); err != nil {
			return fmt.Errorf("user %s: %w", user.Name, err)
		}
	}
	return nil
}

// stop ends all servers and waits for them.
func (d *demoServers) stop() {
	for _, process := range d.processes {
		process.input.Close()
	}
	for _, process := range d.processes {
		process.wait()
	}
}

// demoProcess is one server of the demo.
type demoProcess struct {
	name    string
	command *exec.Cmd
	input   io.Closer
	ready   chan error // room for two: that it is ready and that it has ended
	ended   chan struct{}

	console, metrics, grpc string
}

// demoArguments pass on what was said about the database of this process.
func demoArguments(s settings, name string) []string {
	args := []string{
		"--dir", filepath.Join(s.dir+"-servers", name), "--port", "0", "--grpc-port", "0", "--metrics-port", "0",
		"--token-expiry-time", strconv.Itoa(s.tokenMinutes),
	}
	if s.signingKey != "" {
		args = append(args, "--signing-key", s.signingKey)
	}
	if s.auditLog {
		args = append(args, "--audit-log", "--audit-log-events", s.auditEvents)
	}
	return args
}

func startDemoProcess(s settings, name string, notes io.Writer) (*demoProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &demoProcess{name: name, command: exec.Command(self, demoArguments(s, name)...), ready: make(chan error, 2), ended: make(chan struct{})}
	p.command.Env = append(withoutSettings(os.Environ()), endWithInput+"=1", passwordVariable+"="+s.adminPassword)
	if p.input, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := p.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	noted := make(chan struct{})
	go func() {
		defer close(noted)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			fmt.Fprintf(notes, "%s: %s\n", name, lines.Text())
		}
	}()
	go func() {
		p.readAddresses(stdout)
		<-noted
		if err := p.command.Wait(); err != nil {
			fmt.Fprintf(notes, "%s: ended (%v)\n", name, err)
		}
		p.ready <- errors.New("ended before it was ready")
		close(p.ended)
	}()
	return p, nil
}

var addressLine = regexp.MustCompile(`^(Console|Metrics|gRPC) +(\S+)$`)

// readAddresses reads what the process prints until it ends.
func (p *demoProcess) readAddresses(stdout io.Reader) {
	found := map[string]string{}
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if match := addressLine.FindStringSubmatch(lines.Text()); match != nil {
			found[match[1]] = match[2]
		}
		if len(found) == 3 && p.grpc == "" {
			p.console, p.metrics, p.grpc = found["Console"], found["Metrics"], found["gRPC"]
			p.ready <- nil
		}
	}
}

func (p *demoProcess) waitUntilReady(ctx context.Context) error {
	select {
	case err := <-p.ready:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(2 * time.Minute):
		return errors.New("not ready within 2 minutes")
	}
}

// wait gives the process time to close its databases.
func (p *demoProcess) wait() {
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
		p.command.Process.Kill()
		<-p.ended
	}
}
