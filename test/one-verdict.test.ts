// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** What verdicts follow from, and the rooms that may look at it to hand it to `verdictOf`. */
const inputs: readonly (readonly [name: string, pattern: RegExp, rooms: RegExp])[] = [
  [
    'the outcome of the engine',
    /\bverdict\s*[!=]==?\s*'ok'|\bverified\.verdict\b/,
    /^src\/(proof|workers|trust)\//,
  ],
  ['whether anything was known', /\bfirstUse\b/, /^src\/(proof|trust)\//],
  ['what it was compared with', /\bgroundOf\(/, /^src\/trust\//],
  [
    'whether two servers vouch for each other',
    /'each-other'/,
    /^src\/(proof|trust|atoms\/servers)\//,
  ],
  [
    'what a proof leaves open',
    /\bopen\??\.(includes|some|every|filter|find)\b/,
    /^src\/(proof|trust)\//,
  ],
  [
    'what is shown with what is proven',
    /\b(?:\w*[fF]acts|proven)\??\.(?!length\b)[\w.?]+\s*[!=]==(?!\s*(?:['"\d]|null\b|undefined\b))|[!=]==\s*(?:\w+\.)?(?:\w*[fF]acts|proven)\??\.(?!length\b)/,
    // Parts of a proof compare the types of both, to say them.
    /^src\/(proof|workers|screens\/proof)\//,
  ],
  [
    'leaves, which the verdict has compared',
    /\b(compareShown|matchOf)\(/,
    // Also its own function, of JSON; an event of the audit log, of which the proof has only the
    // hash; the rows of one transaction, which are all proven at once.
    /^src\/(proof|immudb|trust|atoms\/(auditlog|rows))\//,
  ],
  ['by itself what is the same as proven', /\bmatch:\s*'same'/, /^src\/proof\//],
  [
    'how something shown stands to its proof',
    /\bmatch\s*[!=]==?\s*'/,
    // Beside the verdict: words for it, and what is asked for next.
    /^src\/(proof|trust|atoms\/(auditlog|rows)|screens\/proof)\//,
  ],
  [
    'what became of its history',
    /\b(historyStandingAtom|isBrokenAtom)\b/,
    /^src\/(atoms\/rows|trust)\//,
  ],
  ['whether a report is of a recorded history', /\bstanding\.isRecorded\b/, /^src\/trust\//],
  ['how far a history is known', /\bkind\s*[!=]==?\s*'consistent'|\bisProven\(/, /^src\/trust\//],
  ['whether the newest state was checked', /\btrust\.why\s*[!=]==?\s*null/, /^src\/trust\//],
  [
    'what this browser knows of a file',
    /\b(own|point)\.kind\s*[!=]==?\s*'(same|different)'|\bkey\s*[!=]==?\s*'(same|different)'/,
    /^src\/trust\//,
  ],
]

/**
 * Where something is drawn in the colour of what is verified: by any class of it, its variable, or
 * its name, unless a verdict is compared with that.
 */
const green = /[a-z]-verified\b|--verified\b|(?<![!=]== )["']verified["'](?! in\b)/
/** Parts that are told their colour, and words for what a proof showed. */
const isTold =
  /^src\/ui\/|^src\/screens\/proof\/(ProofLadder|VerdictNote)\.tsx$|^src\/words\/comparison\.ts$/
/** Those of them that have the colour. */
const hasGreen =
  /^src\/ui\/(Badge\.tsx|grid\/(GridRow\.tsx|cell\.ts))$|^src\/screens\/proof\/(ProofLadder|VerdictNote)\.tsx$|^src\/words\/comparison\.ts$/
const takesVerdict = /\b(verdictOf\w*|verdictOn\w*|\w*[vV]erdictAtom|toneOf)\b/

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm

/** The shape of proof, other than where its icon is imported. */
const shield = /(?<!typeof )\b(?:Shield\w*|ConsistentIcon)\b/g
const isShieldItself = /^src\/ui\/(Icon|TrustIcons)\.tsx$/
/** What a shield may stand beside: what verifies, or what is drawn in the colour of proof. */
const isOfProof = /\bverif(?:y|ied)\b/i
/** The words of its button come from a function: "Verify 3 rows". */
const isVerifyBar = /^src\/screens\/query\/VerifyBar\.tsx$/

/** Shields that stand for something else than a proof. */
function strayShields(path: string, source: string): string[] {
  if (isShieldItself.test(path) || isVerifyBar.test(path)) return []
  const code = source.replace(comments, '').replace(/^import [\s\S]*? from '.*'$/gm, '')
  const isStray = ({ 0: name, index }: RegExpExecArray) =>
    name === 'ConsistentIcon' ? !takesVerdict.test(code) : !isOfProof.test(aroundOf(code, index))
  return [...code.matchAll(shield)].filter(isStray).map(([name]) => `${path}: shows ${name}`)
}

/** The part that has the icon at an index; the line, where it is not the `icon` of one. */
function aroundOf(code: string, index: number): string {
  const line = code.slice(code.lastIndexOf('\n', index) + 1, code.indexOf('\n', index))
  const before = code.slice(0, code.lastIndexOf('<', index))
  const from = Math.max(...[...before.matchAll(/<[A-Z]\w*/g)].map((tag) => tag.index))
  if (from < 0 || !before.endsWith('icon={')) return line
  const [, name] = /<(\w+)/.exec(code.slice(from)) ?? []
  const after = code.slice(code.indexOf('/>', index) + 2)
  return code.slice(from, index) + after.slice(0, after.search(new RegExp(`</${name}>|/>`)))
}

/** How often a room compares the verdict itself; a tone is never chosen by that. */
const comparisons: ReadonlyMap<string, number> = new Map([
  // Words for the verdict, whether content is marked as doubted, and what is asked for next.
  ['app', 1],
  ['atoms', 1],
  ['screens', 8],
  ['trust', 9],
])
const roomOf = (path: string) => path.split('/')[1] ?? ''
const verdictWords = "'(?:verified|verified-in-part|unproven|contradicted|failed)'"
const comparison = new RegExp(`\\bverdict\\)?\\s*[!=]==?\\s*${verdictWords}`, 'g')
/** Where `verdict` is what the engine says of an answer, from which the one function goes on. */
const isEngine = /^src\/(proof|workers)\//

/** A colour that is chosen instead of taken, in a file that knows a verdict or what it is made of. */
const knowsVerdict =
  /\b(Judged|Tone|toneOf|gravestOf|verdictOf\w*|verdictOn\w*|\w*[vV]erdictAtom)\b/
const chosenTone =
  /\?\s*'(?:verified|neutral|warning|error)'|(?<!\bkind):\s*'(?:verified|neutral|warning|error)'(?!\s*\|)/
/** How tones look is said in one place. */
const looks = /Record<\s*Tone\b|Map<\s*Tone\b/

type Sources = ReadonlyMap<string, string>

/** Every place that decides by itself what is verified, as `path: what`. */
function deciders(sources: Sources): string[] {
  const counts = comparisonsIn(sources)
  const tooMany = [...counts].filter(([room, count]) => count > (comparisons.get(room) ?? 0))
  const found = [...sources].flatMap(([path, source]) => [
    ...inputs
      .filter(([, pattern, files]) => pattern.test(source) && !files.test(path))
      .map(([name]) => `${path}: compares ${name}`),
    ...(choosesTone(path, source) ? [`${path}: chooses a tone by itself`] : []),
    ...(looks.test(source) && !isTold.test(path) ? [`${path}: draws tones by itself`] : []),
    ...(isGreenByItself(path, source) ? [`${path}: is green by itself`] : []),
    ...strayShields(path, source),
  ])
  return [...found, ...tooMany.map(([room]) => `${room} compares a verdict more often`)]
}

/** How often each room compares a verdict. */
function comparisonsIn(sources: Sources): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [path, source] of sources) {
    const count = isEngine.test(path) ? 0 : [...source.matchAll(comparison)].length
    if (count > 0) counts.set(roomOf(path), (counts.get(roomOf(path)) ?? 0) + count)
  }
  return counts
}

const choosesTone = (path: string, source: string) =>
  knowsVerdict.test(source) && chosenTone.test(source) && !isTold.test(path)

/** A tone that was found already is not found twice. */
const isGreenByItself = (path: string, source: string) => {
  const code = source.replace(comments, '')
  const mayBe = hasGreen.test(path) || takesVerdict.test(code) || choosesTone(path, source)
  return green.test(code) && !mayBe
}

function sources(): Sources {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const paths = names.map((name) => join('src', name)).filter((path) => /\.tsx?$/.test(path))
  return new Map(
    paths
      .map((path) => [path, readFileSync(path, 'utf8')] as const)
      .filter(([, source]) => !/^export function (verdictOf|toneOf)\b/m.test(source)),
  )
}

test('one function alone decides what is verified', () => {
  expect(deciders(sources())).toEqual([])
})

test('no room may compare a verdict more often than it does', () => {
  expect(new Map([...comparisonsIn(sources())].sort())).toEqual(comparisons)
})

describe('a second place that decides is found:', () => {
  test.each([
    ['src/screens/query/A.tsx', "if (groundOf(of) === 'recorded') return 'Verified'"],
    ['src/screens/query/A.tsx', 'const isNew = verified.firstUse'],
    ['src/atoms/rows/a.ts', "if (outcome.verified.verdict === 'ok') mark()"],
    ['src/atoms/a.ts', "verdictOf({ ...known, ground: 'each-other' })"],
    ['src/atoms/a.ts', "const isPart = open.includes('description')"],
    ['src/atoms/a.ts', 'const isSame = facts.value === base64ToHex(value)'],
    ['src/atoms/a.ts', 'const isSame = facts?.meta.expiresAt === sentExpiry'],
    ['src/atoms/a.ts', 'if (shown.hash !== verified.facts.alh) tell()'],
    ['src/screens/A.tsx', 'const leaves = compareShown(shown, proven)'],
    ['src/screens/A.tsx', "const leaf = { ...shown, proven, match: 'same' }"],
    ['src/screens/A.tsx', "leaves.every(({ match }) => match === 'same') && <Check />"],
    ['src/app/A.tsx', "const isGood = trust.kind === 'consistent'"],
    ['src/app/A.tsx', 'if (trust.why === null) return good'],
    ['src/screens/verify/A.tsx', "own.kind === 'same' && 'Verified'"],
    ['src/screens/verify/A.tsx', 'useAtomValue(isBrokenAtom)'],
    ['src/screens/verify/A.tsx', 'standing.isRecorded ? proven : open'],
    ['src/screens/verify/A.tsx', '<Badge tone="verified">Verified</Badge>'],
    // As marks.ts, Receipt.tsx, VerifyBar.tsx and ReportVerdict.tsx once did.
    ['src/words/a.ts', "const isPart = gravestOf(all)?.verdict === 'verified-in-part'"],
    ['src/atoms/a.ts', "const tone: Tone = isAllRight ? 'verified' : 'warning'"],
    ['src/atoms/a.ts', "const tone: Tone = isRight ? good : isPart ? bad : 'warning'"],
    ['src/screens/A.tsx', "isOpen || isElse ? 'warning' : toneOf(judged)"],
    ['src/ui/A.tsx', "verdict !== 'contradicted' && see(toneOf)"],
    ['src/screens/A.tsx', 'const marks: Readonly<Record<Tone, ReactNode>> = looks'],
    ['src/app/frame/TrustChip.tsx', "a.verdict === 'verified' || b.verdict !== 'failed'"],
    // As a part would be that knows no verdict.
    ['src/screens/servers/A.tsx', "tone: isSame ? 'verified' : 'neutral'"],
    ['src/screens/servers/A.tsx', '<rect className="fill-verified" />'],
    ['src/screens/servers/A.tsx', "<b className={cx(isUp && 'xs:border-s-verified/45')} />"],
    ['src/screens/servers/A.tsx', "// See verdictOf.\nconst look = 'text-verified'"],
    ['src/ui/A.tsx', "const up = 'bg-verified'"],
    ['src/ui/editor/theme.ts', "{ tag: tags.string, color: 'var(--verified)' }"],
    ['src/ui/editor/theme.ts', "'.cm-match': { color: tint('verified', 30) }"],
    // As the warning of the server and the choice of a database once did.
    ['src/app/frame/A.tsx', 'const icons = { shield: ShieldIcon, info: InfoIcon }'],
    [
      'src/screens/A.tsx',
      '<EmptyState\n  icon={<ShieldIcon />}\n  title="No database is open"\n/>',
    ],
    ['src/screens/A.tsx', '<Badge icon={<ShieldIcon />} tone="info">Healthy</Badge>'],
    ['src/screens/A.tsx', '<Badge icon={<ShieldHalf />} tone="info">Healthy</Badge>'],
    ['src/screens/A.tsx', '<Badge icon={<ConsistentIcon />}>Replicated</Badge>'],
  ])('%s with %s', (path, source) => {
    expect(deciders(new Map([[path, source]]))).toHaveLength(1)
  })

  test.each([
    '<Button icon={<ShieldIcon />} onClick={verify}>\n  Verify\n</Button>',
    '<IconButton\n  icon={<ShieldIcon />}\n  label="Verify tx 7"\n/>',
    "return [{ page: 'verify', icon: <ShieldIcon /> },\n]",
  ])('and a button that verifies has the shield: %s', (source) => {
    expect(deciders(new Map([['src/app/A.tsx', source]]))).toEqual([])
  })

  test('and one that takes a verdict is let through', () => {
    const source = "<p className={toneOf(judged) === 'verified' ? 'text-verified' : ''} />"
    expect(deciders(new Map([['src/app/A.tsx', source]]))).toEqual([])
  })
})
