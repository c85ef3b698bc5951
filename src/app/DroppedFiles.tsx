import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { isScriptFile } from '~/atoms/scripts/script-request'
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
  const toVerify = (tab: string) =>
    navigate(pathTo('verify', { ...(database && { db: database }), tab }))
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
    toVerify(found.tab)
  })
  const dropOnEditor = useEffectEvent(async (file: File, giveBack: () => void) => {
    const found = await take(file).catch(() => null)
    if (found && 'tab' in found) toVerify(found.tab)
    else giveBack()
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
    let isGivenBack = false
    const onEditor = (event: DragEvent) => {
      const file = isGivenBack ? null : fileForEditor(event)
      if (file === null) return
      event.preventDefault()
      event.stopPropagation()
      const { target, clientX, clientY } = event
      void dropOnEditor(file, () => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(file)
        const place = { clientX, clientY, bubbles: true, cancelable: true }
        isGivenBack = true
        target?.dispatchEvent(new DragEvent('drop', { ...place, dataTransfer }))
        isGivenBack = false
      })
    }
    window.addEventListener('drop', onEditor, true)
    window.addEventListener('dragover', over)
    window.addEventListener('drop', dropped)
    return () => {
      window.removeEventListener('drop', onEditor, true)
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', dropped)
    }
  }, [])
  return null
}

/**
 * The file that an editor would make text of, without a look at what it is; null for none. Scripts of
 * SQL are what an editor of SQL is for.
 */
function fileForEditor({ target, dataTransfer }: DragEvent): File | null {
  const [file, other] = dataTransfer?.files ?? []
  const isOnEditor = target instanceof Element && target.closest('.cm-editor') !== null
  // What is in a dialog would be left, with what is typed in it.
  const isForEditor = document.querySelector(covering) !== null
  return !file || other || !isOnEditor || isForEditor || isScriptFile(file) ? null : file
}

/** Places that take files of their own have taken theirs by now. */
function isForPage({ defaultPrevented, dataTransfer }: DragEvent): boolean {
  return !defaultPrevented && (dataTransfer?.types.includes('Files') ?? false)
}
