import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { openRevisionsAtom } from '~/atoms/revisions/open-revisions'
import { technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { pageAt } from '~/lib/paths'
import { Boundary } from '~/ui/Boundary'
import { ErrorNote } from '~/ui/ErrorNote'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { useChangeSearch, usePath, useSearchParam } from '~/ui/location'

const RevisionDrawer = lazyWithRetry(() =>
  import('~/screens/revisions/RevisionDrawer').then((part) => part.RevisionDrawer),
)

/** The history that the address names, or that was opened over a screen. */
export function Revisions() {
  const addressed = useAddressed()
  const setOpened = useSetAtom(openRevisionsAtom)
  const opened = useOpenedHere()
  const change = useChangeSearch()
  if (addressed === null && opened === null) return null
  const close = () => {
    setOpened(null)
    // Going back from there leads to where the history was opened.
    if (addressed) change(addressed.away, { replace: true })
  }
  const choose = (revision: string) =>
    addressed
      ? change({ rev: revision }, { replace: true })
      : opened && setOpened({ ...opened, revision })
  const blame = (isBlame: boolean, revision?: string) => {
    const rev = revision === undefined ? {} : { rev: revision }
    const dialog = isBlame ? 'blame' : addressed?.dialog
    if (addressed) change({ ...rev, dialog }, { replace: true })
    else if (opened) setOpened({ ...opened, isBlame, ...(revision ? { revision } : {}) })
  }
  return (
    <Boundary
      fallback={(error, retry) => (
        <div className="fixed inset-x-2 bottom-2 z-dialog mx-auto max-w-[520px] rounded bg-panel shadow-float">
          <ErrorNote
            details={technicalDetails(error)}
            notDone="A part of the console could not be fetched."
            onRetry={retry}
            title="The history could not be shown."
          />
        </div>
      )}
    >
      <RevisionDrawer
        isBlame={addressed ? addressed.isBlame : (opened?.isBlame ?? false)}
        onBlame={blame}
        onChoose={choose}
        onClose={close}
        revision={addressed ? addressed.revision : (opened?.revision ?? '')}
        {...(addressed ? { address: addressed.subject } : { opened })}
      />
    </Boundary>
  )
}

/** What was opened over the present page; a step back in the browser leaves it with its page. */
function useOpenedHere() {
  const opened = useAtomValue(openRevisionsAtom)
  const database = useAtomValue(databaseAtom)
  const path = usePath()
  const [id] = useSearchParam('id')
  const place = `${database} ${path} ${id}`
  const [known, setKnown] = useState<{ opened: typeof opened; place: string | null }>({
    opened,
    place,
  })
  if (known.opened !== opened) setKnown({ opened, place })
  else if (known.place !== null && known.place !== place) setKnown({ opened, place: null })
  return known.opened === opened && known.place === place ? opened : null
}

const awayFromRow = { row: undefined, rev: undefined, dialog: undefined }

/** What the address names, as it says it. */
function useAddressed() {
  const database = useAtomValue(databaseAtom)
  const page = pageAt(usePath())?.name
  const [db = database] = useSearchParam('db')
  const [dialog] = useSearchParam('dialog')
  const [table] = useSearchParam('table')
  const [row] = useSearchParam('row')
  const [tab] = useSearchParam('tab')
  const [key] = useSearchParam('key')
  const [revision = ''] = useSearchParam('rev')
  const isBlame = dialog === 'blame'
  // Another database is about to be opened.
  if (database === null || db !== database) return null
  if (page === 'query' && table !== undefined && row !== undefined) {
    // Opened from the table's own tab, which the address names a part of.
    const away = tab === undefined ? { ...awayFromRow, table: undefined } : awayFromRow
    return { subject: { database, table, row }, revision, isBlame, dialog: undefined, away }
  }
  if (page !== 'keys' || !(dialog === 'history' || isBlame) || key === undefined) return null
  const away = { dialog: undefined }
  return { subject: { database, key }, revision, isBlame, dialog: 'history', away }
}
