import { useAtomValue } from 'jotai'
import { checkedRisksAtom } from '~/atoms/overview/security'
import type { CheckedRisk, Severity } from '~/immudb/security'
import { counted } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { ErrorIcon, InfoIcon, TickIcon, WarningIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SafeText } from '~/ui/SafeText'
import { Card } from './Card'

const icons: Record<Severity, React.ReactNode> = {
  danger: <ErrorIcon className="text-error" />,
  advice: <WarningIcon className="text-warning" />,
  unknown: <InfoIcon className="text-muted" />,
  passed: <TickIcon className="text-muted" />,
}
const words: Record<Severity, string> = {
  danger: 'Danger: ',
  advice: 'Advice: ',
  unknown: 'Not known: ',
  passed: 'In order: ',
}

/** What was checked and is in order or not known; what is not in order needs attention. */
export function SecurityCheck() {
  const found = useAtomValue(checkedRisksAtom)
  const isOpen = ({ severity }: CheckedRisk) => severity === 'danger' || severity === 'advice'
  const open = found.filter(isOpen)
  const rest = found.filter((risk) => !isOpen(risk))
  const title = open.length === 0 ? 'nothing found' : counted(open.length, 'finding')
  return (
    <Card aside={title} title="Security check-up">
      <details>
        <summary className="w-max rounded-sm py-3 text-muted text-sm hover:text-text xs:py-1">
          {counted(rest.length, open.length === 0 ? 'check' : 'other check')}
        </summary>
        <ul className="mt-2 grid grid-cols-1 gap-3">
          {rest.map((risk) => (
            <Line risk={risk} key={risk.id} />
          ))}
        </ul>
      </details>
    </Card>
  )
}

function Line({ risk: { severity, title, text, cure, link } }: { risk: CheckedRisk }) {
  return (
    <li className="flex gap-3">
      <span className="flex h-5 shrink-0 items-center">{icons[severity]}</span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">
          <span className="sr-only">{words[severity]}</span>
          <SafeText text={title} />
        </p>
        <p className="text-muted text-sm">
          <SafeText text={text} />{' '}
          {link && (
            <Link className="text-primary underline" to={link.path}>
              {link.words}
            </Link>
          )}
        </p>
        {cure !== undefined && (
          <p className="mt-0.5 text-sm">
            Fix:{' '}
            <code translate="no" className="break-words font-mono text-[13px]">
              {visibleText(cure)}
            </code>
          </p>
        )}
      </div>
    </li>
  )
}
