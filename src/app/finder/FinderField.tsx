import { type ComponentType, useEffect, useRef, useState } from 'react'
import { keysOf } from '~/lib/shortcuts'
import { Boundary } from '~/ui/Boundary'
import { Dialog } from '~/ui/Dialog'
import { holdKeys } from '~/ui/held-keys'
import { Kbd } from '~/ui/Kbd'
import { loadOrReload, loadQuietly } from '~/ui/lazy-with-retry'
import { SearchIcon } from '~/ui/SearchIcon'
import { showToast } from '~/ui/toast'
import { useShortcut } from '~/ui/use-shortcut'

// Outside React: the keyboard, while the finder is fetched.

type Panel = ComponentType<{ onClose: () => void; typed: () => string }>
type Opened = { Finder: Panel; typed: () => string }

const load = () => import('./Finder').then((part) => part.Finder)

/** Opens the finder; on a narrow window only its icon is shown. */
export function FinderField() {
  const [opened, setOpened] = useState<Opened | null>(null)
  /** Ends the hold of the keys that waits for the finder; null while none does. */
  const held = useRef<(() => string) | null>(null)
  const open = () => {
    if (held.current) return
    // What is typed at once is a search, not a change of the cell or the text below.
    const typed = holdKeys(() => {
      held.current = null
    })
    held.current = typed
    void loadOrReload(load).then(
      (Finder) => {
        // It may have been given up, and asked for again.
        if (held.current !== typed) return
        held.current = null
        setOpened({ Finder, typed })
      },
      () => {
        typed()
        if (held.current === typed) held.current = null
        tell('The finder cannot be opened: a part of the console could not be loaded.')
      },
    )
  }
  const close = () => setOpened(null)
  useEffect(() => {
    // A finder that could not be shown holds no key.
    opened?.typed()
  }, [opened])
  useShortcut('everywhere', 'find', open, { isInFields: true })
  const keys = keysOf('everywhere', 'find')
  return (
    <>
      <button
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="flex size-11 shrink-0 items-center justify-center gap-2 rounded text-muted fades hover:bg-hover hover:text-text xs:size-8 ui:w-52 ui:justify-start ui:border ui:border-field ui:bg-input ui:px-2 ui:text-sm"
        onClick={open}
        onMouseEnter={() => void loadQuietly(load).catch(() => {})}
        title={`Find anything (${keys})`}
        type="button"
      >
        <SearchIcon className="shrink-0" />
        <span className="sr-only ui:not-sr-only ui:flex-1 ui:text-start">Find anything</span>
        <span aria-hidden="true" className="hidden ui:inline">
          <Kbd keys={keys} />
        </span>
      </button>
      {opened && (
        <Boundary
          fallback={() => (
            <Dialog
              description="Nothing was changed. Open it again, or reload the page."
              onClose={close}
              open
              title="The finder could not be shown"
            />
          )}
        >
          <opened.Finder onClose={close} typed={opened.typed} />
        </Boundary>
      )}
    </>
  )
}

const tell = (text: string) => showToast({ kind: 'error', text })
