// @vitest-environment node
import { expect, test } from 'vitest'
import { contentOf } from '~/atoms/revisions/document-history'
import { csvOf, jsonOf } from '~/atoms/revisions/revision-export'

const document = JSON.parse(
  '{"_id":"ff","n":-5,"zero":-0,"text":"5","=cmd()":"=1+1","__proto__":{"a":[1e21,null]},"none":null}',
)
const line = { number: 1, tx: '7', kind: 'written', seconds: null, author: '@ada' } as const

test('a document is exported as JSON with its own types', () => {
  expect(jsonOf([{ ...line, ...contentOf(document) }])).toBe(`{
  "revision": 1,
  "tx": "7",
  "change": "written",
  "author": "@ada",
  "content": {
    "_id": "ff",
    "n": -5,
    "zero": -0,
    "text": "5",
    "=cmd()": "=1+1",
    "__proto__": {
      "a": [
        1e+21,
        null
      ]
    },
    "none": null
  }
}
`)
})

test('in CSV numbers stay numbers, and formulas do not run', () => {
  const deleted = { ...line, number: 2, kind: 'deleted' } as const
  const all = [
    { ...deleted, ...contentOf(null) },
    { ...line, ...contentOf(document) },
  ]
  expect(csvOf(all).split('\r\n')).toEqual([
    "revision,tx,change,author,_id,n,zero,text,'=cmd(),__proto__,none",
    "2,7,deleted,'@ada,,,,,,,",
    `1,7,written,'@ada,ff,-5,-0,5,'=1+1,"{""a"":[1e+21,null]}",`,
    '',
  ])
})
