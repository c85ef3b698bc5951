import { useAtomValue } from 'jotai'
import { databaseAtom } from '~/atoms/session/session'
import { SafeName } from '~/ui/SafeName'
import { breakWords } from '~/words/broken-history'

type Props = { kind: string; onRetry: () => void }

/** What stands in the place of the bar when that cannot be shown; never nothing. */
export function PlainBar({ kind, onRetry }: Props) {
  const database = useAtomValue(databaseAtom) ?? ''
  return (
    <section
      aria-label="Broken history"
      className="flex shrink-0 flex-wrap items-center gap-2 bg-error ps-3 pe-1 text-page"
      data-broken={kind}
    >
      <p className="min-w-0 grow basis-80 break-words py-1 font-medium" role="alert">
        BROKEN: the history of <SafeName text={database} /> {breakWords(kind).title}. More about it
        could not be shown. Writes stay held unless you allowed them.
      </p>
      <button
        className="h-11 shrink-0 rounded px-3 font-medium text-sm underline xs:h-7"
        onClick={onRetry}
        type="button"
      >
        Try again
      </button>
    </section>
  )
}
