import { type Place, shortcutsOf, titleOf } from '~/lib/shortcuts'
import type { Block, Chapter } from '../guide'

const of = (place: Place): Block => ({ kind: 'shortcuts', place, shortcuts: shortcutsOf(place) })

/** The keys of a place, and what else is to be said of them. */
const section = (id: string, place: Place, ...more: Block[]) => ({
  id: `keyboard-${id}`,
  title: titleOf(place),
  blocks: [of(place), ...more],
})

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
    section('json', 'json'),
    section('chart', 'chart'),
    section('guide', 'guide'),
  ],
}
