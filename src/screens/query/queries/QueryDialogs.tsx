import { useAtom } from 'jotai'
import { queryDialogAtom } from '~/atoms/queries/query-saving'
import { lazyWithRetry } from '~/ui/lazy-with-retry'

const SaveDialog = lazyWithRetry(() =>
  import('./library').then(({ library }) => library.SaveDialog),
)
const LibraryDialog = lazyWithRetry(() =>
  import('./library').then(({ library }) => library.LibraryDialog),
)

/** Fetches what saves and lists queries before it is asked for. */
export const prepareLibrary = () => LibraryDialog.prepare()

/** The form that saves a query, or the list of those that are saved; nothing until it is asked for. */
export function QueryDialogs() {
  const [open, setOpen] = useAtom(queryDialogAtom)
  if (open?.kind === 'save') {
    return <SaveDialog key={open.of.id} onClose={() => setOpen(null)} task={open} />
  }
  if (open?.kind === 'library') return <LibraryDialog onClose={() => setOpen(null)} view={open} />
  return null
}
