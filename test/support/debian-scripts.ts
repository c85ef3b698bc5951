import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../.cache/debian-scripts/', import.meta.url))

/**
 * SQL that real programs install, from packages of Debian 12: phpMyAdmin (GPL-2) and Roundcube
 * (GPL-3) with MySQL, PostgreSQL and SQLite, Zabbix (GPL-2) with PostgreSQL. They are fetched by apt,
 * which checks them, and are not part of this repository.
 */

const roundcube = 'roundcube-core/usr/share/roundcube/SQL'
const zabbix = 'zabbix-server-pgsql/usr/share/zabbix-server-pgsql'

/** Files of the packages by their short names. */
const files = {
  'phpmyadmin.mysql': 'phpmyadmin/usr/share/phpmyadmin/sql/create_tables.sql',
  'roundcube.mysql': `${roundcube}/mysql.initial.sql`,
  'roundcube.postgres': `${roundcube}/postgres.initial.sql`,
  'roundcube.sqlite': `${roundcube}/sqlite.initial.sql`,
  'zabbix.schema': `${zabbix}/schema.sql.gz`,
  'zabbix.images': `${zabbix}/images.sql.gz`,
  'zabbix.data': `${zabbix}/data.sql.gz`,
} as const

export type DebianScript = keyof typeof files

/** A script of a package, as a user would choose it. Rejects where it cannot be fetched. */
export async function debianScript(name: DebianScript): Promise<File> {
  const path = files[name]
  const [owner = ''] = path.split('/')
  const root = await unpacked(owner)
  const bytes = await readFile(join(root, path.slice(owner.length + 1)))
  const content = path.endsWith('.gz') ? gunzipSync(bytes) : bytes
  return new File([new Uint8Array(content)], `${name}.sql`)
}

const unpacking = new Map<string, Promise<string>>()

/** The folder of a package; several that ask at once get the same. */
function unpacked(name: string): Promise<string> {
  const known = unpacking.get(name) ?? unpack(name)
  unpacking.set(name, known)
  return known
}

/** Fetches a package once; its folder is there whole or not at all. */
async function unpack(name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).includes(name)) return join(folder, name)
  const into = join(folder, `${name}.part-${process.pid}`)
  await mkdir(into)
  try {
    const download = () => run('apt-get', ['download', '-qq', name], { cwd: into })
    await download().catch(async () => {
      await run('apt-get', ['update', '-qq'])
      await download()
    })
    const [archive = ''] = (await readdir(into)).filter((file) => file.endsWith('.deb'))
    await run('dpkg-deb', ['-x', join(into, archive), into])
    await rm(join(into, archive))
    // Another run may have been quicker.
    await rename(into, join(folder, name)).catch(() => {})
  } catch (error) {
    throw new Error(`Debian’s ${name} cannot be fetched, so no real script was tried.`, {
      cause: error,
    })
  } finally {
    await rm(into, { recursive: true, force: true })
  }
  return join(folder, name)
}
