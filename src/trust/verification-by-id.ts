import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { factsAlone } from '~/proof/shown'
import { openProofDrawer } from './proof-drawer'
import { prove } from './prove'
import { documentRequest, type Proof, type Question } from './verification'

/** Checks that are listed. */
const most = 20

const doneAtom = atom<readonly Proof[]>([])

/** What was checked by number or id in this page, the newest first. */
export const checksAtom = atom((get) => get(doneAtom))

/** A transaction by its number, or a document by its collection and id. */
export type Wanted =
  | { kind: 'tx'; tx: string }
  | { kind: 'document'; collection: string; id: string; tx: string }

/** Verifies something of the open database in the drawer, which draws nothing but the facts. */
export async function checkById(io: Io, wanted: Wanted): Promise<void> {
  const database = io.get(databaseAtom)
  if (database === null) return
  const question = questionOf(database, wanted)
  await openProofDrawer(io, { what: question.what, of: question, prove: proveListed })
}

async function proveListed(io: Io, question: Question): Promise<readonly Proof[]> {
  const proof = await prove(io, question)
  io.set(doneAtom, [proof, ...io.get(doneAtom)].slice(0, most))
  return [proof]
}

function questionOf(database: string, wanted: Wanted): Question {
  const about = { database, shown: factsAlone }
  if (wanted.kind === 'tx') {
    const { tx } = wanted
    return { ...about, kind: 'tx', what: `transaction ${tx}`, request: { tx } }
  }
  const what = `document ${wanted.id} of ${wanted.collection}`
  return { ...about, kind: 'document', what, request: documentRequest(wanted) }
}
