// @vitest-environment node
import { describe, expect, test, vi } from 'vitest'
import { createClient } from '~/api/client'
import { readDockerToken, readManifest, readStars } from '~/api/outside-immudb'

/** A client of which every request is answered alike, and what it sent. */
function clientOf(body: string, status = 200) {
  const sent: { url: string; method: string; headers: Headers }[] = []
  const fetch = vi.fn(async (input: RequestInfo | URL, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    sent.push({ url: String(input), method: init?.method ?? 'GET', headers })
    return new Response(body, { status })
  })
  return { client: createClient({ baseURL: '/api', fetch, token: () => 'v2.public.x' }), sent }
}

describe('what is no call of the database', () => {
  test('the docker token: GET /token of its own service, without our token', async () => {
    const { client, sent } = clientOf('{"token":"docker-1","more":1}')
    expect(await readDockerToken(client, 'https://tokens.example')).toBe('docker-1')
    expect(sent).toMatchObject([{ url: 'https://tokens.example/token', method: 'GET' }])
    expect([...(sent[0]?.headers.keys() ?? [])]).toEqual([])
  })

  test('the stars: JSON of the code-hosting API, without our token', async () => {
    const { client, sent } = clientOf('{"stargazers_count":8901,"name":"immudb"}')
    expect(await readStars(client, 'https://api.example/repos/a/b')).toBe(8901)
    expect(sent).toMatchObject([{ url: 'https://api.example/repos/a/b', method: 'GET' }])
    expect([...(sent[0]?.headers.keys() ?? [])]).toEqual([])
  })

  test('the manifest lies beside the page, not below the API', async () => {
    const manifest = { version: '1', commit: 'dev', entry: 'assets/main.js', files: [] }
    const { client, sent } = clientOf(JSON.stringify(manifest))
    expect(await readManifest(client)).toEqual(manifest)
    expect(sent).toMatchObject([{ url: '/manifest.json', method: 'GET' }])
  })

  test.each([
    [200, 'no JSON', 'bad-answer'],
    [200, '{}', 'bad-answer'],
    [404, '{}', 'unavailable'],
    [406, '{}', 'docker-token'],
    [410, '{}', 'docker-token'],
  ])('an answer %i of “%s” is a failure', async (status, body, kind) => {
    const { client } = clientOf(body, status)
    await expect(readDockerToken(client, 'https://tokens.example')).rejects.toMatchObject({ kind })
  })
})
