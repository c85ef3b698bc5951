// @vitest-environment node
import { it } from 'vitest'
import { tokenize } from '~/sql/tokens'
import { splitStatements } from '~/sql/statements'
import { checkNumbers } from '~/sql/numbers'
import { prepareSql } from '~/sql/send'
import { readResult } from '~/sql/result'
it('perf', () => {
  const big = "INSERT INTO orders(id, note) VALUES (1, 'text; with ''quotes''');\n".repeat(16000)
  const one = `INSERT INTO orders(id, note) VALUES ${"(1, 'text; with ''quotes''', \"abc\"),\n".repeat(30000)} (1,'')`
  const answer = JSON.parse(JSON.stringify({ columns: Array.from({ length: 20 }, (_, i) => ({ name: `(t.c${i})`, type: i % 2 ? 'INTEGER' : 'VARCHAR' })), rows: Array.from({ length: 2500 }, (_, r) => ({ values: Array.from({ length: 20 }, (_, i) => i % 2 ? { n: String(r) } : { s: 'abc ' + r }) })) }))
  for (let k = 0; k < 4; k++) {
    const t = [performance.now()]
    const tokens = tokenize(big); t.push(performance.now())
    splitStatements(big); t.push(performance.now())
    checkNumbers(big); t.push(performance.now())
    prepareSql(one, { names: new Set() }, 'automatic'); t.push(performance.now())
    readResult(answer); t.push(performance.now())
    console.log(tokens.length, 'tokenize,split,numbers,prepare1MB,readResult', t.slice(1).map((x, i) => (x - t[i]!).toFixed(1)).join(' '))
  }
})
