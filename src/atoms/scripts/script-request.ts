import { atom } from 'jotai'
import type { Io } from '~/core/act'

/** The script that is to be brought: open without a file, or with the one that was dropped. */
export const scriptRequestAtom = atom<{ readonly file: File | null } | null>(null)

/** Opens the import of a script, with a file if there is one already. */
export function bringScript({ set }: Io, file: File | null = null): void {
  set(scriptRequestAtom, { file })
}

export function closeScript({ set }: Io): void {
  set(scriptRequestAtom, null)
}

/** Whether a file is a script by its name. */
export const isScriptFile = ({ name }: Pick<File, 'name'>): boolean => /\.sql$/i.test(name)
