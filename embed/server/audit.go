package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	webconsole "immudb-webconsole/embed"
	"immudb-webconsole/embed/server/audit"
	"immudb-webconsole/embed/verify"
)

// auditUsage is what `webconsole audit --help` prints.
//
//go:embed audit.txt
var auditUsage string

// auditFlags is the command line of `webconsole audit`.
type auditFlags struct {
	servers     []webconsole.Server
	serversFile string
	user        string
	password    string // a file
	databases   []string
	every       time.Duration
	once        bool
	values      bool
	dir         string
	key         string
	metrics     string
	command     string
	webhook     string
	newKey      string
	accept      string
}

func (a *auditFlags) define(flags *flag.FlagSet) {
	// It is checked later: an error of flag would repeat a password in it.
	flags.Func("server", "", func(text string) error {
		name, address := splitServer(text)
		a.servers = append(a.servers, webconsole.Server{Name: name, URL: address})
		return nil
	})
	flags.StringVar(&a.serversFile, "servers", "", "")
	flags.StringVar(&a.user, "user", "", "")
	flags.StringVar(&a.password, "password-file", "", "")
	flags.Func("database", "", func(name string) error {
		a.databases = append(a.databases, name)
		return nil
	})
	flags.DurationVar(&a.every, "every", time.Minute, "")
	flags.BoolVar(&a.once, "once", false, "")
	flags.BoolVar(&a.values, "values", false, "")
	flags.StringVar(&a.dir, "dir", "", "")
	flags.StringVar(&a.key, "key", "", "")
	flags.StringVar(&a.metrics, "metrics-address", "", "")
	flags.StringVar(&a.command, "on-finding", "", "")
	flags.StringVar(&a.webhook, "webhook", "", "")
	flags.StringVar(&a.newKey, "new-key", "", "")
	flags.StringVar(&a.accept, "accept", "", "")
}

// runAudit is `webconsole audit`. It returns the exit code.
func runAudit(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	code, err := auditWith(ctx, args, os.Getenv, stdout, stderr)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, auditUsage)
		return audit.ExitVerified
	}
	if err != nil {
		fmt.Fprintf(stderr, "webconsole audit: %v\n", err)
		return audit.ExitUnreadable
	}
	return code
}

// auditWith returns an error where nothing was looked at.
func auditWith(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) (int, error) {
	given := &auditFlags{}
	flags := flag.NewFlagSet("webconsole audit", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	given.define(flags)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0, err
		}
		return 0, fmt.Errorf("%w (see --help)", err)
	}
	if flags.NArg() > 0 {
		return 0, fmt.Errorf("unexpected argument %q (see --help)", flags.Arg(0))
	}
	if err := readEnvironment(flags, getenv); err != nil {
		return 0, err
	}
	if given.dir == "" {
		return 0, errors.New("--dir is missing: the folder for what is known and found")
	}
	if given.newKey != "" || given.accept != "" {
		return 0, given.act(stdout)
	}
	settings, err := given.settings()
	if err != nil {
		return 0, err
	}
	unlock, err := lockAuditor(given.dir)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if isOpenToOthers(given.dir) {
		fmt.Fprintf(stderr, "Warning: other users of this machine can read the folder %s. Close it with: chmod -R o= %s\n", given.dir, given.dir)
	}
	if given.metrics != "" {
		if settings.Metrics, err = net.Listen("tcp", given.metrics); err != nil {
			return 0, fmt.Errorf("--metrics-address: %w", err)
		}
		defer settings.Metrics.Close()
	}
	settings.Ready = func() { tellSystemd(daemon.SdNotifyReady) }
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer tellSystemd(daemon.SdNotifyStopping)
	return audit.Run(ctx, settings, stdout, stderr), nil
}

// lockAuditor keeps a second auditor out of a folder.
func lockAuditor(dir string) (unlock func(), err error) {
	keepFilesPrivate()
	unlock, err = lockDirectory(dir)
	var taken *inUseError
	if errors.As(err, &taken) {
		err = fmt.Errorf("%s works in the folder %s, and two auditors in one folder would contradict one another;"+
			" nothing was done. Stop it, or choose another folder with --dir", taken.who, dir)
	}
	return unlock, err
}

// act does what needs no server.
func (a *auditFlags) act(stdout io.Writer) error {
	if a.newKey != "" && a.accept != "" {
		return errors.New("--new-key and --accept do not go together")
	}
	unlock, err := lockAuditor(a.dir)
	if err != nil {
		return err
	}
	defer unlock()
	if a.newKey != "" {
		verifier, err := audit.NewKey(a.dir, a.newKey)
		if err != nil {
			return fmt.Errorf("--new-key: %w", err)
		}
		fmt.Fprintln(stdout, verifier)
		return nil
	}
	kept, err := audit.Accept(a.dir, a.accept)
	if err != nil {
		return fmt.Errorf("--accept: %w", err)
	}
	fmt.Fprintf(stdout, "The finding is kept as %s. The next look at its database is a first contact.\n", kept)
	return nil
}

// settings checks what was given and reads the files that it names.
func (a *auditFlags) settings() (s audit.Settings, err error) {
	s = audit.Settings{
		User: a.user, Databases: a.databases, Every: a.every, Once: a.once, Values: a.values, Dir: a.dir,
		OnFinding: a.command, Environment: withoutOurs(os.Environ()),
	}
	chosen := settings{serversFile: a.serversFile}
	if err := chosen.chooseServers(a.servers); err != nil {
		return s, err
	}
	switch {
	case chosen.servers != nil:
		s.Servers = chosen.servers.List()
	case chosen.server != "":
		s.Servers = []webconsole.Server{{URL: chosen.server}}
	default:
		return s, errors.New("--server is missing: the web address of an immudb, such as http://db.example:8080")
	}
	for _, server := range s.Servers {
		if _, _, err := server.Reach(); err != nil {
			return s, fmt.Errorf("--server: %w", err)
		}
	}
	if a.user == "" || a.password == "" {
		return s, errors.New("--user and --password-file are missing: the login of a user who may read")
	}
	if s.Password, err = passwordIn(a.password, "--password-file"); err != nil {
		return s, err
	}
	if a.every < time.Second {
		return s, errors.New("--every: a second is the least, such as --every 1m")
	}
	for _, name := range a.databases {
		if !audit.IsDatabaseName(name) {
			return s, fmt.Errorf("--database: %q is not a name that immudb takes", name)
		}
	}
	if a.key != "" {
		text, err := os.ReadFile(a.key)
		if err != nil {
			return s, fmt.Errorf("--key: %w", err)
		}
		if s.Key, err = verify.ReadKey(string(text)); err != nil {
			return s, fmt.Errorf("--key: %s: %w", a.key, err)
		}
	}
	if a.webhook != "" {
		s.Webhook, err = url.Parse(a.webhook)
		if err != nil || s.Webhook.Host == "" || (s.Webhook.Scheme != "http" && s.Webhook.Scheme != "https") {
			// The address may hold a secret, so it is not repeated.
			return s, errors.New("--webhook: want an address such as https://hooks.example/immudb")
		}
	}
	return s, nil
}

// withoutOurs keeps our settings and a password out of other programs.
func withoutOurs(environment []string) []string {
	return slices.DeleteFunc(environment, func(variable string) bool {
		return strings.HasPrefix(variable, variablePrefix) || strings.HasPrefix(variable, passwordVariable+"=")
	})
}
