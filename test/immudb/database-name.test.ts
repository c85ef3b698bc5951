// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { codePoints, isUnusualName, nameProblem, storedName } from '~/immudb/database-name'
import { allSettings, firstSettings } from '~/immudb/database-settings'
import {
  compactCommand,
  deleteCommand,
  flushCommand,
  loadCommand,
  settingsCommand,
  shellWord,
  truncateCommand,
} from '~/immudb/immuadmin'
import {
  changedSettings,
  changesBetween,
  settingProblems,
  withoutReplicaSettings,
} from '~/immudb/setting-rules'
import { shownDatabases } from '~/screens/databases/DatabaseList'
import { formatPeriod } from '~/screens/databases/shown-setting'
import { calmest } from '../support/calmest'
import { corpus, recorded } from '../support/recorded'

const cases = [...corpus('name'), ...corpus('homoglyph')].flatMap(({ id, name, text, immudb }) => {
  const answer = immudb?.dbName
  return text === undefined || answer === undefined ? [] : [[id, name, text, answer] as const]
})

describe('names of databases, as a real server answered (A02)', () => {
  test('there are enough of them', () => expect(cases.length).toBeGreaterThan(20))

  test.each(cases)('%s %s', (_id, _name, text, answer) => {
    const taken = answer.includes('already exists')
      ? new Set([storedName(text)])
      : new Set<string>()
    const problem = nameProblem(text, taken)
    if (!answer.startsWith('ok')) return expect(problem).toBeDefined()
    expect(problem).toBeUndefined()
    expect(storedName(text)).toBe(answer.slice('ok '.length))
  })

  test('a letter becomes small by itself, as Go does it', () => {
    expect(storedName('ΑΣ')).toBe('ασ')
    expect(storedName('\u212aey')).toBe('key')
    expect(storedName('İ')).toBe('i')
  })

  test('the length counts bytes', () => {
    expect(nameProblem('é'.repeat(64), new Set())).toBeUndefined()
    expect(nameProblem('é'.repeat(65), new Set())).toContain('has 130')
    expect(nameProblem('', new Set())).toBe('This field is required')
  })

  test.each(['__proto__', 'constructor'])('%s is an ordinary name (A13)', (name) => {
    expect(nameProblem(name, new Set())).toBeUndefined()
    expect(nameProblem(name, new Set([name]))).toContain('already exists')
  })

  test('what could be taken for something else is told by its code points (A12)', () => {
    expect(isUnusualName('аdmin')).toBe(true)
    expect(isUnusualName('admin_1')).toBe(false)
    expect(codePoints('аdаmin')).toBe('а (U+0430)')
    expect(codePoints('a\u202eb')).toBe('U+202E')
    expect(nameProblem('a b', new Set())).toContain('A space is not allowed')
    expect(nameProblem('a\u202eb', new Set())).toContain('U+202E')
  })
})

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

describe('commands', () => {
  test('name the database as one word of a shell', () => {
    expect(loadCommand('ledger').text).toBe('immuadmin database load ledger')
    expect(shellWord("a'b; rm -rf /")).toBe(`'a'\\''b; rm -rf /'`)
    expect(deleteCommand('аdmin').text).toBe(
      "immuadmin database delete --yes-i-know-what-i-am-doing 'аdmin'",
    )
    expect(truncateCommand('x', 30).text).toContain('--retention-period=720h x')
    expect(compactCommand('x').text).toBe('immuadmin database use x\nimmuadmin database compact')
    expect(flushCommand('x', '5', false).text).toContain('--cleanup-percentage=5 --synced=false')
  })

  test('have a flag for each setting that has one, say which have none, and hold no password', () => {
    const after = changed({
      maxKeyLen: '512',
      syncFrequency: '50',
      'replicationSettings.replica': 'true',
      'replicationSettings.primaryHost': 'a b',
      'replicationSettings.primaryPassword': 's3cret',
    })
    const { text, missing } = settingsCommand('create', 'x', changesBetween(firstSettings, after))
    expect(text).toBe(
      "immuadmin database create --replication-is-replica=true --replication-primary-host='a b' --replication-primary-password='…' --sync-frequency=50ms x",
    )
    expect(missing).toEqual(['Longest key'])
    expect(text).not.toContain('s3cret')
  })
})

test('periods are told in days and smaller', () => {
  expect(['0', '20', '86400000', '90061001', '2592000000'].map(formatPeriod)).toEqual([
    '0 ms',
    '20 ms',
    '1 d',
    '1 d 1 h 1 min 1 s 1 ms',
    '30 d',
  ])
})

describe('1,000 databases (F67)', () => {
  const databases = Array.from({ length: 1_000 }, (_, index) => ({
    name: `db_${index}`,
    loaded: index % 7 > 0,
    diskSize: `${9_007_199_254_740_990n + BigInt(index)}`,
    numTransactions: String(index % 5),
    createdAt: null,
    createdBy: '',
    isReplica: false,
    retention: '0',
  }))

  test('are filtered and put in order within 50 ms', () => {
    const asked = () => shownDatabases(databases, 'DB_99', { column: 'size', isDescending: true })
    expect(calmest(asked)).toBeLessThan(50)
    const found = asked()
    expect(found.map(({ name }) => name)).toEqual([
      ...['db_999', 'db_998', 'db_997', 'db_996', 'db_995', 'db_994', 'db_993', 'db_992'],
      ...['db_991', 'db_990', 'db_99'],
    ])
  })

  test('numbers in names count as numbers, equal ones stand by name', () => {
    const byName = shownDatabases(databases, '', { column: 'name', isDescending: false })
    expect(byName[10]?.name).toBe('db_10')
    const byTx = shownDatabases(databases, '', { column: 'transactions', isDescending: true })
    expect(byTx.slice(0, 2).map(({ name }) => name)).toEqual(['db_4', 'db_9'])
  })
})
