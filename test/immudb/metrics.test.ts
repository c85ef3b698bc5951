// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { metricFamilies, metricsOf } from '~/immudb/metrics'
import { readExposition } from '~/lib/exposition'

const recording = JSON.parse(readFileSync('test/fixtures/immudb/metrics.json', 'utf8'))
const excerpt: string = recording.excerpt.join('\n')
const of = (text: string) => metricsOf(readExposition(text, metricFamilies))

describe('the metrics of an immudb', () => {
  test('as recorded from 1.11.1', () => {
    const metrics = of(excerpt)
    expect(metrics?.uptimeHours).toBeCloseTo(4.4267e-5)
    expect(metrics?.reserved).toBe(249_944_392)
    expect(metrics?.inUse).toBe(236_871_680 + 688_128)
    expect([metrics?.openFiles, metrics?.mostFiles, metrics?.sessions]).toEqual([53, null, 0])
    expect([...(metrics?.databases ?? [])]).toEqual([
      ['defaultdb', { size: 5478, tx: 0, indexLag: null }],
      ['systemdb', { size: 6441, tx: 1, indexLag: null }],
    ])
    expect([...(metrics?.calls ?? [])].map(([kind, { count }]) => [kind, count])).toEqual([
      ['sqlReads', 0],
      ['otherReads', 1],
      ['sqlWrites', 0],
      ['otherWrites', 1],
    ])
    expect(metrics?.calls.get('otherWrites')?.seconds).toBeCloseTo(0.0086)
  })

  test('sum up the methods of a kind; logins and states are neither reads nor writes', () => {
    const line = (method: string, count: number) =>
      `grpc_server_handling_seconds_count{grpc_method="${method}"} ${count}`
    const metrics = of(
      `immudb_uptime_hours 1\n${[
        line('SQLQuery', 1),
        line('UnarySQLQuery', 2),
        line('Scan', 4),
        line('SearchDocuments', 8),
        line('SQLExec', 16),
        line('InsertDocuments', 32),
        line('VerifiableSet', 64),
        line('Login', 1_000),
        line('CurrentState', 1_000),
        line('__proto__', 1_000),
      ].join('\n')}`,
    )
    expect([...(metrics?.calls ?? [])].map(([kind, { count }]) => [kind, count])).toEqual([
      ['sqlReads', 3],
      ['otherReads', 12],
      ['sqlWrites', 16],
      ['otherWrites', 96],
    ])
  })

  test('without histograms count calls by their results', () => {
    const metrics = of(
      'immudb_uptime_hours 1\ngrpc_server_handled_total{grpc_code="OK",grpc_method="Set"} 3\ngrpc_server_handled_total{grpc_code="Unknown",grpc_method="Set"} 2',
    )
    expect(metrics?.calls.get('otherWrites')).toEqual({ count: 5, seconds: 0 })
  })

  test('the lag of a database is that of its slowest index', () => {
    const metrics = of(`immudb_uptime_hours 1
immudb_last_committed_trx_id{db="a",index="index_00"} 43
immudb_last_committed_trx_id{db="a",index="index_01"} 43
immudb_last_committed_trx_id{db="a",index="index_02"} 43
immudb_last_indexed_trx_id{db="a",index="index_00"} 43
immudb_last_indexed_trx_id{db="a",index="index_01"} 40
immudb_last_committed_trx_id{db="__proto__",index="index_00"} 7
immudb_last_indexed_trx_id{db="__proto__",index="index_00"} 9`)
    expect(metrics?.databases.get('a')?.indexLag).toBe(3)
    expect(metrics?.databases.get('__proto__')?.indexLag).toBe(0)
  })

  test.each([
    ['nothing', ''],
    ['another program of Go', 'go_memstats_sys_bytes 1\ngo_memstats_heap_inuse_bytes 1'],
    ['a page', '<!doctype html><h1>immudb_uptime_hours 1</h1>'],
  ])('F70 are not those of %s', (_what, text) => {
    expect(of(text)).toBeNull()
  })
})
