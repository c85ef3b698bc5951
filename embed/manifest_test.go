package webconsole

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestDamagedBuildsAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(m *manifest, files map[string]string)
		reason string
	}{
		{"other schema", func(m *manifest, _ map[string]string) { m.Schema = 2 }, "schema is 2"},
		{"file missing", func(_ *manifest, f map[string]string) { delete(f, "licences.txt") }, "licences.txt"},
		{"other size", func(_ *manifest, f map[string]string) { f["licences.txt"] += "x" }, "bytes"},
		{"other bytes", func(_ *manifest, f map[string]string) {
			f["assets/main-ABCD.js"] = strings.Replace(scriptText, "hello", "jello", 1)
		}, "sha256"},
		{"page missing", func(m *manifest, _ map[string]string) {
			m.Routes = append(m.Routes, route{Path: "/users", Page: "users/index.html"})
		}, "route /users has no page"},
		{"strange route", func(m *manifest, _ map[string]string) { m.Routes[1].Path = "query" }, "not a path"},
		{"route with slash", func(m *manifest, _ map[string]string) { m.Routes[1].Path = "/query/" }, "not a path"},
		{"no root", func(m *manifest, _ map[string]string) { m.Routes = m.Routes[1:] }, "no page for /"},
		{"no policy", func(m *manifest, _ map[string]string) { m.CSP = "" }, "policy"},
		{"no type", func(m *manifest, _ map[string]string) { m.Files[0].Type = "" }, "no type"},
		{"entry missing", func(m *manifest, _ map[string]string) { m.Entry = "assets/gone.js" }, "gone.js"},
		{"preload missing", func(m *manifest, _ map[string]string) { m.Preload = []string{"assets/gone.js"} }, "gone.js"},
		{"listed twice", func(m *manifest, _ map[string]string) { m.Files = append(m.Files, m.Files[0]) }, "twice"},
		{"outside", func(m *manifest, _ map[string]string) { m.Files[0].Path = "../secret" }, "../secret"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := testFiles()
			m := describe(files)
			c.damage(m, files)
			_, err := newSite(mapFS(t, m, files), fstest.MapFS{}, settings{})
			if err == nil || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("error %v, want one about %q", err, c.reason)
			}
		})
	}
}

func TestBrokenManifestIsRefused(t *testing.T) {
	for _, text := range []string{"", "{", "[]"} {
		dist := fstest.MapFS{manifestName: {Data: []byte(text)}}
		if _, err := newSite(dist, fstest.MapFS{}, settings{}); err == nil {
			t.Errorf("manifest %q is accepted", text)
		}
	}
}
