// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { allSettings, firstSettings } from '~/immudb/database-settings'
import {
  changedSettings,
  changesBetween,
  settingProblems,
  withoutReplicaSettings,
} from '~/immudb/setting-rules'
import { recorded } from '../support/recorded'

const changed = (changes: Record<string, string>) =>
  new Map([...firstSettings, ...Object.entries(changes)])
const problemsOf = (changes: Record<string, string>) => settingProblems(changed(changes))

describe('settings', () => {
  test('are all those of create/v2, with the values a new database got', () => {
    const { settings } = Object(recorded('databases', 'list v2').response.body).databases[0]
    const found: Record<string, string> = {}
    for (const [key, value] of Object.entries<object>(settings)) {
      const isGroup = key.endsWith('Settings')
      for (const [inner, wrapper] of isGroup ? Object.entries(value) : [['', value] as const]) {
        found[inner === '' ? key : `${key}.${inner}`] = String(Object(wrapper).value ?? '')
      }
    }
    expect(Object.keys(found).sort()).toEqual(allSettings.map(({ path }) => path).sort())
    for (const { path, first } of allSettings) {
      expect(found[path] || 'zero', path).toBe(/^(0|false|)$/.test(first) ? 'zero' : first)
    }
  })

  test('as the server sets them have nothing wrong', () => {
    expect([...settingProblems(firstSettings)]).toEqual([])
  })

  test.each([
    ['maxKeyLen', '1025'],
    ['maxKeyLen', '0'],
    ['maxKeyLen', ''],
    ['maxKeyLen', '1e3'],
    ['maxKeyLen', '-1'],
    ['fileSize', '2147483647'],
    ['maxIOConcurrency', '128'],
    ['writeTxHeaderVersion', '2'],
    ['indexSettings.cleanupPercentage', '101'],
    ['indexSettings.cleanupPercentage', '1,5'],
    ['indexSettings.maxNodeSize', '2105'],
    ['indexSettings.flushThreshold', '1000001'],
    ['truncationSettings.retentionPeriod', '86399999'],
    ['truncationSettings.truncationFrequency', '3599999'],
    ['replicationSettings.primaryPort', '65536'],
    ['replicationSettings.syncAcks', '1'],
  ])('%s of %s is wrong', (path, value) => {
    expect([...problemsOf({ [path]: value }).keys()]).toEqual([path])
  })

  test.each([
    { 'indexSettings.maxNodeSize': '2106' },
    { 'indexSettings.maxNodeSize': '658', maxKeyLen: '300' },
    { 'indexSettings.cleanupPercentage': '0.5' },
    { 'truncationSettings.retentionPeriod': '86400000' },
    { 'replicationSettings.syncReplication': 'true', 'replicationSettings.syncAcks': '1' },
    { embeddedValues: 'true' },
  ])('%o is right', (changes) => {
    expect([...problemsOf(changes)]).toEqual([])
  })

  test('that go together are checked together', () => {
    expect([...problemsOf({ embeddedValues: 'true', maxIOConcurrency: '2' }).keys()]).toEqual([
      'maxIOConcurrency',
    ])
    expect([...problemsOf({ 'replicationSettings.syncReplication': 'true' }).keys()]).toEqual([
      'replicationSettings.syncAcks',
    ])
  })

  test('a database that stops being a replica loses what only a replica may have', () => {
    const replica = changed({
      'replicationSettings.replica': 'true',
      'replicationSettings.primaryHost': 'far',
      'replicationSettings.primaryPassword': '•••',
      'replicationSettings.waitForIndexing': 'true',
    })
    expect(withoutReplicaSettings(replica)).toBe(replica)
    const stopped = new Map([...replica, ['replicationSettings.replica', 'false']])
    const changes = changesBetween(replica, withoutReplicaSettings(stopped))
    expect([...changedSettings(changes)]).toEqual([
      ['replicationSettings.replica', 'false'],
      ['replicationSettings.primaryHost', ''],
      ['replicationSettings.primaryPassword', ''],
      ['replicationSettings.waitForIndexing', 'false'],
    ])
  })
})
