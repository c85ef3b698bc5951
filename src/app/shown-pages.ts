import { useAtomValue } from 'jotai'
import { useMemo } from 'react'
import { isAuditReaderAtom } from '~/atoms/auditlog/reader'
import { modeAtom } from '~/core/session/session'
import { type PageName, pages } from '~/lib/paths'
import { pagesWithLogin } from './routes'
import { useServers } from './servers/use-servers'

/** Pages that are reached by other ways than by their names. */
const unnamed: ReadonlySet<PageName> = new Set(['comingsoon', 'tables'])

/** The pages that this user is offered on this server. */
export function useShownPages(): ReadonlySet<PageName> {
  const hasLogin = useAtomValue(modeAtom) === 'login'
  const isAuditReader = useAtomValue(isAuditReaderAtom)
  const hasServers = useServers().length > 1
  return useMemo(() => {
    const isShown = (page: PageName) =>
      !unnamed.has(page) &&
      (hasLogin || !pagesWithLogin.has(page)) &&
      (page !== 'audit' || isAuditReader) &&
      (page !== 'servers' || hasServers)
    return new Set(pages.map(({ name }) => name).filter(isShown))
  }, [hasLogin, isAuditReader, hasServers])
}
