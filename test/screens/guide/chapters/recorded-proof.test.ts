// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { verify } from '~/proof/kernel/verify'
import { tamperProof } from '~/screens/guide/chapters/recorded-proof'
import { verifying } from '~/screens/guide/chapters/verifying'
import { vectorsOf } from '../../../support/proofs'

const recorded = (name: string) => {
  const found = vectorsOf('03-kv').find((vector) => vector.name === name)
  if (!found) throw new Error(`${name} is not recorded`)
  return found
}

/** Without the signature, for which the example has no key. */
function unsigned(response: unknown): unknown {
  const copy = structuredClone(response) as { verifiableTx: { signature?: unknown } }
  delete copy.verifiableTx.signature
  return copy
}

describe('the example of a proof', () => {
  test.each([
    ['none', 'get-latest'],
    ['value', 'get-latest/value'],
    ['history', 'get-latest/trusted'],
  ] as const)('“%s” is the recorded answer %s', async (change, name) => {
    const vector = recorded(name)
    const example = tamperProof(change)
    expect(example.response).toEqual(unsigned(vector.response))
    expect(example.request).toEqual(vector.request)
    expect(example.context).toEqual({ ...vector.context, publicKey: null })
  })

  test('holds as it came and fails at the step that was changed', async () => {
    const outcome = (change: Parameters<typeof tamperProof>[0]) => {
      const { context, request, response } = tamperProof(change)
      return verify('get', context, request, response).then(
        ({ verdict, firstUse }) => ({ verdict, firstUse }),
        ({ reason, step }) => ({ reason, step }),
      )
    }
    expect(await outcome('none')).toEqual({ verdict: 'ok', firstUse: false })
    expect(await outcome('value')).toEqual({ reason: 'entry-not-included', step: 'entry' })
    expect(await outcome('history')).toEqual({ reason: 'history-changed', step: 'link' })
  })

  test('is offered in the guide, each of the three', () => {
    const blocks = verifying.sections.flatMap((section) => section.blocks)
    const changes = blocks.flatMap((block) =>
      typeof block !== 'string' && block.kind === 'proof'
        ? block.cases.map(({ change }) => change)
        : [],
    )
    expect(changes).toEqual(['none', 'value', 'history'])
  })
})
