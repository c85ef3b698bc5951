import { type BreakWords, breakWords } from './broken-history'
import { reasonWords } from './refusal'

/**
 * What a finding says to people, the same wherever it is shown: a proof of an object by the reason
 * why it was refused, everything else by its kind.
 */
export function findingWords({ kind, reason }: { kind: string; reason: string }): BreakWords {
  const words = breakWords(kind)
  return kind === 'object' ? { title: words.title, ...reasonWords(reason) } : words
}
