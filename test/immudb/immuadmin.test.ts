// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { firstSettings } from '~/immudb/database-settings'
import {
  compactCommand,
  deleteCommand,
  flushCommand,
  loadCommand,
  settingsCommand,
  shellWord,
  truncateCommand,
} from '~/immudb/immuadmin'
import { changesBetween } from '~/immudb/setting-rules'

const changed = (changes: Record<string, string>) =>
  new Map([...firstSettings, ...Object.entries(changes)])

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
