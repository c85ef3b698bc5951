import type { Api } from './api'

/** Rows go in by portions: a transaction holds at most 1,024 entries. */
const portion = 500

/** A table with an INTEGER key `id` from 1 and so many columns in all, `c2` onwards, as text. */
export async function createWideTable(db: Api, name: string, rows: number, columns: number) {
  const names = Array.from({ length: columns - 1 }, (_, index) => `c${index + 2}`)
  const types = names.map((column) => `${column} VARCHAR`)
  await db.exec(`CREATE TABLE ${name} (id INTEGER, ${types.join(', ')}, PRIMARY KEY id);`)
  for (let first = 1; first <= rows; first += portion) {
    const last = Math.min(rows, first + portion - 1)
    const values = Array.from({ length: last - first + 1 }, (_, index) => {
      const id = first + index
      return `(${id}, ${names.map((column) => `'${column} of ${id}'`).join(', ')})`
    })
    await db.exec(`INSERT INTO ${name} (id, ${names.join(', ')}) VALUES ${values.join(', ')};`)
  }
}

/** A small table `t (id, name, amount)` with one of each: text, empty text, NULL and zero. */
export async function createSmallTable(db: Api, name = 't') {
  await db.exec(
    `CREATE TABLE ${name} (id INTEGER, name VARCHAR[64], amount INTEGER, PRIMARY KEY id);`,
  )
  await db.exec(
    `INSERT INTO ${name} (id, name, amount) VALUES (1, 'a1', 0), (2, '', 9007199254740993), (3, NULL, NULL);`,
  )
}
