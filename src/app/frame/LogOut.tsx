import { useSetAtom } from 'jotai'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { findDraftsAtom, type KeptDrafts } from '~/atoms/drafts'
import { logoutAtom } from '~/atoms/leave'
import { counted } from '~/lib/text'
import { Boundary } from '~/ui/Boundary'
import { fetchedLater } from '~/ui/fetched-later'
import { LogOutIcon } from '~/ui/Icon'
import type { MenuEntry } from '~/ui/Menu'
import { clearToasts, showToast } from '~/ui/toast'

const ConfirmDialog = fetchedLater(
  () => import('~/ui/ConfirmDialog').then((part) => part.ConfirmDialog),
  'unasked',
)

type LogOut = {
  /** Looks for drafts, which are offered to be erased. */
  look: () => void
  entries: readonly MenuEntry[]
  /** Stands beside the menu: what is asked before drafts are erased. */
  question: ReactNode
}

/** The ways out: at once with the drafts kept, or after a question with the drafts erased. */
export function useLogOut(): LogOut {
  const logout = useSetAtom(logoutAtom)
  const find = useSetAtom(findDraftsAtom)
  const [drafts, setDrafts] = useState<KeptDrafts | null>(null)
  const [isAsked, setAsked] = useState(false)
  const leave = (with_: 'keep' | 'erase') => {
    clearToasts()
    logout(with_)
  }
  const hasDrafts = drafts !== null && (drafts.hasSql || drafts.values > 0)
  const erase: MenuEntry = {
    kind: 'action',
    label: 'Log out and erase drafts…',
    icon: <LogOutIcon />,
    onSelect: () => setAsked(true),
  }
  return {
    look: () => void find().then(setDrafts),
    entries: [
      { kind: 'separator' },
      {
        kind: 'action',
        label: 'Log out',
        icon: <LogOutIcon />,
        onSelect: () => leave('keep'),
      },
      ...(hasDrafts ? [erase] : []),
    ],
    question: isAsked && drafts !== null && (
      <Boundary fallback={() => <NotAsked onTold={() => setAsked(false)} />}>
        <Suspense fallback={null}>
          <ConfirmDialog
            action="Log out and erase"
            busy={false}
            description={`This browser erases ${namesOf(drafts)}, in all tabs and for good. Nothing in the database changes.`}
            onClose={() => setAsked(false)}
            onConfirm={() => leave('erase')}
            open
            title="Log out and erase your drafts?"
          />
        </Suspense>
      </Boundary>
    ),
  }
}

function namesOf({ hasSql, values }: KeptDrafts): string {
  const sql = hasSql ? ['the text of the SQL editor'] : []
  const keys = values > 0 ? [`${counted(values, 'unsaved value')} of Keys`] : []
  return [...sql, ...keys].join(' and ')
}

/** A question that could not be fetched is not answered: nothing was done. */
function NotAsked({ onTold }: { onTold: () => void }) {
  useEffect(() => {
    const text =
      'A part of the console could not be fetched. You are still logged in and nothing was erased. Try again.'
    showToast({ kind: 'error', text })
    onTold()
  }, [onTold])
  return null
}
