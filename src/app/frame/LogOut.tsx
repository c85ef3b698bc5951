import { useSetAtom } from 'jotai'
import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react'
import { findDraftsAtom, type KeptDrafts } from '~/atoms/kept-drafts'
import { logoutAtom } from '~/atoms/leave'
import { counted } from '~/lib/text'
import type { ConfirmDialog } from '~/ui/ConfirmDialog'
import { LogOutIcon } from '~/ui/Icon'
import { loadQuietly } from '~/ui/load-chunk'
import type { MenuEntry } from '~/ui/Menu'
import { clearToasts, showToast } from '~/ui/toast'

type Question = ComponentType<ComponentProps<typeof ConfirmDialog>>

const notAsked =
  'A part of the console could not be fetched. You are still logged in and nothing was erased. Try again.'

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
  const [Question, setQuestion] = useState<Question | null>(null)
  const leave = (with_: 'keep' | 'erase') => {
    clearToasts()
    logout(with_)
  }
  const ask = () =>
    loadQuietly(() => import('~/ui/ConfirmDialog')).then(
      (part) => setQuestion(() => part.ConfirmDialog),
      () => showToast({ kind: 'error', text: notAsked }),
    )
  const hasDrafts = drafts !== null && (drafts.hasSql || drafts.values > 0)
  const erase: MenuEntry = {
    kind: 'action',
    label: 'Log out and erase drafts…',
    icon: <LogOutIcon />,
    onSelect: () => void ask(),
  }
  return {
    look: () => void find().then(setDrafts),
    entries: [
      {
        kind: 'action',
        label: 'Log out',
        icon: <LogOutIcon />,
        onSelect: () => leave('keep'),
      },
      ...(hasDrafts ? [erase] : []),
    ],
    question: Question && drafts && (
      <Question
        action="Log out and erase"
        busy={false}
        description={`This browser erases ${namesOf(drafts)}, in all tabs and for good. Nothing in the database changes.`}
        onClose={() => setQuestion(null)}
        onConfirm={() => leave('erase')}
        open
        title="Log out and erase your drafts?"
      />
    ),
  }
}

function namesOf({ hasSql, values }: KeptDrafts): string {
  const sql = hasSql ? ['the text of the SQL editor'] : []
  const keys = values > 0 ? [`${counted(values, 'unsaved value')} in Keys`] : []
  return [...sql, ...keys].join(' and ')
}
