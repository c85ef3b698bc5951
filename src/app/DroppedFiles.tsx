import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { useAct } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { pathTo } from '~/lib/paths'
import { cutText } from '~/lib/visible-text'
import { loadOrReload } from '~/ui/lazy-with-retry'
import { useNavigate } from '~/ui/location'
import { showToast } from '~/ui/toast'
import { covering } from '~/ui/use-shortcut'

// Outside React: files that are dragged over the page.

const load = () => import('~/trust/dropped-file').then((part) => part.openDropped)

/** Characters of the name of a file. */
const longestName = 100

/**
 * Opens in Verify a file that is dropped where nothing else takes it. Without this the browser would
 * leave the console to show the file.
 */
export function DroppedFiles() {
  const navigate = useNavigate()
  const database = useAtomValue(databaseAtom)
  const take = useAct(async (io, file: File) => (await loadOrReload(load))(io, file))
  const drop = useEffectEvent(async (files: readonly File[]) => {
    const [file, other] = files
    if (!file) return
    const tell = (text: string) => showToast({ kind: 'error', text })
    const name = `“${cutText(file.name, longestName)}”`
    if (other) return tell('Drop one file at a time. Nothing was opened.')
    if (document.querySelector(covering)) {
      return tell(`${name} was not opened: close what is open over the page first.`)
    }
    const found = await take(file).catch(() => null)
    if (!found) return tell(`${name} was not opened: a part of the console could not be loaded.`)
    if ('problem' in found) return tell(`${name} was not opened. ${found.problem}`)
    navigate(pathTo('verify', { ...(database && { db: database }), tab: found.tab }))
  })
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (isForPage(event)) event.preventDefault()
    }
    const dropped = (event: DragEvent) => {
      if (!isForPage(event)) return
      event.preventDefault()
      void drop([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', over)
    window.addEventListener('drop', dropped)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', dropped)
    }
  }, [])
  return null
}

/** Places that take files of their own have taken theirs by now. */
function isForPage({ defaultPrevented, dataTransfer }: DragEvent): boolean {
  return !defaultPrevented && (dataTransfer?.types.includes('Files') ?? false)
}
