import { useAtomValue } from 'jotai'
import { isLagging } from '~/atoms/trust/record'
import { forgottenWhy } from '~/atoms/trust/shown'
import { isFollowed, type Trust } from '~/atoms/trust/trust'
import { timezoneAtom } from '~/atoms/view'
import { lagWords } from '~/lib/lag-words'
import { formatMoment } from '~/lib/text'
import { join } from '~/ui/join'
import { lookOf } from '../proof/trust-look'

/** How far the history is known, in a word and a sentence. */
export function Standing({ trust }: { trust: Trust }) {
  const timezone = useAtomValue(timezoneAtom)
  const { Icon, tone, title, text } = lookOf(trust, (at) => formatMoment(at, timezone))
  const why = 'why' in trust ? (trust.why ?? null) : null
  return (
    <section aria-label="State" className="flex gap-3">
      <Icon className={join('mt-0.5 shrink-0', tone)} size={20} />
      <div className="grid min-w-0 gap-1">
        <p className={join('font-medium text-lg', tone)}>{title}</p>
        <p>{text}</p>
        {why !== null && why !== forgottenWhy && trust.kind !== 'unchecked' && (
          <p className="text-warning">The newest state could not be checked: {why}</p>
        )}
        {isFollowed(trust) && isLagging(trust.record) && <p className="text-warning">{lagWords}</p>}
      </div>
    </section>
  )
}
