import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { StyleModule } from 'style-mod'

const tint = (name: string, percent: number) =>
  `color-mix(in srgb, var(--${name}) ${percent}%, transparent)`

/** All colours come from the variables of the page, so a change of theme needs nothing here. */
const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--panel)', fontSize: '13px' },
  // An outline would lie below the line numbers.
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '250',
    border: '2px solid var(--primary)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-content ::selection': { backgroundColor: tint('primary', 35) },
  '.cm-gutters': {
    color: 'var(--muted)',
    backgroundColor: 'var(--panel)',
    borderRight: '1px solid var(--line)',
  },
  // It takes no room, so that the caret stays at the beginning.
  '.cm-line[data-hint]::before': {
    content: 'attr(data-hint)',
    float: 'left',
    height: '0',
    color: 'var(--muted)',
    pointerEvents: 'none',
  },
  '.cm-statement': { backgroundColor: tint('primary', 10) },
  '.cm-marker-error': { textDecoration: 'underline wavy var(--error)' },
  '.cm-marker-warning': { textDecoration: 'underline wavy var(--warning)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': {
    backgroundColor: tint('primary', 30),
    outline: '1px solid var(--primary)',
  },
  '&.cm-focused .cm-nonmatchingBracket, .cm-nonmatchingBracket': {
    backgroundColor: tint('error', 30),
  },
  '.cm-selectionMatch': { backgroundColor: tint('primary', 18) },
  '.cm-searchMatch': { backgroundColor: tint('warning', 30), color: 'inherit' },
  '.cm-searchMatch-selected': {
    backgroundColor: tint('warning', 50),
    outline: '1px solid var(--warning)',
  },
  '.cm-specialChar': {
    color: 'var(--error)',
    border: '1px solid var(--error)',
    borderRadius: '3px',
    fontSize: '0.75em',
    padding: '0 2px',
  },
})

/** Pop-ups and the search panel. */
const panels = EditorView.theme({
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '4px',
    boxShadow: 'var(--shadow-float)',
    zIndex: 'var(--z-header)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-code)' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--on-primary)',
    backgroundColor: 'var(--primary)',
  },
  '.cm-completionDetail': { color: 'var(--muted)' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-marker-note': { padding: '4px 8px', maxWidth: '48ch' },
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--raised)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-textfield': {
    color: 'var(--text)',
    backgroundColor: 'var(--panel)',
    border: '1px solid var(--field)',
    borderRadius: '4px',
  },
  '.cm-button': {
    color: 'var(--text)',
    backgroundColor: 'var(--panel)',
    backgroundImage: 'none',
    border: '1px solid var(--field)',
    borderRadius: '4px',
    '&:active': { backgroundImage: 'none', backgroundColor: 'var(--hover)' },
  },
  // A pattern that backtracks for minutes would freeze the page, so none is offered.
  '.cm-panel.cm-search label:has([name=re])': { display: 'none' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--text)', cursor: 'pointer' },
})

const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--primary-text)' },
  { tag: tags.propertyName, color: 'var(--info)' },
  { tag: tags.typeName, color: 'var(--info)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--string)' },
  { tag: [tags.number, tags.atom, tags.bool, tags.null], color: 'var(--warning)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.special(tags.variableName), color: 'var(--warning)', fontStyle: 'italic' },
  { tag: tags.standard(tags.variableName), color: 'var(--info)' },
  { tag: tags.invalid, color: 'var(--error)' },
])

export const theme: Extension = [look, panels, syntaxHighlighting(highlight)]

let isInstalled = false

/**
 * Makes CodeMirror put its styles into a constructed style sheet, which the content security policy
 * allows, instead of a style element, which it forbids. style-mod does so for a root without `head`;
 * it is handed one that has nothing but the document's sheets. Call before the first editor.
 */
export function adoptStyleSheets(): void {
  if (isInstalled || !('adoptedStyleSheets' in document)) return
  isInstalled = true
  const sheets = {
    ownerDocument: document,
    get adoptedStyleSheets() {
      return document.adoptedStyleSheets
    },
    set adoptedStyleSheets(adopted: CSSStyleSheet[]) {
      document.adoptedStyleSheets = adopted
    },
  }
  // The library reads these two properties of its root and no other.
  const root = sheets as unknown as DocumentOrShadowRoot
  const mount = StyleModule.mount
  StyleModule.mount = (target, modules, options) =>
    mount(target === document ? root : target, modules, options)
}
