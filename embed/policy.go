package webconsole

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

// policy is a content security policy in the order it was written.
type policy []directive

type directive struct {
	name    string
	sources []string
}

func parsePolicy(text string) policy {
	var p policy
	for part := range strings.SplitSeq(text, ";") {
		if words := strings.Fields(part); len(words) > 0 {
			p = append(p, directive{name: words[0], sources: words[1:]})
		}
	}
	return p
}

func (p policy) String() string {
	parts := make([]string, len(p))
	for i, d := range p {
		parts[i] = strings.Join(append([]string{d.name}, d.sources...), " ")
	}
	return strings.Join(parts, "; ")
}

func (p policy) sources(name string) []string {
	for _, d := range p {
		if d.name == name {
			return d.sources
		}
	}
	return nil
}

// with returns a copy in which the directive has these sources.
func (p policy) with(name string, sources []string) policy {
	copied := slices.Clone(p)
	for i := range copied {
		if copied[i].name == name {
			copied[i].sources = sources
			return copied
		}
	}
	return append(copied, directive{name: name, sources: sources})
}

func (p policy) without(name string) policy {
	return slices.DeleteFunc(slices.Clone(p), func(d directive) bool { return d.name == name })
}

// plus adds sources to a directive. A lone 'none' has to give way, since it
// means nothing beside other sources, and none is named twice.
func (p policy) plus(name string, sources []string) policy {
	present := slices.DeleteFunc(slices.Clone(p.sources(name)), func(s string) bool {
		return s == "'none'" || slices.Contains(sources, s)
	})
	return p.with(name, append(present, sources...))
}

// adapt applies the embedder's options to the policy of the build.
func (p policy) adapt(s settings) policy {
	if s.frameAncestors != nil {
		p = p.with("frame-ancestors", s.frameAncestors)
	}
	if s.metricsOrigin != "" {
		p = p.plus("connect-src", []string{s.metricsOrigin})
	}
	for _, d := range s.extra {
		p = p.plus(d.name, d.sources)
	}
	return p
}

// metaPolicy finds the copy of the policy that the pages carry for servers
// that send no headers.
var metaPolicy = regexp.MustCompile(`(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(")`)

// rewriteMeta brings a page's copy in line with the header: a browser enforces
// both, and the console reads there where it may ask for metrics.
// frame-ancestors has no effect in a page and only causes a warning there.
func (p policy) rewriteMeta(page []byte) []byte {
	content := html.EscapeString(p.without("frame-ancestors").String())
	content = strings.ReplaceAll(content, "&#39;", "'")
	return metaPolicy.ReplaceAll(page, []byte("${1}"+strings.ReplaceAll(content, "$", "$$")+"${3}"))
}
