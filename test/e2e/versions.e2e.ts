import { describe } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { walkedVersions } from '../support/immudb-versions'

describe.for(walkedVersions)('immudb %s behind our handler', (version) => {
  test('shows what is there, and runs what changes it', async ({ serve, open }) => {
    const server = await serve({ version })
    await (await api(server.url)).exec('CREATE TABLE old (id INTEGER, PRIMARY KEY id);')
    await server.restart()
    const console = await open(server.url)
    await console.signIn('/query')
    await console.tables.getByRole('treeitem', { name: /old/ }).waitFor()
    await console.runSql('INSERT INTO old (id) VALUES (9007199254740993);')
    await console.result(1).getByText('Committed, 1 row changed.').waitFor()
    await console.runSql('SELECT id FROM old;')
    await console.cell(2, '9007199254740993').waitFor()
  })
})
