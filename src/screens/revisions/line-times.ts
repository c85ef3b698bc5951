import { useAtomValue } from 'jotai'
import type { History } from '~/atoms/revisions/history'
import { pageOf, revisionQueriesAtom } from '~/atoms/revisions/revision-list'
import { txTimesAtom } from '~/core/history/tx-times'
import { timezoneAtom } from '~/core/page-view'
import type { RevisionLine } from '~/core/revisions/revisions'
import { formatMoment } from '~/lib/time'
import { provenTimeAtom } from '~/trust/proven-content'

/** The line of a revision as the list has it; undefined while that page is not looked up. */
export function useLine(history: History, number: number): RevisionLine | undefined {
  const queries = useAtomValue(revisionQueriesAtom)(history)
  const { data = [] } = useAtomValue(queries.lines(String(pageOf(history, number))))
  return number < 1 ? undefined : data.find((one) => one.number === number)
}

type Timed = Pick<RevisionLine, 'tx' | 'seconds'>

/**
 * When some revisions were committed, in seconds since 1970: as it is proven, or else as the server
 * says; null as long as that is not known.
 */
export function useLineSeconds(history: History, lines: readonly RevisionLine[]) {
  const { database } = history.subject
  const ids = lines.flatMap(({ tx, seconds }) => (tx === null || seconds !== null ? [] : [tx]))
  const times = useAtomValue(useAtomValue(txTimesAtom)(database, ids.join())).data
  const provenTime = useAtomValue(provenTimeAtom)
  return ({ tx, seconds }: Timed): string | null =>
    (tx === null ? null : provenTime(database, tx)) ??
    seconds ??
    (tx === null ? null : (times?.[tx] ?? null))
}

/** The same as a sentence. */
export function useLineTimes(history: History, lines: readonly RevisionLine[]) {
  const secondsOf = useLineSeconds(history, lines)
  const timezone = useAtomValue(timezoneAtom)
  return (line: RevisionLine): string | null => {
    const known = secondsOf(line)
    return known ? formatMoment(Number(known) * 1_000, timezone) : null
  }
}
