import { useAtom, useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { areSingleKeysOnAtom, isShortcutListOpenAtom } from '~/atoms/shortcuts'
import { fetchedLater } from '~/ui/fetched-later'
import { useShortcut } from '~/ui/use-shortcut'

const ShortcutList = fetchedLater(() => import('./ShortcutList').then((part) => part.ShortcutList))

/** Opens the list of shortcuts by its key; menus and Settings open it too. */
export function Shortcuts() {
  const [isOpen, setOpen] = useAtom(isShortcutListOpenAtom)
  useShortcut('everywhere', 'help', () => setOpen(true), useAtomValue(areSingleKeysOnAtom))
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <ShortcutList onClose={() => setOpen(false)} />
    </Suspense>
  )
}
