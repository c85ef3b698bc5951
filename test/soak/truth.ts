import { type Api, api } from '../support/api'
import type { ImmudbServer } from '../support/immudb'
import { base64 } from '../support/keys-page'
import { type Database, databases, type Intent, keyOf, userOf } from './intent'

/** What the server really holds, asked past the faults and without the console. */
export class Truth {
  readonly #server: ImmudbServer
  readonly #clients = new Map<Database, Api>()

  constructor(server: ImmudbServer) {
    this.#server = server
  }

  /** The tables that the intents go to, in each database. */
  async prepare(): Promise<void> {
    const admin = await api(this.#server.url)
    for (const database of databases) {
      if (database !== 'defaultdb') await admin.createDatabase(database)
      const db = await this.#client(database)
      await db.exec('CREATE TABLE soak (id INTEGER, note VARCHAR[64], PRIMARY KEY id);')
      await db.exec(
        'CREATE TABLE counted (id INTEGER AUTO_INCREMENT, note VARCHAR[64], PRIMARY KEY id);',
      )
      await db.exec('CREATE TABLE tally (id INTEGER, n INTEGER, note VARCHAR[64], PRIMARY KEY id);')
      await db.exec('INSERT INTO tally (id, n) VALUES (1, 0);')
    }
  }

  /** How often the server holds the intent. */
  timesStored(intent: Intent): Promise<number> {
    const { kind, number, database } = intent
    const note = `'intent-${number}.'`
    switch (kind) {
      case 'insert':
        return this.#count(database, `soak WHERE id = ${number}`)
      case 'counted':
        return this.#count(database, `counted WHERE note = ${note}`)
      case 'update':
        return this.#count(database, `(HISTORY OF tally) WHERE note = ${note}`)
      case 'key':
        return this.#revisions(database, keyOf(intent))
      case 'user':
        return this.#users(userOf(intent))
    }
  }

  rows(database: Database): Promise<number> {
    return this.#count(database, 'soak')
  }

  txId(database: Database): Promise<number> {
    return this.#ask(database, (db) => db.txId())
  }

  async #count(database: Database, from: string): Promise<number> {
    const rows = await this.#ask(database, (db) => db.query(`SELECT COUNT(*) FROM ${from};`))
    return Number(rows[0]?.[0]?.n)
  }

  async #revisions(database: Database, key: string): Promise<number> {
    const body = { prefix: base64(key) }
    const found = await this.#ask(database, (db) =>
      db.call<{ entries?: { revision?: string }[] }>('/db/scan', body),
    )
    if (!found.entries) return 0
    const { entries = [] } = await this.#ask(database, (db) =>
      db.call<{ entries?: unknown[] }>('/db/history', { key: base64(key) }),
    )
    return entries.length
  }

  async #users(name: string): Promise<number> {
    const { users = [] } = await this.#ask('defaultdb', (db) =>
      db.call<{ users?: { user: string }[] }>('/user/list'),
    )
    return users.filter(({ user }) => user === base64(name)).length
  }

  /** Asks until the server is there; a restart forgets tokens. */
  async #ask<T>(database: Database, question: (db: Api) => Promise<T>): Promise<T> {
    const deadline = performance.now() + 60_000
    for (;;) {
      try {
        return await question(await this.#client(database))
      } catch (error) {
        if (performance.now() > deadline) throw error
        this.#clients.clear()
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
  }

  async #client(database: Database): Promise<Api> {
    const known = this.#clients.get(database)
    if (known) return known
    const client = await api(this.#server.url, { database })
    this.#clients.set(database, client)
    return client
  }
}
