package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// image is what a Containerfile makes, as a folder.
type image struct {
	root, workdir, user string
	env                 []string
	entrypoint, probe   []string
	volumes             []string
}

// buildImage does what the Containerfile says, with the few words that it has. No
// daemon is needed for that.
func buildImage(t *testing.T) *image {
	t.Helper()
	text, err := os.ReadFile("Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	// A database in this process has left its own: see keepFilesPrivate.
	before := syscall.Umask(0o022)
	t.Cleanup(func() { syscall.Umask(before) })
	i := &image{root: t.TempDir()}
	// The folders of a test are for its user alone.
	for folder := i.root; folder != os.TempDir() && folder != "/"; folder = filepath.Dir(folder) {
		os.Chmod(folder, 0o755)
	}
	lines := regexp.MustCompile(`(?m)^([A-Z]+) (.*)$`)
	for _, line := range lines.FindAllStringSubmatch(string(text), -1) {
		word, rest := line[1], line[2]
		list := strings.Fields(regexp.MustCompile(`[\[\]",]`).ReplaceAllString(rest, " "))
		switch word {
		case "FROM":
			if rest != "scratch" {
				t.Fatalf("made from %s", rest)
			}
		case "ARG", "EXPOSE":
		case "ADD":
			if rest != "webconsole-linux-${TARGETARCH}.tar.gz /" {
				t.Fatalf("adds %s", rest)
			}
			i.addProgram(t)
		case "COPY":
			if len(list) != 3 || list[0] != "--chown=3322:3322" || list[1] != "empty" {
				t.Fatalf("copies %s", rest)
			}
			i.mkdir(t, list[2], 3322)
		case "ENV":
			i.env = append(i.env, rest)
		case "WORKDIR":
			i.workdir = rest
		case "VOLUME":
			i.volumes = append(i.volumes, rest)
		case "USER":
			i.user = rest
		case "ENTRYPOINT":
			i.entrypoint = list
		case "HEALTHCHECK":
			_, command, _ := strings.Cut(strings.Join(list, " "), " CMD ")
			i.probe = strings.Fields(command)
		default:
			t.Fatalf("the test does not know %s", word)
		}
	}
	return i
}

// addProgram puts the program where the archive of a release has it.
func (i *image) addProgram(t *testing.T) {
	t.Helper()
	program, err := staticProgram()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(i.root, "webconsole", "webconsole")
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, program, 0o755); err != nil {
		t.Fatal(err)
	}
}

// staticProgram is the program as a release has it, built once for all tests.
var staticProgram = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "webconsole-image-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "webconsole")
	command := exec.Command("go", "build", "-trimpath", "-o", file, ".")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, output)
	}
	return os.ReadFile(file)
})

func (i *image) mkdir(t *testing.T, path string, owner int) {
	t.Helper()
	folder := filepath.Join(i.root, path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if output, err := asRoot("chown", fmt.Sprintf("%d:%d", owner, owner), folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
}

// asRoot runs a command as root, which mounts and other users need.
func asRoot(args ...string) *exec.Cmd {
	if os.Geteuid() != 0 {
		args = append([]string{"sudo", "-n"}, args...)
	}
	return exec.Command(args[0], args[1:]...)
}

// inside is a command in the image, as a user of it and with its variables only.
func (i *image) inside(user string, env, args []string) []string {
	command := append([]string{"env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"}, append(i.env, env...)...)
	command = append(command, "chroot", "--userspec="+user, i.root)
	return append(command, args...)
}

// start runs the image as a container does: read-only but for its volume, which
// is this large and begins empty.
func (i *image) start(t *testing.T, volume, size string, env ...string) *process {
	t.Helper()
	i.mkdir(t, volume, 3322)
	mounts := `set -e
		mount --bind "$0" "$0"
		mount -o remount,ro,bind "$0"
		mount -t tmpfs -o mode=700,uid=3322,gid=3322,size=` + size + ` data "$0` + volume + `"
		exec "$@"`
	args := append([]string{"unshare", "--mount", "sh", "-c", mounts, i.root}, i.inside(i.user, env, i.entrypoint)...)
	p := launch(t, asRoot(args...), "LANG=C")
	t.Cleanup(func() {
		if !p.hasEnded() {
			asRoot("kill", "-KILL", fmt.Sprint(numberOf(t, p))).Run()
		}
	})
	return p
}

// base waits for the console and returns its address. The port is that of the
// network of this machine, so it is a free one.
func (i *image) base(t *testing.T, p *process, port int) string {
	t.Helper()
	base := fmt.Sprintf("http://127.0.0.1:%d/", port)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if answer, err := http.Get(base + "readyz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return base
			}
		}
		if p.hasEnded() {
			break
		}
	}
	t.Fatalf("not ready: %s%s", &p.stdout, &p.stderr)
	return ""
}

// portsForImage are variables for the ports, since they are not a container's own.
func portsForImage(t *testing.T) (console, metrics int, env []string) {
	t.Helper()
	console, metrics = unused(t), unused(t)
	return console, metrics, []string{
		fmt.Sprintf("WEBCONSOLE_PORT=%d", console), "WEBCONSOLE_GRPC_PORT=0", fmt.Sprintf("WEBCONSOLE_METRICS_PORT=%d", metrics),
	}
}

// reads waits until an address answers so.
func reads(t *testing.T, url string, want int, contains string) {
	t.Helper()
	eventually(t, fmt.Sprintf("%s: %d with %s", url, want, contains), func() bool {
		code, text := get(t, url)
		return code == want && strings.Contains(text, contains)
	})
}

// The image runs as it is meant to be run: no root, nothing written but the volume,
// a probe by the program itself, a full disk that shows, a clean end.
func TestImage(t *testing.T) {
	i := buildImage(t)
	if len(i.volumes) != 1 || i.volumes[0] != i.workdir || strings.HasPrefix(i.user, "0") || i.user == "" {
		t.Fatalf("%+v", i)
	}
	port, _, env := portsForImage(t)
	// Containers start in the working directory; chroot does not.
	env = append(env, "WEBCONSOLE_DIR="+i.workdir+"/.immudb")
	p := i.start(t, i.workdir, "160m", env...)
	base := i.base(t, p, port)

	probe := func(want int) {
		t.Helper()
		command := asRoot(i.inside(i.user, env, i.probe)...)
		output, _ := command.CombinedOutput()
		if code := command.ProcessState.ExitCode(); code != want {
			t.Errorf("the probe ended with %d: %s", code, output)
		}
	}
	probe(0)
	// What this process sees as its data is in its own namespace of mounts.
	data := fmt.Sprintf("/proc/%d/root%s", numberOf(t, p), i.workdir)
	filler := filepath.Join(data, "filler")
	if output, err := asRoot("fallocate", "-l", "140M", filler).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	reads(t, base+"readyz", 503, `"disk":"full"`)
	probe(1)
	if code, _ := get(t, base+"api/health"); code != 200 {
		t.Errorf("reading: %d", code)
	}
	if output, err := asRoot("rm", filler).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	reads(t, base+"readyz", 200, `"disk":"ok"`)
	if err := asRoot("kill", "-TERM", fmt.Sprint(numberOf(t, p))).Run(); err != nil {
		t.Fatal(err)
	}
	if code := p.exit(t); code != 0 {
		t.Errorf("ended with %d: %s%s", code, &p.stdout, &p.stderr)
	}
}

// numberOf is the process with the program: sudo, which may stand before it, starts
// others.
func numberOf(t *testing.T, p *process) int {
	t.Helper()
	number := p.Process.Pid
	for {
		output, err := exec.Command("pgrep", "-P", fmt.Sprint(number)).Output()
		if err != nil {
			return number
		}
		fmt.Sscan(string(output), &number)
	}
}

// chartOfImmudb is the chart that immudb's own module has.
func chartOfImmudb(t *testing.T) string {
	t.Helper()
	output, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/codenotary/immudb").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(output)), "helm")
}

func readYAML(t *testing.T, file string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{}
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	return values
}

// knownValues complains about values that the chart does not have.
func knownValues(t *testing.T, at string, ours, theirs map[string]any) {
	t.Helper()
	for name, value := range ours {
		known, is := theirs[name]
		if !is {
			t.Errorf("the chart has no %s%s", at, name)
		}
		if inner, isMap := value.(map[string]any); isMap {
			below, _ := known.(map[string]any)
			knownValues(t, at+name+".", inner, below)
		}
	}
}

// The values make immudb's chart run the image: with its user, its folder and the
// port that its probes ask.
func TestHelmValues(t *testing.T) {
	chart := chartOfImmudb(t)
	ours, theirs := readYAML(t, "helm-values.yaml"), readYAML(t, filepath.Join(chart, "values.yaml"))
	knownValues(t, "", ours, theirs)
	template, err := os.ReadFile(filepath.Join(chart, "templates", "statefulset.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	folder := regexp.MustCompile(`mountPath: (\S+)\n +name: immudb-storage`).FindStringSubmatch(string(template))
	probes := regexp.MustCompile(`path: (\S+)\n +port: metrics`).FindAllStringSubmatch(string(template), -1)
	if folder == nil || len(probes) != 2 {
		t.Fatalf("another chart: %s", template)
	}
	security := theirs["podSecurityContext"].(map[string]any)
	i := buildImage(t)
	i.user = fmt.Sprintf("%v:%v", security["runAsUser"], security["runAsGroup"])

	var env []string
	for _, variable := range ours["env"].([]any) {
		one := variable.(map[string]any)
		env = append(env, fmt.Sprintf("%v=%v", one["name"], one["value"]))
	}
	port, metrics, ports := portsForImage(t)
	p := i.start(t, folder[1], "200m", append(env, append(ports, passwordVariable+"=A-new-passw0rd")...)...)
	base := i.base(t, p, port)
	for _, probe := range probes {
		if code, text := get(t, fmt.Sprintf("http://127.0.0.1:%d%s", metrics, probe[1])); code != 200 {
			t.Errorf("%s: %d %s", probe[1], code, text)
		}
	}
	if _, err := demoLogin(t.Context(), plainClient, base, "A-new-passw0rd"); err != nil {
		t.Error(err)
	}
	name := ours["ingress"].(map[string]any)["hostname"].(string)
	request, err := http.NewRequest("GET", base, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = name
	if answer, err := http.DefaultClient.Do(request); err != nil || answer.StatusCode != 200 {
		t.Errorf("under the name of the ingress: %v, %v", answer, err)
	}
	p.line(t, &p.stderr, `^\{.*"msg":"request".*"path":"/api/login"`)
}

// The compose file starts the image with a password from a file that nobody else
// has to know, and read-only.
func TestComposeFile(t *testing.T) {
	service := readYAML(t, "compose.yaml")["services"].(map[string]any)["webconsole"].(map[string]any)
	if service["read_only"] != true || fmt.Sprint(service["cap_drop"]) != "[ALL]" {
		t.Errorf("%v", service)
	}
	i := buildImage(t)
	if volumes := fmt.Sprint(service["volumes"]); volumes != "[data:"+i.volumes[0]+"]" {
		t.Errorf("volumes %s", volumes)
	}
	secret := filepath.Join(i.root, "run", "secrets", "admin-password")
	if err := os.MkdirAll(filepath.Dir(secret), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(secret, []byte("A-new-passw0rd"), 0o644); err != nil {
		t.Fatal(err)
	}
	port, _, env := portsForImage(t)
	env = append(env, "WEBCONSOLE_DIR="+i.workdir+"/.immudb")
	for name, value := range service["environment"].(map[string]any) {
		env = append(env, fmt.Sprintf("%s=%v", name, value))
	}
	p := i.start(t, i.workdir, "200m", env...)
	base := i.base(t, p, port)
	if _, err := demoLogin(t.Context(), plainClient, base, "A-new-passw0rd"); err != nil {
		t.Error(err)
	}
	if warnings := p.stderr.String(); strings.Contains(warnings, "default password") {
		t.Error(warnings)
	}
}

// The unit is one that systemd takes, and starts the program with what it gives.
func TestSystemdUnit(t *testing.T) {
	text, err := os.ReadFile("webconsole.service")
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "webconsole.service")
	// What it starts has to be there.
	changed := strings.ReplaceAll(string(text), "/usr/local/bin/webconsole", os.Args[0])
	if err := os.WriteFile(unit, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command("systemd-analyze", "verify", unit).CombinedOutput()
	if err != nil || strings.TrimSpace(string(output)) != "" {
		t.Errorf("%v: %s", err, output)
	}
	// Its timeouts leave room for ours, and a wrong setting is no reason to try again.
	for _, line := range []string{"Type=notify", "ExecReload=/bin/kill -HUP $MAINPID", fmt.Sprintf("RestartPreventExitStatus=%d", exitSettings)} {
		if !strings.Contains(string(text), "\n"+line+"\n") {
			t.Errorf("no %s", line)
		}
	}
	if stop := regexp.MustCompile(`\nTimeoutStopSec=(\w+)\n`).FindStringSubmatch(string(text)); stop == nil {
		t.Error("no bound of its own for the end")
	} else if bound, err := time.ParseDuration(stop[1]); err != nil || bound < 2*endWithin {
		t.Errorf("the end has %s", bound)
	}
}
