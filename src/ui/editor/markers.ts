import {
  type EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
} from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, hoverTooltip } from '@codemirror/view'
import { largeTextLength } from '~/lib/constants'
import { visibleText } from '~/lib/visible-text'
import { checkNumbers } from '~/sql/numbers'

/** A place in the text with something to say about it. Offsets are UTF-16. */
export type Marker = {
  readonly from: number
  readonly to: number
  readonly message: string
  /** An error unless it says otherwise. */
  readonly severity?: 'error' | 'warning'
}

/** Replaces the markers given from outside; they disappear where the text is edited. */
export const setMarkers = StateEffect.define<readonly Marker[]>()

const givenField = StateField.define<readonly Marker[]>({
  create: () => [],
  update: (markers, transaction) => {
    const given = transaction.effects.findLast((effect) => effect.is(setMarkers))
    if (given) return given.value
    if (!transaction.docChanged) return markers
    return markers.flatMap((marker) => {
      if (transaction.changes.touchesRange(marker.from, marker.to)) return []
      const from = transaction.changes.mapPos(marker.from, 1)
      return [{ ...marker, from, to: Math.max(from, transaction.changes.mapPos(marker.to, -1)) }]
    })
  },
})

/**
 * Numbers that the server reads as other numbers, found again when the text changes; not in a text
 * too long to be read at each key.
 */
const numbersField = StateField.define<readonly Marker[]>({
  create: (state) => numberMarkers(state),
  update: (markers, transaction) =>
    transaction.docChanged ? numberMarkers(transaction.state) : markers,
})

function numberMarkers(state: EditorState): readonly Marker[] {
  if (state.doc.length > largeTextLength) return []
  return checkNumbers(state.doc.toString()).map((warning) => ({ ...warning, severity: 'warning' }))
}

/** All markers of the text, those from outside first. */
function markersOf(state: EditorState): readonly Marker[] {
  return [...state.field(givenField), ...state.field(numbersField)]
}

/** Wavy lines under the markers, and their message on hover. */
export const markers: Extension = [
  givenField,
  numbersField,
  EditorView.decorations.compute([givenField, numbersField], decorate),
  hoverTooltip((view, pos) => {
    const marker = markersOf(view.state).find((candidate) => {
      const { from, to } = visibleRange(view.state, candidate)
      return from <= pos && pos <= to
    })
    return marker
      ? { pos: marker.from, end: marker.to, create: () => ({ dom: noteElement(marker.message) }) }
      : null
  }),
]

function decorate(state: EditorState): DecorationSet {
  const ranges: Range<Decoration>[] = markersOf(state).flatMap((marker) => {
    const { from, to } = visibleRange(state, marker)
    const decoration = Decoration.mark({ class: `cm-marker-${marker.severity ?? 'error'}` })
    return from < to ? [decoration.range(from, to)] : []
  })
  return Decoration.set(ranges, true)
}

/** An empty range, which is the end of a statement, is shown at the character before it. */
function visibleRange(state: EditorState, marker: Marker): { from: number; to: number } {
  const to = Math.min(marker.to, state.doc.length)
  const from = Math.min(marker.from, to)
  return { from: from === to ? Math.max(0, from - 1) : from, to }
}

/** What is said at a place when the pointer rests on it. */
export function noteElement(message: string): HTMLElement {
  const note = document.createElement('div')
  note.className = 'cm-marker-note'
  note.textContent = visibleText(message)
  return note
}
