import { type DocumentFields, documentJson } from '~/immudb/document-json'
import type { DocumentFacts } from '~/proof/facts'
import type { ComparedPart } from '../trust/proof-drawer'

/** Each field of a document as the server's answer shows it, compared with the proven one. */
export function comparedParts(
  shown: DocumentFields | null,
  isDeleted: boolean,
  facts: DocumentFacts,
): ComparedPart[] {
  if (isDeleted || shown === null) {
    const match = facts.deleted === isDeleted ? 'same' : 'differs'
    return [{ name: 'the deletion of the document', shown: null, match }]
  }
  const names = new Set([...Object.keys(shown), ...Object.keys(facts.document)])
  return [...names].map((name) => {
    const [one, other] = [fieldJson(shown, name), fieldJson(facts.document, name)]
    return { name, shown: one, match: one === other ? 'same' : 'differs' }
  })
}

/** Null for a field that is missing; any name may be that of a field, even `__proto__`. */
function fieldJson(document: DocumentFields, name: string): string | null {
  return Object.hasOwn(document, name) ? orderedJson(document[name]) : null
}

/** JSON in one order of fields, to compare documents, because those of a document have none of their own. */
export function orderedJson(value: unknown): string {
  return documentJson(value, undefined, true)
}
