// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { createClient } from '~/api/client'
import { ApiError } from '~/api/errors'
import {
  changePassword,
  changePermission,
  changePrivileges,
  createUser,
  listUsers,
  setActive,
} from '~/api/users'
import { textToBase64 } from '~/lib/bytes'
import { corpus, recorded, recordedResponse } from '../support/recorded'

/** A client of a server that gives one answer, and what it was asked. */
function answering(answer: () => Response = () => new Response('{}', json)) {
  const asked: { line: string; body: unknown }[] = []
  const client = createClient({
    baseURL: '/api',
    token: () => 'v2.public.x',
    fetch: async (input, init) => {
      const body =
        init?.body === undefined || init.body === null ? null : JSON.parse(String(init.body))
      asked.push({ line: `${init?.method} ${String(input)}`, body })
      return answer()
    },
  })
  return { client, asked }
}

const json = { headers: { 'content-type': 'application/json' } }

/** The request of a recording as our client would have sent it. */
function sent(name: string) {
  const { request } = recorded('users', name)
  return { line: `${request.method} ${request.path}`, body: request.body }
}

describe('the calls are those of the recordings', () => {
  test('name and password go as base64 where the server wants that', async () => {
    const { client, asked } = answering()
    await createUser(client, {
      user: 'alice',
      password: 'Passw0rd!',
      permission: 254,
      database: 'shop',
    })
    await changePassword(client, { user: 'carol', oldPassword: 'Passw0rd!', newPassword: 'x' })
    expect(asked).toEqual([sent('create admin'), sent('user changes own password')])
  })

  test('and as they are everywhere else', async () => {
    const { client, asked } = answering()
    await setActive(client, { user: 'weak', active: false })
    await setActive(client, { user: 'weak', active: true })
    const bob = { user: 'bob', database: 'ledger', permission: 1 }
    await changePermission(client, { action: 'GRANT', ...bob })
    await changePermission(client, { action: 'REVOKE', ...bob })
    await changePrivileges(client, {
      action: 'REVOKE',
      user: 'bob',
      database: 'shop',
      privileges: ['DROP'],
    })
    expect(asked).toEqual(
      [
        'deactivate',
        'reactivate',
        'grant second database',
        'revoke permission',
        'revoke sql privilege',
      ].map(sent),
    )
  })

  test('A15: passwords of the corpus go unchanged', async () => {
    for (const { name, text } of corpus('password')) {
      if (text === undefined) continue
      const { client, asked } = answering()
      await createUser(client, { user: 'a', password: text, permission: 1, database: 'shop' })
      expect(asked[0]?.body, name).toMatchObject({ password: Buffer.from(text).toString('base64') })
    }
    expect(textToBase64(' a ')).toBe('IGEg')
  })

  test('a write is sent once, whatever happens to its answer', async () => {
    const { client, asked } = answering(() => {
      throw new TypeError('fetch failed')
    })
    const sending = createUser(client, { user: 'a', password: 'b', permission: 1, database: 'c' })
    await expect(sending).rejects.toMatchObject({ kind: 'network', isOutcomeUnknown: true })
    expect(asked).toHaveLength(1)
  })
})

describe('answers', () => {
  const refusals: readonly (readonly [string, string])[] = [
    ['create duplicate', 'refused'],
    ['admin creates user on other database', 'permission'],
    ['sysadmin password wrong old', 'permission'],
    ['change permission without right', 'permission'],
    ['change permission of deactivated', 'refused'],
    ['user changes own password', 'refused'],
    ['deactivate oneself', 'refused'],
    ['privilege without permission', 'permission'],
  ]

  test.each(refusals)('“%s” is a refusal and never a lost session', async (name, kind) => {
    const { client } = answering(() => recordedResponse(recorded('users', name)))
    const sending = setActive(client, { user: 'a', active: true })
    const error = await sending.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ kind, isOutcomeUnknown: false })
  })

  test('F75: a user with nothing but a name is read with defaults', async () => {
    const read = (body: unknown) =>
      listUsers(answering(() => new Response(JSON.stringify(body), json)).client, { database: 'a' })
    expect(await read({ users: [{ user: 'Ym9i' }] })).toEqual([
      {
        user: 'bob',
        permissions: [],
        active: false,
        createdby: '',
        createdat: '',
        sqlPrivileges: [],
      },
    ])
    // Anyone who asks is always listed, and nobody is without a name.
    for (const wrong of [{}, { users: [] }, { users: [{}] }]) {
      await expect(read(wrong)).rejects.toMatchObject({ kind: 'bad-answer' })
    }
    await expect(read({ users: [{ user: '*' }] })).rejects.toMatchObject({ kind: 'bad-answer' })
  })
})
