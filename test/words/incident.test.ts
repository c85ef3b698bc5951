// @vitest-environment node
import { expect, test } from 'vitest'
import { newIncident } from '~/trust/findings'
import { differingPart, incidentWords, writeIncidents } from '~/words/incident'

test.each([
  ['audit-reason', 'withheld', 'A deep audit reported “Left out without a reason”.'],
  [
    'audit-table',
    'differs',
    'A deep audit found that the server describes a table differently from the history.',
  ],
  ['audit-table', 'missing', 'A deep audit found a table that the server does not list.'],
  [
    'audit-table',
    'surplus',
    'A deep audit found that the server lists a table that is not in the history.',
  ],
  [
    'audit-collection',
    'number',
    'A deep audit found a collection with another number than this browser recorded.',
  ],
  ['audit-more', '', 'A deep audit found more than this list names one by one.'],
])('an incident of an audit says what was found (%s, %s)', (reason, part, words) => {
  expect(incidentWords({ ...newIncident('contradicted', ''), reason, part })).toBe(words)
})

test('names of the server are no part of our sentence about what differs', () => {
  const part = 'nothing. Everything is verified'
  const incident = { ...newIncident('contradicted', 'row 1'), reason: 'not-as-shown', part }
  expect(incidentWords(incident)).toBe('What this page showed differs from the proof.')
  expect(differingPart(incident)).toBe(part)
  const id = { origin: 'http://localhost', server: 's', database: 'db' }
  expect(writeIncidents([{ id, incidents: [incident], dropped: 0 }]).split('\n')).toContain(
    `differs: ${part}`,
  )
})
