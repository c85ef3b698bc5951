// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { actionOf, keysOf, places, shortcutsOf, shownKeys, typedText } from '~/lib/shortcuts'

describe('the table of shortcuts', () => {
  test.each(places)('in %s no key means two things', (place) => {
    const keys = shortcutsOf(place).flatMap((shortcut) => shortcut.keys.split(', '))
    expect(new Set(keys.map((key) => key.toUpperCase())).size).toBe(keys.length)
    expect(keys).not.toContain('')
  })

  test.each(places)('in %s each line says what it does once', (place) => {
    const does = shortcutsOf(place).map((shortcut) => shortcut.does)
    expect(new Set(does).size).toBe(does.length)
  })

  test('knows a press by its name', () => {
    expect(actionOf('editor', { key: 'Enter', ctrlKey: true })).toBe('run')
    expect(actionOf('editor', { key: 'Enter', metaKey: true, shiftKey: true })).toBe('runAll')
    expect(actionOf('editor', { key: 'Enter' })).toBeUndefined()
    expect(actionOf('grid', { key: 'v', altKey: true })).toBe('verify')
    expect(actionOf('grid', { key: '˙', code: 'KeyH', altKey: true })).toBe('history')
    expect(actionOf('grid', { key: 'v' })).toBeUndefined()
    expect(actionOf('grid', { key: 'v', ctrlKey: true })).toBeUndefined()
    expect(actionOf('grid', { key: 'c', ctrlKey: true })).toBe('copy')
    expect(actionOf('grid', { key: ' ', shiftKey: true })).toBe('chooseRange')
    expect(actionOf('grid', { key: 'End', ctrlKey: true })).toBe('lastCell')
  })

  test('knows what is typed from what is a command', () => {
    expect(typedText({ key: 'h' })).toBe('h')
    expect(typedText({ key: 'H', shiftKey: true })).toBe('H')
    expect(typedText({ key: '中' })).toBe('中')
    // Alt Gr, and Option on a Mac.
    expect(typedText({ key: '@', ctrlKey: true, altKey: true })).toBe('@')
    expect(typedText({ key: '@', altKey: true })).toBe('@')
    // The rest of the sign comes from the system.
    expect(typedText({ key: 'Dead' })).toBe('')
    for (const held of ['ctrlKey', 'metaKey', 'altKey'])
      expect(typedText({ key: 'h', [held]: true })).toBeUndefined()
    for (const key of ['Enter', 'F1', 'Shift', 'Unidentified'])
      expect(typedText({ key })).toBeUndefined()
  })

  test('takes a sign whatever is held to type it, but nothing with Ctrl or Alt', () => {
    expect(actionOf('everywhere', { key: '?', shiftKey: true })).toBe('help')
    expect(actionOf('everywhere', { key: '?' })).toBe('help')
    expect(actionOf('everywhere', { key: '?', ctrlKey: true })).toBeUndefined()
    expect(actionOf('everywhere', { key: '?', altKey: true })).toBeUndefined()
  })

  test('knows nothing of names that objects have', () => {
    expect(actionOf('grid', { key: 'constructor' })).toBeUndefined()
    expect(actionOf('grid', { key: '__proto__' })).toBeUndefined()
  })

  test('gives keys to those who bind or show them', () => {
    expect(keysOf('editor', 'run')).toBe('Ctrl+Enter')
    expect(keysOf('grid', 'open')).toBe('Enter, F2')
    expect(shownKeys('Ctrl+ArrowUp')).toBe('Ctrl+↑')
  })
})
