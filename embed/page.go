package webconsole

import (
	"bytes"
	"strings"
)

// framingAllowed tells the console that the server decides who may frame it.
// Without it the console shows only a notice inside a frame, because a server
// that sends no headers cannot keep other sites from framing it.
const framingAllowed = `<meta name="webconsole-framing" content="allowed">`

// pageMaker makes the variants of the built pages that requests need.
type pageMaker struct {
	policy  policy
	framing bool
	servers string // the tag with the list of servers; "" without one
}

// atDepth returns the page for a path this many folders below the mount point.
// Pages refer to their scripts relatively, so that one build works below any
// prefix; "/query" and "/query/" therefore need different text.
func (m pageMaker) atDepth(body []byte, from, to int) []byte {
	if from != to {
		body = bytes.ReplaceAll(body, []byte(`="`+climb(from)), []byte(`="`+climb(to)))
	}
	if m.policy != nil {
		body = m.policy.rewriteMeta(body)
	}
	if m.framing {
		body = bytes.Replace(body, []byte("<head>"), []byte("<head>"+framingAllowed), 1)
	}
	// Last, because a long list would hold up the scripts that the page names.
	if m.servers != "" {
		body = bytes.Replace(body, []byte("</head>"), []byte(m.servers+"</head>"), 1)
	}
	return body
}

// climb is the relative way from a folder at this depth to the mount point.
func climb(depth int) string {
	if depth == 0 {
		return "./"
	}
	return strings.Repeat("../", depth)
}

// depth counts the folders of a path relative to the mount point: 0 for
// "query" and "index.html", 1 for "query/" and "query/index.html".
func depth(path string) int {
	return strings.Count(strings.TrimPrefix(path, "/"), "/")
}
