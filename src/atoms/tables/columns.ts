import { atom } from 'jotai'
import * as v from 'valibot'
import { type Io, mountedAtom } from '~/core/act'
import { serverAtom, serverPlaceAtom } from '~/core/session/session'
import { storageAtom } from '~/core/storage/stored'
import { columnsStorageKey } from '~/lib/storage-keys'

/** What may be shown beside each row of what the server knows of its history. */
export const historyColumns = ['transaction', 'time', 'revision', 'revisions'] as const
export type HistoryColumn = (typeof historyColumns)[number]

/** Which columns of a table are shown, and in which order. */
export type ColumnChoice = {
  /** Names that were moved, in their order; others follow in that of the table. */
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  /** Beside them; none at first. */
  readonly history?: readonly HistoryColumn[]
}

export const allColumns: ColumnChoice = { order: [], hidden: [] }

/** Tables whose choices are kept; the one changed longest ago goes first. */
const mostTables = 200

const names = v.array(v.string())
const history = v.array(v.picklist(historyColumns))
const choice = v.object({
  of: v.string(),
  order: names,
  hidden: names,
  // What an older or newer console kept is no reason to forget the rest.
  history: v.optional(v.fallback(history, [])),
})
const kept = v.object({ tables: v.array(v.unknown()) })
type Kept = v.InferOutput<typeof choice>

function readChoices(value: unknown): Kept[] {
  const found = v.safeParse(kept, value)
  return found.success ? found.output.tables.flatMap(readChoice) : []
}

function readChoice(value: unknown): Kept[] {
  const found = v.safeParse(choice, value)
  return found.success ? [found.output] : []
}

const knownAtom = atom<readonly Kept[]>([])

/** The choices as this browser keeps them; read again whenever a table is shown. */
const choicesAtom = mountedAtom(
  (get) => get(knownAtom),
  ({ get, set }) => {
    void get(storageAtom)
      .read(columnsStorageKey)
      .then((value) => set(knownAtom, readChoices(value)))
    return undefined
  },
)

/** Gives the name under which the choice of a table is kept. */
const placeAtom = atom((get) => {
  const server = (get(serverAtom) ?? '') + get(serverPlaceAtom)
  return (database: string, table: string) => JSON.stringify([server, database, table])
})

/** Gives which columns of a table are shown. */
export const columnChoiceAtom = atom((get) => {
  const [choices, place] = [get(choicesAtom), get(placeAtom)]
  return (database: string, table: string): ColumnChoice => {
    const { order, hidden, history } = choices.find(({ of }) => of === place(database, table)) ?? {
      ...allColumns,
    }
    return { order, hidden, ...(history && history.length > 0 ? { history } : {}) }
  }
})

/** Chooses the columns of a table, and keeps the choice in this browser. */
export async function chooseColumns(
  { get, set }: Io,
  { database, table, ...chosen }: ColumnChoice & Place,
): Promise<boolean> {
  const of = get(placeAtom)(database, table)
  const change = (before: readonly Kept[]): Kept[] => {
    const others = before.filter((one) => one.of !== of)
    const { order, hidden, history: beside = [] } = chosen
    const isPlain = order.length + hidden.length + beside.length === 0
    const own = { of, order: [...order], hidden: [...hidden], history: [...beside] }
    return [...(isPlain ? [] : [own]), ...others].slice(0, mostTables)
  }
  set(knownAtom, change(get(knownAtom)))
  return get(storageAtom).change(columnsStorageKey, (value) => ({
    tables: change(readChoices(value)),
  }))
}

type Place = { readonly database: string; readonly table: string }

/** The names of columns in the chosen order, hidden ones included. */
export function ordered(all: readonly string[], { order }: ColumnChoice): string[] {
  const moved = order.filter((name) => all.includes(name))
  return [...moved, ...all.filter((name) => !moved.includes(name))]
}
