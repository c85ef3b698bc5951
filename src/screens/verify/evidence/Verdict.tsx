import type { ReactNode } from 'react'
import { evidenceWords } from '~/lib/evidence-words'
import type { EvidenceFile, Rechecked } from '~/proof/check-evidence'
import { type Judged, type Tone, toneOf } from '~/proof/verdict'
import { ErrorIcon, InfoIcon, ShieldIcon, WarningIcon } from '~/ui/Icon'
import { join } from '~/ui/join'

const looks: Readonly<Record<Tone, { box: string; icon: ReactNode }>> = {
  verified: {
    box: 'border-verified/45 bg-verified/8',
    icon: <ShieldIcon className="text-verified" size={20} />,
  },
  neutral: { box: 'border-line bg-panel', icon: <InfoIcon className="text-info" size={20} /> },
  warning: {
    box: 'border-warning/45 bg-warningtint',
    icon: <WarningIcon className="text-warning" size={20} />,
  },
  error: {
    box: 'border-error/45 bg-errortint',
    icon: <ErrorIcon className="text-error" size={20} />,
  },
}

type Props = { evidence: EvidenceFile; rechecked: Rechecked; judged: Judged }

/** What came of verifying a file once more, in one look. */
export function Verdict({ evidence, rechecked, judged }: Props) {
  const { box, icon } = looks[toneOf(judged)]
  const { title, text } = evidenceWords(judged.cause)
  return (
    <div className={join('flex gap-3 rounded border px-4 py-3', box)} role="status">
      <span className="flex h-6 shrink-0 items-center">{icon}</span>
      <div className="grid min-w-0 gap-1">
        <p className="font-medium text-lg">{title}</p>
        <p>{text}</p>
        {judged.cause === 'altered' && <p>{difference(evidence, rechecked)}</p>}
      </div>
    </div>
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
