import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { noteContradictions } from './incidents'
import { keepProven } from './proven-content'
import {
  isOfOneTransaction,
  type ObjectKind,
  type Proof,
  type Question,
  type QuestionOf,
} from './verification'
import { type Through, verifyObject } from './verify-object'

/**
 * Asks for a proof and checks it. What is shown and differs from the proof of one transaction is
 * noted as an incident; of the newest revision it may have been written since it was read.
 * @throws ApiError when the server cannot be asked, which says nothing about what is stored
 */
export async function prove(io: Io, question: Question, through: Through = {}): Promise<Proof> {
  const proof = await proveUnnoted(io, question, through)
  if (isOfOneTransaction(question)) await noteContradictions(io, [proof])
  return proof
}

/** The same where the caller decides what is an incident. */
export async function proveUnnoted(
  io: Io,
  question: Question,
  through: Through = {},
): Promise<Proof> {
  await ensureDatabaseToken(io, io.get(clientAtom), question.database)
  // Of one of the kinds, which only the engine tells apart.
  const verification = await verifyObject(io, question as QuestionOf<ObjectKind>, through)
  keepProven(io, verification)
  return { verification }
}

/** Asks for several proofs, one after the other. */
export async function proveAll(io: Io, questions: readonly Question[]): Promise<readonly Proof[]> {
  const proofs: Proof[] = []
  for (const question of questions) proofs.push(await prove(io, question))
  return proofs
}
