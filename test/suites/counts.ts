/** How many checks of a suite passed and failed. */
export type Counts = {
  readonly passed: number
  readonly failed: number
  /** What failed and why, a line each, as far as the suite told. */
  readonly failures?: readonly string[]
  /** Why nothing was run, of a suite that this machine cannot run. */
  readonly notRun?: string
}

type VitestReport = {
  readonly testResults: readonly VitestFile[]
}

type VitestFile = {
  readonly name: string
  readonly status: string
  readonly message?: string
  readonly assertionResults: readonly VitestTest[]
}

type VitestTest = {
  readonly fullName: string
  readonly status: string
  readonly failureMessages?: readonly string[] | null
  readonly tags?: readonly string[]
}

/**
 * Counts of Vitest's JSON report, or of its tests with one tag. A skipped test counts as failed, and
 * so does a file that could not be loaded: neither checked anything.
 */
export function vitestCounts(report: string, tag?: string): Counts {
  const { testResults }: VitestReport = JSON.parse(report)
  const isAsked = ({ tags }: VitestTest) => tag === undefined || tags?.includes(tag)
  const files = testResults.map((file) =>
    isUnloadable(file)
      ? file
      : { ...file, assertionResults: file.assertionResults.filter(isAsked) },
  )
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const unloadable = files.filter(isUnloadable).length
  return {
    passed,
    failed: tests.length - passed + unloadable,
    failures: files.flatMap(failuresOf),
  }
}

function isUnloadable(file: VitestFile): boolean {
  return file.status === 'failed' && file.assertionResults.length === 0
}

function failuresOf(file: VitestFile): string[] {
  const name = file.name.slice(file.name.lastIndexOf('/') + 1)
  if (isUnloadable(file)) return [`${name}: ${firstLine(file.message)}`]
  return file.assertionResults
    .filter((test) => test.status !== 'passed')
    .map((test) => `${name}: ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`)
}

function firstLine(message: string | undefined): string {
  return message?.split('\n', 1)[0] || 'no reason given'
}

type GoEvent = {
  readonly Action: string
  readonly Package?: string
  readonly Test?: string
  readonly Output?: string
  readonly Elapsed?: number
  readonly ImportPath?: string
}

export type GoReport = Counts & {
  /** What a reader needs: a line per package and the output of what failed. */
  readonly text: string
}

/**
 * Counts of `go test -json`: each test without subtests, and each package that failed without a
 * failed test (it did not compile or crashed). A skipped test counts as failed.
 */
export function goReport(lines: readonly string[]): GoReport {
  const events = lines.flatMap(goEvent)
  const ended = events.filter((event) => /^(pass|fail|skip)$/.test(event.Action))
  const tests = ended.filter((event) => event.Test !== undefined)
  const leaves = tests.filter((event) => !tests.some((other) => isBelow(event, other)))
  const failed = leaves.filter((event) => event.Action !== 'pass')
  const broken = ended.filter(
    (event) =>
      event.Test === undefined &&
      event.Action === 'fail' &&
      !failed.some((test) => test.Package === event.Package),
  )
  return {
    passed: leaves.length - failed.length,
    failed: failed.length + broken.length,
    failures: [...failed, ...broken].map((event) => `${event.Package} ${event.Test ?? ''}`.trim()),
    text: goText(events, ended),
  }
}

/** Counts as they are trusted: a suite that ran nothing or ended badly has failed. */
export function trusted(counts: Counts | undefined, exitCode: number): Counts {
  if (!counts) return { passed: 0, failed: 1 }
  const endedWell = exitCode === 0 && counts.passed + counts.failed > 0
  return endedWell ? counts : { ...counts, failed: Math.max(1, counts.failed) }
}

function goEvent(line: string): GoEvent[] {
  if (!line.startsWith('{')) return line.trim() ? [{ Action: 'build-output', Output: line }] : []
  return [JSON.parse(line)]
}

function isBelow(parent: GoEvent, child: GoEvent): boolean {
  return child.Package === parent.Package && (child.Test?.startsWith(`${parent.Test}/`) ?? false)
}

function goText(events: readonly GoEvent[], ended: readonly GoEvent[]): string {
  const bad = ended.filter((event) => event.Action !== 'pass')
  const explained = events.filter(
    (event) =>
      event.Action === 'build-output' ||
      (event.Action === 'output' &&
        bad.some((end) => end.Package === event.Package && end.Test === event.Test)),
  )
  const packages = ended
    .filter((event) => event.Test === undefined && event.Action !== 'skip')
    .map((event) => `${event.Action}  ${event.Package}  ${event.Elapsed ?? 0} s`)
  return [...explained.map((event) => event.Output?.trimEnd()), ...packages].join('\n')
}
