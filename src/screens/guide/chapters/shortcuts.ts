import { type Place, shortcutsOf, titleOf } from '~/lib/shortcuts'
import type { Block, Chapter } from '../guide'

const of = (place: Place): Block => ({ kind: 'shortcuts', place, shortcuts: shortcutsOf(place) })

/** The keys of a place, and what else is to be said of them. */
const section = (id: string, place: Place, ...more: Block[]) => ({
  id: `keyboard-${id}`,
  title: titleOf(place),
  blocks: [of(place), ...more],
})

const accessibility = [
  [
    'Keyboard alone',
    'Every screen works without a pointer. The focus is always seen.',
    '`test/e2e/keyboard.e2e.ts`',
  ],
  [
    'Keys in grids',
    'A grid is one stop of {Tab}; arrow keys move in it.',
    '`test/e2e/grid-keyboard.e2e.ts`',
  ],
  [
    'Screen readers',
    'Grids and trees have names, sizes and places, whatever part of them is drawn.',
    '`test/ui/lists.test.tsx`',
  ],
  ['Screen readers', 'axe finds nothing on any screen, in both themes.', '`test/e2e/axe.e2e.ts`'],
  ['Reduced motion', 'Where the system asks for it, nothing moves.', '`test/styles/app.test.ts`'],
  [
    'Forced colours',
    'The system’s palette is used. What is on, chosen or pressed differs from what is not.',
    '`test/e2e/forced-colours.e2e.ts`',
  ],
  [
    'Zoom of 200 and 400 %',
    'Every screen keeps its work in a usable size and all buttons in reach.',
    '`test/e2e/small-windows.e2e.ts`',
  ],
]

export const shortcuts: Chapter = {
  id: 'keyboard',
  title: 'Shortcuts',
  intro: 'All of the console by keyboard. On a Mac, Command stands for Ctrl.',
  sections: [
    section(
      'everywhere',
      'everywhere',
      '{Escape} closes a dialog or a menu. The first {Tab} on a page leads to its content. [Settings](/settings) can turn off shortcuts of a single key.',
    ),
    section(
      'finder',
      'finder',
      '{Ctrl+K} works in every field and in the SQL editor, but not over a dialog. [Find anything](#first-find) says what is found.',
    ),
    section('editors', 'editors'),
    section('editor', 'editor'),
    section('output', 'output', '{/} works everywhere on Query.'),
    section('grid', 'grid'),
    section(
      'rows',
      'rows',
      'The keys of a result, too. Cells pasted in the tab of their copy come back exactly. From other programs tab-separated text is read; an empty field is NULL.',
    ),
    section('cell', 'cell'),
    section('transactions', 'list'),
    section('tree', 'tree', 'Typed letters lead to the next such table.'),
    section('history', 'history'),
    section('json', 'json'),
    section('chart', 'chart'),
    section('guide', 'guide'),
    {
      id: 'keyboard-accessibility',
      title: 'Accessibility',
      blocks: [
        'How the console serves people who see, hear or move differently, and the test of the repository that shows it.',
        {
          kind: 'table',
          head: ['For', 'What the console does', 'Test'],
          rows: accessibility,
        },
      ],
    },
  ],
}
