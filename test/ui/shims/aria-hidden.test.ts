import { beforeEach, describe, expect, test } from 'vitest'
import { hideOthers } from '../../../src/ui/shims/aria-hidden'

const hidden = () => [...document.querySelectorAll('[aria-hidden="true"]')].map(({ id }) => id)
const byId = (id: string) => document.getElementById(id) ?? document.body

beforeEach(() => {
  document.body.innerHTML = `
    <div id="app">
      <main id="main"></main>
      <p id="told" aria-live="polite"></p>
      <div id="overlays">
        <div id="dialog" role="dialog"></div>
        <div id="second" role="dialog"></div>
        <div id="list" role="listbox"></div>
      </div>
    </div>
    <span id="decoration" aria-hidden="true"></span>`
})

describe('hiding all others', () => {
  test('spares the target, what holds it, and what is announced', () => {
    const show = hideOthers(byId('dialog'))
    expect(hidden()).toEqual(['main', 'second', 'list', 'decoration'])
    show()
    expect(hidden()).toEqual(['decoration'])
  })

  test('a second dialog over the first hides it and gives it back', () => {
    const showFirst = hideOthers(byId('dialog'))
    const showSecond = hideOthers([byId('second')])
    expect(hidden()).toContain('dialog')
    showSecond()
    expect(hidden()).toEqual(['main', 'second', 'list', 'decoration'])
    showFirst()
    expect(hidden()).toEqual(['decoration'])
  })

  test('a list of choices leaves the page as it is', () => {
    hideOthers(byId('list'))()
    const show = hideOthers(byId('list'))
    expect(hidden()).toEqual(['decoration'])
    show()
    expect(hidden()).toEqual(['decoration'])
  })
})
