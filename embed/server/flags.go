package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
)

// settings is the command line after checking.
type settings struct {
	address        string
	port           int
	dir            string
	grpcPort       portWish
	metricsPort    portWish
	prefix         string // "" or "/ops/immudb": no slash at the end
	demo           bool
	server         *url.URL // nil: the database is in this process
	metrics        *url.URL // nil: where the database says
	frameAncestors string
	allowHosts     []string
	auth           bool
	maintenance    bool
	signingKey     string
	tokenMinutes   int
	adminPassword  string // "" leaves immudb's own default
	passwordFrom   string // the flag or variable that named it
}

// passwordVariable is the name that immudb itself reads. There is no flag for
// the password: command lines are public, immudb even serves its own on the
// metrics port under /debug/vars.
const passwordVariable = "IMMUDB_ADMIN_PASSWORD"

// embeddedOnly are the flags that mean nothing in front of another server.
var embeddedOnly = []string{
	"dir", "grpc-port", "metrics-port", "demo", "auth", "maintenance",
	"signing-key", "token-expiry-time", "admin-password-file",
}

// usage is what --help prints. `npm start -- --help` prints the same file before
// anything is built.
//
//go:embed usage.txt
var usage string

// parseFlags reads and checks the command line. For --help it prints the usage
// to stdout and returns flag.ErrHelp.
func parseFlags(args []string, getenv func(string) string, stdout io.Writer) (settings, error) {
	s := settings{
		grpcPort:      portWish{number: 3322},
		metricsPort:   portWish{number: 9497},
		adminPassword: getenv(passwordVariable),
	}
	if s.adminPassword != "" {
		s.passwordFrom = passwordVariable
	}
	flags := flag.NewFlagSet("webconsole", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	passwordFile := s.define(flags)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, usage)
			return s, err
		}
		return s, fmt.Errorf("%w (see --help)", err)
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q (see --help)", flags.Arg(0))
	}
	if err := s.readPassword(*passwordFile); err != nil {
		return s, err
	}
	return s, s.check(flags)
}

func (s *settings) define(flags *flag.FlagSet) (passwordFile *string) {
	flags.StringVar(&s.address, "address", "127.0.0.1", "")
	flags.IntVar(&s.port, "port", 8080, "")
	flags.StringVar(&s.dir, "dir", "./.immudb", "")
	flags.Var(&s.grpcPort, "grpc-port", "")
	flags.Var(&s.metricsPort, "metrics-port", "")
	flags.StringVar(&s.prefix, "prefix", "", "")
	flags.BoolVar(&s.demo, "demo", false, "")
	flags.Func("server", "", webAddress(&s.server))
	flags.Func("metrics", "", webAddress(&s.metrics))
	flags.StringVar(&s.frameAncestors, "frame-ancestors", "", "")
	flags.Func("allow-host", "", func(name string) error {
		s.allowHosts = append(s.allowHosts, name)
		return nil
	})
	flags.BoolVar(&s.auth, "auth", true, "")
	flags.BoolVar(&s.maintenance, "maintenance", false, "")
	flags.StringVar(&s.signingKey, "signing-key", "", "")
	flags.IntVar(&s.tokenMinutes, "token-expiry-time", 1440, "")
	return flags.String("admin-password-file", "", "")
}

// readPassword takes the file's content without its last line break: a
// password may itself begin or end with spaces.
func (s *settings) readPassword(file string) error {
	if file == "" {
		return nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--admin-password-file: %w", err)
	}
	s.adminPassword = strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	s.passwordFrom = "--admin-password-file"
	if s.adminPassword == "" {
		return fmt.Errorf("--admin-password-file: %s is empty", file)
	}
	return nil
}

func (s *settings) check(flags *flag.FlagSet) error {
	if err := s.normalisePrefix(); err != nil {
		return err
	}
	if s.port < 0 || s.port > 65535 {
		return fmt.Errorf("--port: %d is not a port number", s.port)
	}
	if s.tokenMinutes < 1 {
		return errors.New("--token-expiry-time must be at least 1 minute")
	}
	if s.maintenance && s.auth {
		return errors.New("--maintenance needs --auth=false: immudb refuses to start otherwise")
	}
	if s.demo && !s.auth {
		return errors.New("--demo needs a login and does not work with --auth=false")
	}
	if s.metrics != nil && strings.Trim(s.metrics.Path, "/") == "" {
		s.metrics.Path = "/metrics"
	}
	if s.server == nil {
		return nil
	}
	for _, name := range embeddedOnly {
		if wasSet(flags, name) {
			return fmt.Errorf("--%s is about the database in this process and does not go with --server", name)
		}
	}
	return nil
}

func wasSet(flags *flag.FlagSet, name string) bool {
	set := false
	flags.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// prefixShape refuses characters with a meaning for the router or in a URL.
var prefixShape = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)*$`)

func (s *settings) normalisePrefix() error {
	prefix := strings.TrimRight(s.prefix, "/")
	if prefix != "" && !strings.HasPrefix(prefix, "/") {
		prefix = "/" + prefix
	}
	if !prefixShape.MatchString(prefix) || (prefix != "" && path.Clean(prefix) != prefix) {
		return fmt.Errorf("--prefix: %q is not a plain path such as /ops/immudb", s.prefix)
	}
	s.prefix = prefix
	return nil
}

// webAddress accepts only absolute http and https addresses. A bare host:port
// parses as a URL with a strange scheme and would fail later with a less clear
// message.
func webAddress(target **url.URL) func(string) error {
	return func(text string) error {
		address, err := url.Parse(text)
		if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
			return errors.New("want an address such as http://db.example:8080")
		}
		*target = address
		return nil
	}
}
