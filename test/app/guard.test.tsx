import { render, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { type Guarded, verdictOn } from '~/app/guard'
import { Guard } from '~/app/Pages'

const search = (text = '') => new URLSearchParams(text)
const isNumber: Guarded = { isValid: (of) => /^\d+$/.test(of.get('id') ?? '') }

describe('a guard', () => {
  test('lets a page through that has none', () => {
    expect(verdictOn({}, search())).toEqual({ kind: 'shown' })
  })

  test('answers a failed validation as an unknown page', () => {
    expect(verdictOn(isNumber, search('id=x'))).toEqual({
      kind: 'refused',
      status: 404,
      message: 'This page could not be found',
    })
    expect(verdictOn(isNumber, search('id=42'))).toEqual({ kind: 'shown' })
  })

  test('names a middleware that does not exist, with status 500', () => {
    expect(verdictOn({ middleware: ['nobody'] }, search())).toEqual({
      kind: 'refused',
      status: 500,
      message: 'Unknown middleware nobody',
    })
    expect(verdictOn({ middleware: ['__proto__'] }, search())).toMatchObject({ status: 500 })
  })

  test('sends home what is only planned, before it looks at the address', () => {
    const planned: Guarded = { middleware: ['home'], isValid: () => false }
    expect(verdictOn(planned, search())).toEqual({ kind: 'moved', to: '/' })
  })
})

describe('a guarded page', () => {
  function show(of: Guarded, path = '/planned') {
    const { hook, searchHook, history } = memoryLocation({ path, record: true })
    render(
      <Router hook={hook} searchHook={searchHook}>
        <Guard of={of}>
          <p>the screen</p>
        </Guard>
      </Router>,
    )
    return history
  }

  test('shows its screen when all agree', () => {
    show(isNumber, '/planned?id=42')
    expect(screen.getByText('the screen')).toBeTruthy()
  })

  test('that fails its validation shows the 404 and a way home', () => {
    show(isNumber)
    expect(screen.queryByText('the screen')).toBeNull()
    expect(screen.getByRole('heading').textContent).toBe('This page could not be found')
    expect(screen.getByText('404')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to the home page' })).toBeTruthy()
  })

  test('with an unknown middleware shows status 500 and its name', () => {
    show({ middleware: ['nobody'] })
    expect(screen.getByRole('heading').textContent).toBe('Unknown middleware nobody')
    expect(screen.getByText('500')).toBeTruthy()
  })

  test('that is only planned goes home', () => {
    const history = show({ middleware: ['home'] })
    expect(history.at(-1)).toBe('/')
  })
})
