// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openEvidence } from '~/proof/check-evidence'

/** What `webconsole audit` kept of servers that lied. Its own tests write these files. */
const folder = 'test/fixtures/findings'

test.each(readdirSync(folder))(
  'the console opens the finding %s and finds the same',
  async (file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    const opened = await openEvidence(text)
    if ('error' in opened) throw new Error(opened.error)
    const { evidence, rechecked, fork } = opened
    expect(rechecked.agrees).toBe(true)
    const isLeftOut = JSON.parse(text).response === null
    const checked = isLeftOut ? 'unproven' : 'refused'
    expect(rechecked.outcome.kind).toBe(evidence.kind === 'fork' ? 'ok' : checked)
    expect(fork === null).toBe(evidence.kind !== 'fork')
  },
)
