import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import type { Break } from '~/atoms/trust/record'
import type { Verification } from '~/atoms/trust/verification'
import { timezoneAtom } from '~/atoms/view'
import { findingWords } from '~/lib/finding-words'
import { formatMoment } from '~/lib/text'
import { SafeText } from '~/ui/SafeText'

type Props = {
  findings: readonly Break[]
  /** What can be done with the evidence of one. */
  actions: (verification: Verification) => ReactNode
}

/** What else was found wrong in a history, and not ended. */
export function OtherFindings({ findings, actions }: Props) {
  const timezone = useAtomValue(timezoneAtom)
  if (findings.length === 0) return null
  return (
    <section aria-label="Other findings" className="my-2 text-sm">
      <p className="font-medium">Also found, and still to be decided about after this:</p>
      <ul>
        {findings.map((finding) => (
          <li
            className="flex flex-wrap items-center gap-2 py-1"
            key={`${finding.at} ${finding.what}`}
          >
            <span>
              {formatMoment(finding.at, timezone)}, in <SafeText text={finding.what} />:{' '}
              {findingWords(finding).what}
            </span>
            {finding.verification && actions(finding.verification)}
          </li>
        ))}
      </ul>
    </section>
  )
}
