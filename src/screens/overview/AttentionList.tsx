import { useAtomValue } from 'jotai'
import { type Attention, attentionAtom } from '~/atoms/attention'
import { lastVisitAtom } from '~/atoms/visits'
import { pathTo } from '~/lib/paths'
import { visibleText } from '~/lib/visible-text'
import { ErrorIcon, InfoIcon, TickIcon, WarningIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { Card } from './Card'
import { SinceLastVisit } from './SinceLastVisit'

const icons = {
  error: <ErrorIcon className="text-error" />,
  warning: <WarningIcon className="text-warning" />,
  info: <InfoIcon className="text-info" />,
}
const words = { error: 'Error: ', warning: 'Warning: ', info: 'Note: ' }

/** What the operator should know of or do something about, and what is new. */
export function AttentionList() {
  const items = useAtomValue(attentionAtom)
  const isKnown = useAtomValue(lastVisitAtom) !== undefined
  return (
    <Card title="Needs attention">
      {items.length === 0 ? (
        <p className="flex items-center gap-3 text-muted">
          <TickIcon className="shrink-0" />
          Nothing needs attention
        </p>
      ) : (
        <ul className="grid grid-cols-1 gap-3">
          {items.map((item) => (
            <Item item={item} key={item.id} />
          ))}
        </ul>
      )}
      {isKnown && <SinceLastVisit />}
    </Card>
  )
}

function Item({ item }: { item: Attention }) {
  return (
    <li className="flex gap-3">
      <span className="flex h-5 shrink-0 items-center">{icons[item.tone]}</span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">
          <span className="sr-only">{words[item.tone]}</span>
          {visibleText(item.title)}
        </p>
        <p className="text-muted text-sm">
          {visibleText(item.text)}{' '}
          {item.page && (
            <Link className="text-primary underline" to={pathTo(item.page.name)}>
              {item.page.words}
            </Link>
          )}
        </p>
      </div>
    </li>
  )
}
