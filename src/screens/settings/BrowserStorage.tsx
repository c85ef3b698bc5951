import { useAtomValue } from 'jotai'
import { type ChangeEvent, useRef, useState } from 'react'
import {
  exportSettingsAtom,
  importSettings,
  storedItemsAtom,
  wipeStorage,
} from '~/atoms/settings/browser-storage'
import { codeLanguageStorageKey } from '~/atoms/settings/code-language'
import { useAct } from '~/core/act'
import { draftStorageKey, keyDraftsStorageKey, storageKey } from '~/lib/constants'
import { parsedJson } from '~/lib/parsed-json'
import { formatSize } from '~/lib/size'
import {
  columnsStorageKey,
  historyStorageKey,
  importedStorageKey,
  importsStorageKey,
  keyViewStorageKey,
  momentsStorageKey,
  queriesStorageKey,
} from '~/lib/storage-keys'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { readChosen, saveFile } from '~/ui/file'
import { SafeText } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { Table } from '~/ui/Table'
import { showToast } from '~/ui/toast'

const names = new Map([
  [storageKey, 'Settings and session'],
  [draftStorageKey, 'Draft of the SQL editor'],
  [keyDraftsStorageKey, 'Drafts of Keys'],
  [`${draftStorageKey}.documents`, 'Drafts of Documents'],
  [`${draftStorageKey}.collections`, 'Drafts of collections'],
  [`${draftStorageKey}.tables`, 'Drafts of new tables'],
  [`${draftStorageKey}.operations`, 'Operations collected on Keys'],
  [`${draftStorageKey}.rows`, 'Staged edits of tables'],
  [keyViewStorageKey, 'Delimiters and formats of Keys'],
  [historyStorageKey, 'History of the SQL editor'],
  [momentsStorageKey, 'Named moments'],
  [queriesStorageKey, 'Saved queries'],
  [columnsStorageKey, 'Hidden and moved columns of tables'],
  [importsStorageKey, 'Unfinished imports'],
  [importedStorageKey, 'Imported files of documents'],
  [codeLanguageStorageKey, 'Language of code'],
])

/** What is kept, and whose it is: most names end with a server and a user, who may be others. */
function nameOf(key: string): { what: string; whose: string | null } {
  const [place = key] = key.split(' ')
  const owner = parsedJson(key.slice(place.length + 1))
  const isOwned = Array.isArray(owner)
  const what = names.get(place) ?? `Other data (${isOwned ? place : key})`
  if (!isOwned) return { what, whose: null }
  const [server, user] = owner.map(String)
  const at = server ? `server ${server}` : 'a server without a name'
  return { what, whose: user ? `user ${user}, ${at}` : at }
}

/** What this browser stores for the console: how much, and how to export or remove it. */
export function BrowserStorage() {
  const text = useAtomValue(exportSettingsAtom)
  return (
    <>
      <Sizes />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => saveFile('webconsole-settings.json', text, 'application/json')}>
          Export settings
        </Button>
        <Import />
        <Wipe />
      </div>
      <p className="text-muted text-sm">Exported: appearance, times, editor and safety only.</p>
    </>
  )
}

function Sizes() {
  const { data: items } = useAtomValue(storedItemsAtom)
  if (!items) return <Skeleton label="Reading what is stored" lines={2} />
  const total = items.reduce((sum, { size }) => sum + size, 0)
  return (
    <div>
      <p>
        {items.length === 0
          ? 'Nothing is stored in this browser.'
          : `${formatSize(total)}, and cookies.`}
      </p>
      {items.length > 0 && (
        <Table caption="What is kept" headLook="sr-only" look="mt-2" titles={['What', 'Size']}>
          {items.map(({ key, size }) => (
            <tr key={key}>
              <td>
                <Name of={key} />
              </td>
              <td className="whitespace-nowrap text-end tabular-nums">{formatSize(size)}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  )
}

function Name({ of }: { of: string }) {
  const { what, whose } = nameOf(of)
  return (
    <>
      <SafeText text={what} />
      {whose !== null && (
        <span className="text-muted [overflow-wrap:anywhere]">
          {' '}
          – <SafeText text={whose} value />
        </span>
      )}
    </>
  )
}

/** Files larger than this hold no settings. */
const sizeLimit = 64_000

function Import() {
  const take = useAct(importSettings)
  const input = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (!file) return
    const given = await readChosen(file, sizeLimit, 'This file is too large to hold settings.')
    const problem = 'problem' in given ? given.problem : take(given.text)
    setFailure(problem)
    if (problem === null) showToast({ kind: 'success', text: 'The settings were imported.' })
    target.value = ''
  }
  return (
    <>
      <Button onClick={() => input.current?.click()}>Import settings</Button>
      <input
        accept="application/json,.json"
        aria-label="File with settings"
        className="hidden"
        onChange={(event) => void read(event)}
        ref={input}
        type="file"
      />
      {failure && (
        <p className="w-full text-error" role="alert">
          {failure}
        </p>
      )}
    </>
  )
}

function Wipe() {
  const wipe = useAct(wipeStorage)
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const remove = () => {
    setBusy(true)
    void wipe()
  }
  return (
    <>
      <Button onClick={() => setAsked(true)}>Remove everything…</Button>
      {isAsked && (
        <AskDialog
          action="Remove everything"
          busy={isBusy}
          description="Removes settings, drafts, history, saved queries, cookies and the session of this browser for good, and logs you out. Trusted states, named moments and pinned keys stay; Verify can forget them. Nothing in the database changes."
          confirm="webconsole"
          isDanger
          onAction={remove}
          onClose={() => setAsked(false)}
          title="Remove everything the console keeps in this browser?"
        />
      )}
    </>
  )
}
