/**
 * Every keyboard shortcut of the console, beyond plain buttons, fields and lists. Handlers, the
 * list of shortcuts and the guide all read this table. A row is a line of the list. Commas separate
 * keys that do the same.
 */
const table = {
  everywhere: {
    title: 'Everywhere',
    rows: [
      { does: 'Find anything', keys: { find: 'Ctrl+K' } },
      { does: 'Show the keyboard shortcuts', keys: { help: '?' } },
    ],
  },
  finder: {
    title: 'While you find something',
    rows: [
      { does: 'Go from result to result', keys: { up: 'ArrowUp', down: 'ArrowDown' } },
      { does: 'Go a page of results up or down', keys: { pageUp: 'PageUp', pageDown: 'PageDown' } },
      { does: 'Open the result', keys: { open: 'Enter' } },
      { does: 'Open it in a new tab', keys: { openTab: 'Ctrl+Enter' } },
      { does: 'Close it', keys: { close: 'Escape' } },
    ],
  },
  editors: {
    title: 'In Query',
    rows: [
      { does: 'Open a new editor', keys: { add: 'Alt+T' } },
      { does: 'Close the editor or table that is shown', keys: { close: 'Alt+W' } },
      { does: 'Open the editor again that was closed last', keys: { reopen: 'Alt+Shift+T' } },
      {
        does: 'Show the next or previous tab',
        keys: { next: 'Alt+PageDown', previous: 'Alt+PageUp' },
      },
      {
        does: 'Move the editor to the right or left',
        keys: { right: 'Alt+Shift+PageDown', left: 'Alt+Shift+PageUp' },
      },
      { does: 'On a tab: rename the editor', keys: { rename: 'F2' } },
      { does: 'On a tab: show what can be done', keys: { menu: 'Shift+F10, ContextMenu' } },
      { does: 'On a tab: close it', keys: { remove: 'Delete' } },
    ],
  },
  editor: {
    title: 'In the SQL editor',
    rows: [
      { does: 'Run the selection, or the statement at the caret', keys: { run: 'Ctrl+Enter' } },
      { does: 'Run all statements', keys: { runAll: 'Ctrl+Shift+Enter' } },
      { does: 'Save as a query', keys: { save: 'Ctrl+S' } },
      { does: 'Suggest words, tables and columns', keys: { suggest: 'Ctrl+Space' } },
      { does: 'Accept the first suggestion; without one, leave the editor', keys: { take: 'Tab' } },
      { does: 'Close the suggestions', keys: { dismiss: 'Escape' } },
      { does: 'Turn lines into comments and back', keys: { comment: 'Ctrl+/' } },
      { does: 'Find and replace', keys: { find: 'Ctrl+F' } },
      { does: 'Undo', keys: { undo: 'Ctrl+Z' } },
      { does: 'Redo', keys: { redo: 'Ctrl+Y' } },
      { does: 'Move lines', keys: { lineUp: 'Alt+ArrowUp', lineDown: 'Alt+ArrowDown' } },
    ],
  },
  output: {
    title: 'In the output',
    rows: [
      { does: 'Search the output', keys: { search: '/', find: 'Ctrl+F' } },
      { does: 'Go to the next or previous hit', keys: { next: 'Enter', previous: 'Shift+Enter' } },
      { does: 'Close the search', keys: { close: 'Escape' } },
    ],
  },
  grid: {
    title: 'In a result',
    rows: [
      {
        does: 'Go from cell to cell',
        keys: { up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight' },
      },
      {
        does: 'Go to the first or last row',
        keys: { firstRow: 'Ctrl+ArrowUp', lastRow: 'Ctrl+ArrowDown' },
      },
      {
        does: 'Go to the first or last column',
        keys: { firstColumn: 'Home, Ctrl+ArrowLeft', lastColumn: 'End, Ctrl+ArrowRight' },
      },
      {
        does: 'Go to the first or last cell',
        keys: { firstCell: 'Ctrl+Home', lastCell: 'Ctrl+End' },
      },
      { does: 'Go a page up or down', keys: { pageUp: 'PageUp', pageDown: 'PageDown' } },
      {
        does: 'Select cells',
        keys: {
          extendUp: 'Shift+ArrowUp',
          extendDown: 'Shift+ArrowDown',
          extendLeft: 'Shift+ArrowLeft',
          extendRight: 'Shift+ArrowRight',
        },
      },
      {
        does: 'Select cells to the first or last column',
        keys: { extendHome: 'Shift+Home', extendEnd: 'Shift+End' },
      },
      {
        does: 'Select cells a page up or down',
        keys: { extendPageUp: 'Shift+PageUp', extendPageDown: 'Shift+PageDown' },
      },
      { does: 'Select nothing', keys: { release: 'Escape' } },
      { does: 'Show the whole value, or follow its link', keys: { open: 'Enter, F2' } },
      { does: 'Copy the exact value, the selected cells or rows', keys: { copy: 'Ctrl+C' } },
      { does: 'Show what can be done', keys: { menu: 'Shift+F10, ContextMenu' } },
      { does: 'Verify the row in this browser', keys: { verify: 'Alt+V' } },
      { does: 'Show the history of the row', keys: { history: 'Alt+H' } },
      { does: 'Show the last change of each column', keys: { blame: 'Alt+B' } },
      { does: 'Show the whole row of a table', keys: { row: 'Alt+R' } },
      {
        does: 'Select or deselect the row; with Shift all rows up to it',
        keys: { choose: 'Space', chooseRange: 'Shift+Space' },
      },
      { does: 'Select or deselect all rows', keys: { chooseAll: 'Ctrl+A' } },
      {
        does: 'Order the rows of a table by the column, ascending or descending; again: no longer',
        keys: { ascending: 'Alt+ArrowUp', descending: 'Alt+ArrowDown' },
      },
      {
        does: 'Make the column narrower or wider',
        keys: { narrower: 'Ctrl+Shift+ArrowLeft', wider: 'Ctrl+Shift+ArrowRight' },
      },
    ],
  },
  rows: {
    title: 'In the rows of a table',
    rows: [
      { does: 'Change the cell from scratch', keys: { type: 'A–Z, 0–9' } },
      { does: 'Change the value that is there', keys: { edit: 'Enter, F2' } },
      { does: 'Set the selected cells to NULL', keys: { clear: 'Delete, Backspace' } },
      { does: 'Paste cells', keys: { paste: 'Ctrl+V' } },
      { does: 'Fill the selected cells from their first row', keys: { fill: 'Ctrl+D' } },
      { does: 'Undo the last staged edit', keys: { undo: 'Ctrl+Z' } },
      { does: 'Redo it', keys: { redo: 'Ctrl+Shift+Z, Ctrl+Y' } },
      { does: 'Add a row', keys: { add: 'Alt+Insert, Alt+N' } },
      {
        does: 'Delete the selected rows, or those of the selected cells',
        keys: { remove: 'Alt+Delete, Alt+Backspace' },
      },
      { does: 'Review what is staged', keys: { review: 'Ctrl+Enter' } },
      { does: 'Commit what is staged at once', keys: { commit: 'Ctrl+Shift+Enter' } },
    ],
  },
  cell: {
    title: 'While a cell is edited',
    rows: [
      { does: 'Accept and go down or up', keys: { down: 'Enter', up: 'Shift+Enter' } },
      {
        does: 'Accept and edit the next or previous cell',
        keys: { next: 'Tab', previous: 'Shift+Tab' },
      },
      { does: 'Accept and stay', keys: { stay: 'Ctrl+Enter' } },
      { does: 'Accept and commit what is staged', keys: { commit: 'Ctrl+Shift+Enter' } },
      { does: 'Begin a new line in the value', keys: { line: 'Alt+Enter' } },
      { does: 'Give up this cell', keys: { giveUp: 'Escape' } },
    ],
  },
  history: {
    title: 'In a history',
    rows: [{ does: 'Show the last change of each column', keys: { blame: 'B' } }],
  },
  list: {
    title: 'In the transactions and the audit log',
    rows: [
      { does: 'Go from one to the next', keys: { up: 'ArrowUp', down: 'ArrowDown' } },
      { does: 'Go a page up or down', keys: { pageUp: 'PageUp', pageDown: 'PageDown' } },
      { does: 'Go to the newest or the first', keys: { first: 'Home', last: 'End' } },
      { does: 'Open the transaction or event', keys: { open: 'Enter' } },
      { does: 'Open the transaction before or after', keys: { before: '[', after: ']' } },
    ],
  },
  tree: {
    title: 'In the list of tables',
    rows: [
      { does: 'Go from line to line', keys: { up: 'ArrowUp', down: 'ArrowDown' } },
      {
        does: 'Show or hide the columns of a table',
        keys: { open: 'ArrowRight', close: 'ArrowLeft', toggle: 'Space' },
      },
      { does: 'Open a table in a tab; insert a column', keys: { activate: 'Enter' } },
      { does: 'Go a page up or down', keys: { pageUp: 'PageUp', pageDown: 'PageDown' } },
      { does: 'Go to the first or last line', keys: { first: 'Home', last: 'End' } },
    ],
  },
  json: {
    title: 'In a JSON value',
    rows: [
      { does: 'Go from line to line', keys: { up: 'ArrowUp', down: 'ArrowDown' } },
      {
        does: 'Open or close an object or list',
        keys: { open: 'ArrowRight', close: 'ArrowLeft', toggle: 'Enter, Space' },
      },
      { does: 'Go a page up or down', keys: { pageUp: 'PageUp', pageDown: 'PageDown' } },
      { does: 'Go to the first or last line', keys: { first: 'Home', last: 'End' } },
      { does: 'Copy the exact value', keys: { copy: 'Ctrl+C' } },
    ],
  },
  chart: {
    title: 'In a chart',
    rows: [
      {
        does: 'Go to the previous or next measurement',
        keys: { before: 'ArrowLeft, ArrowDown', after: 'ArrowRight, ArrowUp' },
      },
      {
        does: 'Go ten measurements back or forward',
        keys: { farBefore: 'PageDown', farAfter: 'PageUp' },
      },
      { does: 'Go to the first or last measurement', keys: { first: 'Home', last: 'End' } },
    ],
  },
  guide: {
    title: 'In the guide',
    rows: [
      { does: 'Go to the search of the guide', keys: { search: '/' } },
      { does: 'Clear the search', keys: { clear: 'Escape' } },
    ],
  },
} as const satisfies Record<string, { title: string; rows: readonly Row[] }>

type Row = { readonly does: string; readonly keys: Readonly<Record<string, string>> }

/** The part of the console that listens to a key. */
export type Place = keyof typeof table

type NamesOf<R> = R extends { keys: infer K } ? keyof K : never

/** What keys do in a place, by the names of the table. */
export type Action<P extends Place> = NamesOf<(typeof table)[P]['rows'][number]>

/** A key press. Modifiers that are left out are not held. */
export type Press = {
  readonly key: string
  /** The place on the keyboard, such as `KeyH`. */
  readonly code?: string
  readonly ctrlKey?: boolean
  readonly metaKey?: boolean
  readonly shiftKey?: boolean
  readonly altKey?: boolean
}

/** A line of the list of shortcuts: the keys, separated by commas, and what they do. */
export type Shortcut = { readonly keys: string; readonly does: string }

export const places = Object.keys(table) as readonly Place[]

export function titleOf(place: Place): string {
  return table[place].title
}

/** The lines of a place for people to read. */
export function shortcutsOf(place: Place): readonly Shortcut[] {
  const { rows }: { rows: readonly Row[] } = table[place]
  return rows.map(({ does, keys }) => ({ does, keys: Object.values(keys).join(', ') }))
}

/** What a press means in a place, or undefined when it means nothing there. */
export function actionOf<P extends Place>(place: P, press: Press): Action<P> | undefined {
  return boundIn(place).get(nameOf(press)) as Action<P> | undefined
}

/** The keys of an action as the table writes them, such as `Ctrl+Enter`. */
export function keysOf<P extends Place>(place: P, action: Action<P>): string {
  const { rows }: { rows: readonly Row[] } = table[place]
  return rows.map(({ keys }) => keys[String(action)]).find((keys) => keys !== undefined) ?? ''
}

/** Keys as they are printed on keyboards. */
export function shownKeys(keys: string): string {
  return signs.reduce((text, [name, sign]) => text.replace(name, sign), keys)
}

const signs: readonly (readonly [string, string])[] = [
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
  ['ArrowLeft', '←'],
  ['ArrowRight', '→'],
  ['PageUp', 'Page Up'],
  ['PageDown', 'Page Down'],
]

const bound = new Map<Place, ReadonlyMap<string, string>>()

function boundIn(place: Place): ReadonlyMap<string, string> {
  const known = bound.get(place)
  if (known) return known
  const { rows }: { rows: readonly Row[] } = table[place]
  const made = new Map(
    rows
      .flatMap(({ keys }) => Object.entries(keys))
      .flatMap(([action, keys]) => keys.split(', ').map((key) => [lettersUp(key), action])),
  )
  bound.set(place, made)
  return made
}

const lettersUp = (keys: string) => (keys.length === 1 ? keys.toUpperCase() : keys)

/**
 * The text that a press types; undefined for one that types nothing. Empty where an accent or an
 * input method begins a text that is not known yet.
 */
export function typedText({ key, ctrlKey, metaKey, altKey }: Press): string | undefined {
  if (key === 'Dead' || key === 'Process') return ''
  // Alt Gr counts as Ctrl and Alt. Option types signs on a Mac, and letters elsewhere mean commands.
  const isAltGr = ctrlKey && altKey
  if ((!isAltGr && (ctrlKey || metaKey)) || (altKey && /^[a-z0-9]$/i.test(key))) return undefined
  return [...key].length === 1 ? key : undefined
}

/** The name of a press as the table writes it. Command counts as Ctrl. */
function nameOf({ key: typed, code, ctrlKey, metaKey, shiftKey, altKey }: Press): string {
  // Option turns letters into signs on a Mac.
  const place =
    altKey && !ctrlKey && !/^[a-z]$/i.test(typed) ? /^Key([A-Z])$/.exec(code ?? '') : null
  const key = place?.[1] ?? typed
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key
  // Signs such as ? need Shift on some keyboards and not on others.
  const isSign = name.length === 1 && !/[A-Z]/.test(name)
  const held = [
    ctrlKey || metaKey ? 'Ctrl+' : '',
    altKey ? 'Alt+' : '',
    shiftKey && !isSign ? 'Shift+' : '',
  ]
  return held.join('') + name
}
