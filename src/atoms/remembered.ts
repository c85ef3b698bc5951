import { type Atom, atom } from 'jotai'

/** A value and when it was measured, in milliseconds since 1970. */
export type Remembered = { readonly at: number; readonly of?: string }

/**
 * The last values of a source, oldest first, at most `limit` of them, which go on from those of
 * `before`. They stay when nobody looks any more; what happens meanwhile is not seen. Two values of
 * the same moment and thing are one.
 */
export function remembered<T extends Remembered>(
  source: Atom<T | null>,
  limit: number,
  before: Atom<readonly T[]> = atom([]),
): Atom<readonly T[]> {
  const kept = atom<{ list: readonly T[] | null }>(() => ({ list: null }))
  return atom((get) => {
    const holder = get(kept) as { list: readonly T[] }
    holder.list ??= get(before)
    const value = get(source)
    if (value && !holder.list.some(({ at, of }) => at === value.at && of === value.of)) {
      const list = [...holder.list, value].slice(-limit)
      // A clock that was set back is rare, and so is an old answer of another database.
      const isLater = value.at >= (holder.list.at(-1)?.at ?? 0)
      holder.list = isLater ? list : list.sort((a, b) => a.at - b.at)
    }
    return holder.list
  })
}
