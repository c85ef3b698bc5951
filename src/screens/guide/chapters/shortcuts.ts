import type { Chapter } from '../guide'

export const shortcuts: Chapter = {
  id: 'keyboard',
  title: 'Shortcuts',
  intro: 'Everything can be done by keyboard. On a Mac, take Command where Ctrl stands.',
  sections: [
    {
      id: 'keyboard-editor',
      title: 'In the SQL editor',
      blocks: [
        {
          kind: 'shortcuts',
          place: 'editor',
          shortcuts: [
            { keys: 'Ctrl+Enter', does: 'Run the selection, or the statement at the caret' },
            { keys: 'Ctrl+Shift+Enter', does: 'Run all statements' },
            { keys: 'Ctrl+Space', does: 'Suggest words, tables and columns' },
            { keys: 'Tab', does: 'Take the first suggestion; without any, leave the editor' },
            { keys: 'Escape', does: 'Close the suggestions' },
            { keys: 'Ctrl+/', does: 'Turn lines into comments and back' },
            { keys: 'Ctrl+F', does: 'Find and replace' },
            { keys: 'Ctrl+Z', does: 'Undo' },
            { keys: 'Ctrl+Y', does: 'Do again' },
            { keys: 'Alt+ArrowUp, Alt+ArrowDown', does: 'Move lines' },
          ],
        },
      ],
    },
    {
      id: 'keyboard-grid',
      title: 'In a result',
      blocks: [
        {
          kind: 'shortcuts',
          place: 'grid',
          shortcuts: [
            { keys: 'ArrowUp, ArrowDown, ArrowLeft, ArrowRight', does: 'Go from cell to cell' },
            { keys: 'Ctrl+ArrowUp, Ctrl+ArrowDown', does: 'Go to the first or last row' },
            { keys: 'Home, End', does: 'Go to the first or last column' },
            { keys: 'PageUp, PageDown', does: 'Go a page up or down' },
            { keys: 'Enter, F2', does: 'Show the whole value' },
            { keys: 'Ctrl+C', does: 'Copy the exact value' },
            { keys: 'v', does: 'Verify the row in this browser' },
            { keys: 'Space', does: 'Choose the row, or let go of it; with Shift all up to it' },
            { keys: 'Ctrl+A', does: 'Choose all rows, or let go of them' },
            {
              keys: 'Ctrl+Shift+ArrowLeft, Ctrl+Shift+ArrowRight',
              does: 'Make the column narrower or wider',
            },
          ],
        },
      ],
    },
    {
      id: 'keyboard-tree',
      title: 'In the list of tables',
      blocks: [
        {
          kind: 'shortcuts',
          place: 'tree',
          shortcuts: [
            { keys: 'ArrowUp, ArrowDown', does: 'Go from line to line' },
            { keys: 'ArrowRight, ArrowLeft', does: 'Open or close a table' },
            { keys: 'Home, End', does: 'Go to the first or last line' },
          ],
        },
        'Typed letters lead to the next table that begins with them.',
      ],
    },
    {
      id: 'keyboard-guide',
      title: 'Here, and everywhere',
      blocks: [
        {
          kind: 'shortcuts',
          place: 'guide',
          shortcuts: [
            { keys: '/', does: 'Go to the search of the guide' },
            { keys: 'Escape', does: 'Clear the search; elsewhere, close a dialog or menu' },
          ],
        },
        'The first stop of {Tab} on every page is a link that skips to the content.',
      ],
    },
  ],
}
