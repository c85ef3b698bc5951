import type { Drawn, History } from '~/atoms/revisions/history'
import type { Io } from '~/core/act'
import { provenContent } from '~/proof/proven-leaves'
import { compareShown, factsAlone, type Match } from '~/proof/shown'
import { labelOf } from '~/trust/object-verdict'
import type { Question, QuestionOf } from '~/trust/verification'

const alone = { database: 'db', shown: factsAlone } as const

/** The question of a screen that draws nothing of a transaction but its facts. */
export function txAlone(tx: number | string): QuestionOf<'tx'> {
  return { ...alone, kind: 'tx', what: `transaction ${tx}`, request: { tx: String(tx) } }
}

/** The same for the newest revision of a key. */
export function keyAlone(key: string, what = `key ${key}`): QuestionOf<'get'> {
  return { ...alone, kind: 'get', what, request: { keyRequest: { key: btoa(key) } } }
}

/** What a screen shows that is not the same as these facts, by its name and how it stands to them. */
export function unequalIn(
  { kind, shown }: Pick<Question, 'kind' | 'shown'>,
  facts: object,
): readonly (readonly [string, Match])[] {
  return compareShown(shown, provenContent(kind, facts, [])).flatMap((leaf) =>
    leaf.match === 'same' ? [] : [[labelOf(leaf), leaf.match] as const],
  )
}

/** The only question about a revision as it is drawn; throws where there is none, or another one. */
export async function questionOf(
  history: Pick<History, 'questions'>,
  io: Io,
  drawn: Drawn,
): Promise<Question> {
  const found = await history.questions(io, drawn)
  if ('why' in found) throw new Error(found.why)
  const [question, ...others] = found
  if (!question || others.length > 0) throw new Error(`${found.length} questions in place of one`)
  return question
}
