package webconsole

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Option changes what Handler sends. Without options the console may not be
// framed and talks to its own origin only.
type Option func(*settings) error

type settings struct {
	frameAncestors []string
	metricsOrigin  string
	extra          []directive
	devServer      *url.URL
	servers        *Servers
	list           *serverList // the state of servers that pages are made for
}

// WithFrameAncestors names the sites that may show the console in a frame, as
// sources of the policy directive: "'self' https://portal.example". The pages
// then tell the console so, which otherwise refuses to run in a frame.
func WithFrameAncestors(sources string) Option {
	return func(s *settings) error {
		list, err := checkSources(strings.Fields(sources))
		if err != nil || len(list) == 0 {
			return fmt.Errorf("frame-ancestors: %q is not a list of sources", sources)
		}
		s.frameAncestors = list
		return nil
	}
}

// WithMetricsOrigin names the one other origin that the console may read
// metrics from, such as "http://db.example:9497". It is needed only where the
// metrics are not served beside the API.
func WithMetricsOrigin(origin string) Option {
	return func(s *settings) error {
		if _, err := checkSources([]string{origin}); err != nil {
			return fmt.Errorf("metrics origin: %w", err)
		}
		s.metricsOrigin = origin
		return nil
	}
}

// WithSources adds sources to a directive of the content security policy:
// WithSources("img-src", "https://brand.example").
func WithSources(name string, sources ...string) Option {
	return func(s *settings) error {
		if _, err := checkSources(append([]string{name}, sources...)); err != nil {
			return fmt.Errorf("policy: %w", err)
		}
		s.extra = append(s.extra, directive{name: name, sources: sources})
		return nil
	}
}

// WithDevServer sends every request to the JavaScript development server
// instead of serving the embedded build.
func WithDevServer(target *url.URL) Option {
	return func(s *settings) error {
		s.devServer = target
		return nil
	}
}

// WithServers puts the console in front of several servers. The handler then
// also answers at servers.json and passes calls below s/NAME on. It passes on
// only what a Guard with the same list has checked.
func WithServers(servers *Servers) Option {
	return func(s *settings) error {
		if servers == nil || servers.current.Load() == nil {
			return errors.New("servers: there is no list; make one with NewServers")
		}
		s.servers = servers
		return nil
	}
}

// checkSources refuses characters that would end the source, the directive or
// the header, because an option's text often comes from a command line.
func checkSources(sources []string) ([]string, error) {
	for _, source := range sources {
		bad := func(r rune) bool { return r <= ' ' || r > '~' || r == ';' || r == ',' || r == '"' }
		if source == "" || strings.ContainsFunc(source, bad) {
			return nil, fmt.Errorf("%q is not a policy source", source)
		}
	}
	return sources, nil
}
