import type { Context } from '~/proof/kernel/context'
import type { ProofCase } from '../guide'

/**
 * An answer of an immudb 1.11.1 as it was recorded, for the key `alphad1` and the transaction 14 that
 * was trusted then. This file is data.
 */
const context: Context = {
  db: 'kvd1',
  trusted: { txId: '14', txHash: '24kgviIl912w7VlZxkO2vbKYRfQ9awXRAmlmqGafDJU=' },
  publicKey: null,
}

const request = { keyRequest: { key: 'YWxwaGFkMQ==' }, proveSinceTx: '14' }

const response = {
  entry: { tx: '2', key: 'YWxwaGFkMQ==', value: 'dHdv', revision: '2' },
  verifiableTx: {
    tx: {
      header: {
        id: '2',
        prevAlh: 'AN9ER2urxijqfgiV67olOMdfvvvvDLwdJiFRaLi2wYA=',
        ts: '1795254676',
        nentries: 1,
        eH: 'bNxbfO4YwNKD517/a+b25F4B48lMydgRdpxWIag0rhE=',
        blTxId: '1',
        blRoot: 'TKrkYMI/JTXZN55yD2uTRZxuA2n21p+/+eT6ihHPg+I=',
        version: 1,
        metadata: {},
      },
      entries: [
        { key: 'AGFscGhhZDE=', hValue: 'qxq38Hx8j+Dv9LpvqlPH5EEukaWZFT6KpOAb7s5beCU=', vLen: 4 },
      ],
    },
    dualProof: {
      sourceTxHeader: {
        id: '2',
        prevAlh: 'AN9ER2urxijqfgiV67olOMdfvvvvDLwdJiFRaLi2wYA=',
        ts: '1795254676',
        nentries: 1,
        eH: 'bNxbfO4YwNKD517/a+b25F4B48lMydgRdpxWIag0rhE=',
        blTxId: '1',
        blRoot: 'TKrkYMI/JTXZN55yD2uTRZxuA2n21p+/+eT6ihHPg+I=',
        version: 1,
        metadata: {},
      },
      targetTxHeader: {
        id: '14',
        prevAlh: 'c5IyGJbfNKJrWoOH13xoFW5/Os6QGRWW2dzG4w02FKo=',
        ts: '1795254676',
        nentries: 1,
        eH: '0TCunhiANpOzHNx9IDrFXH07czjZCOeM5b73SWxQJp8=',
        blTxId: '13',
        blRoot: 'dopKvi7o0ML+LCQwe903C3pKMCr+EQvxUnZCsm8EmUg=',
        version: 1,
      },
      inclusionProof: [
        'TKrkYMI/JTXZN55yD2uTRZxuA2n21p+/+eT6ihHPg+I=',
        'JJyKNV1oG2CJQgzOmDy8ylZestaeUdd+DbsQU3EDs+E=',
        'W2uvqSDinVRwFHcFuNJAcxrggcZEeaoXUeJpAMZW5nA=',
        'u0yZfGRz3xmPaw5z1FZgpEdTNEyG/JXouOXudKnVsVk=',
      ],
      consistencyProof: [
        'TKrkYMI/JTXZN55yD2uTRZxuA2n21p+/+eT6ihHPg+I=',
        '1KcbOY78LT1ky00bY16MfkTuC9qt4G5zRFgIEuwt5Pg=',
        'JJyKNV1oG2CJQgzOmDy8ylZestaeUdd+DbsQU3EDs+E=',
        'W2uvqSDinVRwFHcFuNJAcxrggcZEeaoXUeJpAMZW5nA=',
        'u0yZfGRz3xmPaw5z1FZgpEdTNEyG/JXouOXudKnVsVk=',
      ],
      targetBlTxAlh: 'c5IyGJbfNKJrWoOH13xoFW5/Os6QGRWW2dzG4w02FKo=',
      lastInclusionProof: [
        'EgUERYdj/7rqmL8C0LRt+htB8QgqwfMB97xabkkMUmE=',
        'sg9ouBandOLPELut4+vMcm5IrMdKZN7zB681CbyIJ0c=',
      ],
      linearProof: {
        sourceTxId: '13',
        TargetTxId: '14',
        terms: [
          'c5IyGJbfNKJrWoOH13xoFW5/Os6QGRWW2dzG4w02FKo=',
          'eGo95xXJOZkfXGCnITAIAauM+X3AOumPj+fO+T6FPqQ=',
        ],
      },
    },
  },
  inclusionProof: { width: 1 },
}

/** `three` in the place of `two`. */
const otherValue = 'dGhyZWU='

/** The trusted state as if the server had been restored and had continued differently. */
const otherHash = '2okgviIl912w7VlZxkO2vbKYRfQ9awXRAmlmqGafDJU='

/** The answer as it was, or with a change that someone might make to show something else. */
export function tamperProof(change: ProofCase['change']) {
  const entry = { ...response.entry, value: otherValue }
  const trusted = { txId: '14', txHash: otherHash }
  return {
    context: change === 'history' ? { ...context, trusted } : context,
    request,
    response: change === 'value' ? { ...response, entry } : response,
  }
}
