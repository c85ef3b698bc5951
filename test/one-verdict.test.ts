// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** What verdicts follow from, and the only files that may look at it to hand it to `verdictOf`. */
const inputs: readonly (readonly [name: string, pattern: RegExp, files: RegExp])[] = [
  [
    'the outcome of the engine',
    /\bverdict\s*[!=]==?\s*'ok'|\bverified\.verdict\b/,
    /^src\/(proof|workers)\/|^src\/atoms\/trust\/(object-verdict|evidence-verdict|check|object-check)\.ts$/,
  ],
  [
    'whether anything was known',
    /\bfirstUse\b/,
    /^src\/proof\/|^src\/atoms\/trust\/(ground|evidence-verdict|object-check)\.ts$/,
  ],
  [
    'what it was compared with',
    /\bgroundOf\(/,
    /^src\/atoms\/trust\/(ground|object-verdict|evidence-verdict)\.ts$/,
  ],
  [
    'what a proof leaves open',
    /\bopen\??\.(includes|some|every|filter|find)\b/,
    /^src\/proof\/|^src\/atoms\/trust\/(open-parts|evidence-verdict)\.ts$/,
  ],
  [
    'what became of its history',
    /\b(historyStandingAtom|isBrokenAtom)\b/,
    /^src\/atoms\/(rows\/marks|trust\/(broken|history-standing|object-verdict))\.ts$/,
  ],
  [
    'whether a report is of a recorded history',
    /\bstanding\.isRecorded\b/,
    /^src\/atoms\/audit\/(standing|report-verdict)\.ts$/,
  ],
  [
    'how far a history is known',
    /\bkind\s*[!=]==?\s*'consistent'|\bisProven\(/,
    /^src\/atoms\/trust\/(known|object-check|record|record-verdict|refused-once|shown|trust|trust-verdict)\.ts$/,
  ],
  [
    'whether the newest state was checked',
    /\btrust\.why\s*[!=]==?\s*null/,
    /^src\/atoms\/trust\/(refused-once|shown|trust-verdict)\.ts$/,
  ],
  [
    'what this browser knows of a file',
    /\b(own|point)\.kind\s*[!=]==?\s*'(same|different)'|\bkey\s*[!=]==?\s*'(same|different)'/,
    /^src\/atoms\/trust\/evidence-verdict\.ts$/,
  ],
]

/** Where something is drawn in the colour of what is verified. */
const green = /\b(text|border|bg)-verified\b|tone[=:] ?["']verified["']/
/** Parts that are told their colour, and words for what a proof showed. */
const isTold = /^src\/ui\/|^src\/lib\/comparison-words\.ts$/
const takesVerdict = /\b(verdictOf\w*|verdictOn\w*|\w*[vV]erdictAtom|toneOf)\b/

type Sources = ReadonlyMap<string, string>

/** Every place that decides by itself what is verified, as `path: what`. */
function deciders(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => [
    ...inputs
      .filter(([, pattern, files]) => pattern.test(source) && !files.test(path))
      .map(([name]) => `${path}: compares ${name}`),
    ...(green.test(source) && !isTold.test(path) && !takesVerdict.test(source)
      ? [`${path}: is green by itself`]
      : []),
  ])
}

function sources(): Sources {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const paths = names.map((name) => join('src', name)).filter((path) => /\.tsx?$/.test(path))
  return new Map(
    paths
      .filter((path) => path !== 'src/proof/verdict.ts')
      .map((path) => [path, readFileSync(path, 'utf8')]),
  )
}

test('one function alone decides what is verified', () => {
  expect(deciders(sources())).toEqual([])
})

describe('a second place that decides is found:', () => {
  test.each([
    ['src/screens/query/A.tsx', "if (groundOf(of) === 'recorded') return 'Verified'"],
    ['src/screens/query/A.tsx', 'const isNew = verified.firstUse'],
    ['src/atoms/rows/a.ts', "if (outcome.verified.verdict === 'ok') mark()"],
    ['src/atoms/a.ts', "const isPart = open.includes('description')"],
    ['src/app/A.tsx', "const isGood = trust.kind === 'consistent'"],
    ['src/app/A.tsx', 'if (trust.why === null) return good'],
    ['src/screens/verify/A.tsx', "own.kind === 'same' && 'Verified'"],
    ['src/screens/verify/A.tsx', 'useAtomValue(isBrokenAtom)'],
    ['src/screens/verify/A.tsx', 'standing.isRecorded ? proven : open'],
    ['src/screens/verify/A.tsx', '<Badge tone="verified">Verified</Badge>'],
  ])('%s with %s', (path, source) => {
    expect(deciders(new Map([[path, source]]))).toHaveLength(1)
  })

  test('and one that takes a verdict is let through', () => {
    const source = "<p className={toneOf(judged) === 'verified' ? 'text-verified' : ''} />"
    expect(deciders(new Map([['src/app/A.tsx', source]]))).toEqual([])
  })
})
