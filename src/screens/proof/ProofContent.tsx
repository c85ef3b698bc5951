import type { ReactNode } from 'react'
import type { ComparedPart } from '~/atoms/trust/proof-drawer'
import type {
  AuditFacts,
  DocumentFacts,
  GetFacts,
  RowFacts,
  StateFacts,
  TxFacts,
} from '~/proof/facts'
import type { Kind } from '~/proof/verify'
import { DocumentContent } from './DocumentContent'
import { KeyContent } from './KeyContent'
import { RowContent } from './RowContent'
import { StateContent } from './StateContent'
import { TxContent } from './TxContent'

type Props = {
  kind: Kind
  facts: object
  /** What a screen had shown of the same. */
  compared?: readonly ComparedPart[] | undefined
}

/** What is proven, made of the proven bytes. Facts and the kind they belong to go together. */
export function ProofContent({ kind, facts, compared }: Props): ReactNode {
  switch (kind) {
    case 'row':
      return <RowContent compared={compared} facts={facts as RowFacts} />
    case 'get':
      return <KeyContent facts={facts as GetFacts} />
    case 'tx':
    case 'write':
      return <TxContent facts={facts as TxFacts} />
    case 'document':
      return <DocumentContent facts={facts as DocumentFacts} />
    case 'state':
      return <StateContent facts={facts as StateFacts} />
    case 'audit':
      return <StateContent facts={facts as AuditFacts} />
  }
  return null
}
