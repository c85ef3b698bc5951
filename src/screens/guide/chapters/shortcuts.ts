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
  intro: 'Everything can be done by keyboard. On a Mac, use Command instead of Ctrl.',
  sections: [
    section(
      'everywhere',
      'everywhere',
      '{Escape} closes a dialog or a menu. The first stop of {Tab} on every page is a link that skips to the content. Shortcuts of a single key can be switched off in [Settings](/settings).',
    ),
    section('editor', 'editor'),
    section(
      'output',
      'output',
      '{/} works everywhere on the screen Query, the others in the output.',
    ),
    section('grid', 'grid'),
    section(
      'rows',
      'rows',
      'The keys of a result work here, too. Cells that you copy come back exactly when you paste them in the same tab; from other programs tab-separated text is read, and an empty field is NULL.',
    ),
    section('cell', 'cell'),
    section('transactions', 'transactions'),
    section('tree', 'tree', 'Typed letters lead to the next table that begins with them.'),
    section('json', 'json'),
    section('chart', 'chart'),
    section('guide', 'guide'),
  ],
}
