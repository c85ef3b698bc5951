// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openEvidence } from '~/proof/check-evidence'

/** What `webconsole audit` kept of servers that lied. Its own tests write these files. */
const folder = 'test/fixtures/findings'

test.each(readdirSync(folder))(
  'the console opens the finding %s and finds the same',
  async (file) => {
    const opened = await openEvidence(readFileSync(`${folder}/${file}`, 'utf8'))
    if ('error' in opened) throw new Error(opened.error)
    const { evidence, rechecked, fork } = opened
    expect(rechecked.agrees).toBe(true)
    expect(rechecked.outcome.kind).toBe(evidence.kind === 'fork' ? 'ok' : 'refused')
    expect(fork === null).toBe(evidence.kind !== 'fork')
  },
)
