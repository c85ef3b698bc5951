import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licence in a folder, and the notice, which the Apache licence asks to pass on; null without. */
export function licenceText(folder: string): string | null {
  const names = readdirSync(folder).sort()
  const file = names.find((name) => /^(?:licen[cs]e|copying)/i.test(name))
  if (!file) return null
  const notice = names.find((name) => /^notice(?:\.txt)?$/i.test(name))
  const read = (name: string): string =>
    readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()
  return [file, notice].flatMap((name) => (name ? [read(name)] : [])).join('\n\n')
}

/** Words by which a licence is known. A module may be under several. */
const known: readonly (readonly [string, RegExp])[] = [
  [
    'Apache-2.0',
    /Apache License,?\s+Version 2\.0, January 2004|under the Apache License, Version 2\.0 \(the/,
  ],
  ['BSD-3-Clause', /Redistribution and use in source and binary forms[\s\S]*endorse or promote/],
  [
    'BSD-2-Clause',
    /Redistribution and use in source and binary forms(?![\s\S]*endorse or promote)/,
  ],
  ['BUSL-1.1', /^Business Source License 1\.1/m],
  ['MIT', /Permission is hereby granted, free of charge/],
  ['MPL-2.0', /Mozilla Public License,? version 2\.0/i],
]

/** Modules whose licence file only says where the licences are, as their files name them. */
const named: Readonly<Record<string, string>> = {
  'github.com/auxten/postgresql-parser': 'BUSL-1.1 AND BSD-3-Clause AND MIT',
}

/** The licence of a Go module as an SPDX expression. */
export function licenceOf(module: string, text: string): string {
  const found = known.filter(([, words]) => words.test(text)).map(([id]) => id)
  const licence = named[module] ?? found.join(' AND ')
  if (licence === '') throw new Error(`${module} is under a licence that is not known here`)
  return licence
}
