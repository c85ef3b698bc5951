import { evidenceWords } from '~/lib/evidence-words'
import type { EvidenceFile, Rechecked } from '~/proof/check-evidence'
import { type Judged, toneOf } from '~/proof/verdict'
import { VerdictNote } from '~/ui/proof/VerdictNote'

type Props = { evidence: EvidenceFile; rechecked: Rechecked; judged: Judged }

/** What came of verifying a file once more, in one look. */
export function Verdict({ evidence, rechecked, judged }: Props) {
  const { title, text } = evidenceWords(judged.cause)
  return (
    <VerdictNote isLarge isLive title={title} tone={toneOf(judged)}>
      <p>{text}</p>
      {judged.cause === 'altered' && <p>{difference(evidence, rechecked)}</p>}
    </VerdictNote>
  )
}

/** What the file says, and what was found. */
function difference({ outcome: before }: EvidenceFile, { outcome: now }: Rechecked): string {
  const said = {
    ok: 'that the proof holds',
    refused: 'that the proof was refused',
    unproven: 'that nothing was proven',
  }[before.verdict]
  const found = {
    ok: 'the proof holds, of the content below',
    refused: 'the proof is refused, as follows',
    unproven: 'there is no proof in it',
  }[now.kind]
  return `The file says ${said}. This browser finds: ${found}.`
}
