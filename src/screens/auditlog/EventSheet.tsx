import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { openEventProof } from '~/atoms/auditlog/proof'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import {
  type AuditEvent,
  auditKinds,
  type EventContent,
  eventInstant,
  eventTime,
  splitAddress,
} from '~/immudb/audit-event'
import { base64ToText } from '~/lib/bytes'
import { formatTx, shorten } from '~/lib/text'
import { formatElapsed, formatMoment } from '~/lib/time'
import { Button } from '~/ui/Button'
import { Fact, Facts } from '~/ui/Facts'
import { ShieldIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { Sheet } from '~/ui/Sheet'
import { Outcome, User } from './AuditGrid'
import { useAuditAddress } from './address'
import { kindNames } from './words'

type Props = { event: AuditEvent; onClose: () => void }

/** Everything about one event but its session ID. */
export function EventSheet({ event, onClose }: Props) {
  const { content, tx } = event
  const zone = useAtomValue(timezoneAtom)
  const prove = useAct(openEventProof)
  const time = eventTime(event)
  const verify = () => {
    onClose()
    void prove(event)
  }
  return (
    <Sheet
      footer={
        <>
          <Button icon={<ShieldIcon />} onClick={verify}>
            Verify
          </Button>
          {content && <Filters content={content} onClose={onClose} />}
        </>
      }
      onClose={onClose}
      open
      side="right"
      title={content ? `Event: ${content.method}` : 'Event that cannot be read'}
    >
      <div className="grid grid-cols-1 gap-4 px-4 py-4">
        <Facts>
          <Fact name="Time">
            {time === null ? 'not known' : formatMoment(time, zone)}
            <div className="font-mono text-muted">{eventInstant(event)}</div>
          </Fact>
          {content && <ContentFacts content={content} />}
          <Fact name="Transaction">
            <span className="font-mono">tx {formatTx(tx)}</span> of{' '}
            <code translate="no" className="font-mono">
              systemdb
            </code>
          </Fact>
          <Fact name="Key">
            <code translate="no" className="font-mono">
              <SafeText text={keyText(event.key)} />
            </code>
          </Fact>
        </Facts>
        {!content && (
          <p className="text-muted text-sm">
            The stored value is not an event that this console can read. It is not shown, because it
            may hold a session ID. You can still verify it.
          </p>
        )}
        {content && <AddressNote content={content} />}
      </div>
    </Sheet>
  )
}

function keyText(key: string): string {
  try {
    return base64ToText(key)
  } catch {
    return key
  }
}

function ContentFacts({ content }: { content: EventContent }) {
  const { claimed, seen } = splitAddress(content.address)
  return (
    <>
      <Fact name="User">
        <User content={content} />
      </Fact>
      <Fact name="Method">
        <code translate="no" className="font-mono">
          <SafeText text={content.path} />
        </code>
      </Fact>
      <Fact name="Kind">
        <SafeText text={kindOf(content)} />
      </Fact>
      <Fact name="Outcome">
        <Outcome burst={undefined} content={content} />
      </Fact>
      {content.error !== '' && (
        <Fact name="Error">
          <SafeText text={shorten(content.error)} />
        </Fact>
      )}
      <Fact name="Duration">{formatElapsed(content.duration)}</Fact>
      <Fact name="Claimed by the client">
        {claimed.length === 0 ? 'nothing' : <Code>{claimed.join(', ')}</Code>}
      </Fact>
      <Fact name="Seen">{seen === null ? 'not noted' : <Code>{seen}</Code>}</Fact>
      <Fact name="Database">
        {content.database === '' ? (
          '– (the server never fills it in)'
        ) : (
          <SafeText text={content.database} />
        )}
      </Fact>
      <Fact name="Session">
        {content.hasSession ? 'ID hidden, because it may still give access' : 'none'}
      </Fact>
    </>
  )
}

function kindOf({ kind }: EventContent): string {
  const known = auditKinds.find((one) => one === kind)
  return known ? kindNames[known] : kind
}

function Code({ children }: { children: string }): ReactNode {
  return (
    <code translate="no" className="font-mono">
      <SafeText text={children} />
    </code>
  )
}

function AddressNote({ content: { address } }: { content: EventContent }) {
  return (
    <p className="text-muted text-sm">
      {address === '['
        ? 'This caller came over gRPC and IPv6. The server cuts such addresses off.'
        : 'The server notes the last address itself. A caller over gRPC, or with headers that a proxy lets through, can forge that one too. Behind a proxy it is the address of the proxy.'}
    </p>
  )
}

function Filters({ content, onClose }: { content: EventContent; onClose: () => void }) {
  const { set } = useAuditAddress()
  const { seen } = splitAddress(content.address)
  const only = (parts: Parameters<typeof set>[0]) => {
    onClose()
    set(parts)
  }
  return (
    <>
      {content.user !== '' && (
        <Button onClick={() => only({ user: content.user })} variant="quiet">
          Only this user
        </Button>
      )}
      {seen !== null && (
        <Button onClick={() => only({ address: seen })} variant="quiet">
          Only this address
        </Button>
      )}
    </>
  )
}
