import { atom } from 'jotai'
import { type Io, mountedAtom } from '~/core/act'
import { storageAtom } from '~/core/storage/stored'

/** Where the language is kept in which calls are shown as code. */
export const codeLanguageStorageKey = 'webconsole.code'

/** Undefined until storage has answered; null while none was chosen. */
const chosenAtom = atom<string | null | undefined>(undefined)

/** The language that was chosen last for calls shown as code; undefined until storage has answered. */
export const codeLanguageAtom = mountedAtom(
  (get) => get(chosenAtom),
  (io) => {
    void readKept(io)
    return undefined
  },
)

async function readKept({ get, set }: Io): Promise<void> {
  const kept = await get(storageAtom).read(codeLanguageStorageKey)
  set(chosenAtom, (known) => known ?? (typeof kept === 'string' ? kept : null))
}

/** Chooses the language and remembers it. */
export function chooseCodeLanguage({ get, set }: Io, name: string) {
  set(chosenAtom, name)
  void get(storageAtom).keep(codeLanguageStorageKey, () => name)
}
