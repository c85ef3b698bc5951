import { readdirSync, readFileSync } from 'node:fs'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hexDump } from '~/lib/byte-formats'
import { Hash } from '~/ui/Hash'
import { JsonTree } from '~/ui/JsonTree'
import { SafeName, SafeText } from '~/ui/SafeText'
import { ValueView } from '~/ui/ValueView'

const isKept = (text: string) =>
  screen.getByText(text).closest('[translate]')?.getAttribute('translate') === 'no'

test('C12 names, values, hashes and keys of JSON are not for a browser to translate', () => {
  render(
    <>
      <SafeName text="orders" />
      <SafeText text="sold out" value />
      <SafeText lines text="two lines" />
      <Hash hash="0011223344556677" />
      <JsonTree label="json" text='{"state":"open"}' />
      <ValueView name="hex" preferred="hex" value={btoa('value')} />
      <p>
        <SafeText text="Nothing was saved." />
      </p>
    </>,
  )
  for (const text of ['orders', 'sold out', 'two lines', '00112233…6677', '"state"', '"open"']) {
    expect([text, isKept(text)]).toEqual([text, true])
  }
  expect(isKept(hexDump(new TextEncoder().encode('value')).replace(/\s+/g, ' '))).toBe(true)
  // A sentence is.
  expect(isKept('Nothing was saved.')).toBe(false)
})

test('C12 no code and no preformatted text of any screen is for a browser to translate', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  )
  const translated = sources.flatMap((name) =>
    [...readFileSync(`src/${name}`, 'utf8').matchAll(/<(?:code|pre)(?=[\s>])[^>]*>/g)].flatMap(
      ([tag]) => (tag.includes('translate="no"') ? [] : `${name}: ${tag}`),
    ),
  )
  expect(translated).toEqual([])
})
