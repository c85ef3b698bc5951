import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import {
  type ComparedPair,
  type ComparedServer,
  compareAllHistories,
  type ForkCertificate,
  forkFile,
  type Histories as HistoriesNow,
  historiesAtom,
  pairVerdictAtom,
  stopHistories,
} from '~/atoms/servers/histories'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { technicalDetails } from '~/core/session/failure-words'
import { formatTx } from '~/lib/text'
import { formatClock } from '~/lib/time'
import { type Judged, toneOf } from '~/proof/verdict'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { FactLine } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { TxLink } from '~/ui/TxLink'
import { historyWords } from '~/words/histories'
import { VerdictIcon } from '../proof/VerdictNote'
import { VerifyPageOffer } from '../proof/VerifyPageOffer'

type Props = {
  /** Those that hold the database, each with its client. */
  servers: readonly ComparedServer[]
  /** The choice of another database. */
  choice?: ReactNode
  /** The server that this page shows, whose transactions can be opened. */
  openServer?: string | undefined
}

/** Compares the histories of a database on several servers. */
export function Histories({ servers, choice, openServer }: Props) {
  const last = useAtomValue(historiesAtom)
  // What was found about another database stays until it is compared again.
  const databases = new Set(servers.map(({ database }) => database))
  const isOfThese =
    last?.databases.length === databases.size && last.databases.every((one) => databases.has(one))
  const histories = isOfThese ? last : null
  const compare = useAct(compareAllHistories)
  const stop = useAct(stopHistories)
  const verdictOfPair = useAtomValue(pairVerdictAtom)
  const timezone = useAtomValue(timezoneAtom)
  const isRunning = histories?.state === 'running'
  const isFew = servers.length < 2
  return (
    <section aria-labelledby="histories" className="grid grid-cols-1 gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-medium" id="histories">
          Same history?
        </h2>
        {choice}
        <span className="ms-auto flex gap-2">
          {isRunning && <Button onClick={() => stop()}>Cancel</Button>}
          <Button
            busy={isRunning}
            disabledReason={isFew ? 'Fewer than two servers hold this database.' : undefined}
            onClick={() => void compare(servers)}
            variant="primary"
          >
            Compare histories
          </Button>
        </span>
      </header>
      <p className="max-w-[680px] text-muted text-sm">
        Each server is compared with the one that has the most transactions, by proofs that this
        browser checks. Servers learn only numbers of transactions from each other.
      </p>
      {histories && (
        <>
          <p role="status">{progressText(histories)}</p>
          {histories.pairs.length > 0 && (
            <ul aria-label="Histories" className="grid grid-cols-1 gap-2">
              {worstFirst(histories.pairs).map((pair) => (
                <Pair
                  judged={verdictOfPair(pair, servers)}
                  key={pair.server}
                  openServer={openServer}
                  pair={pair}
                />
              ))}
            </ul>
          )}
          {!isRunning && (
            <p className="text-muted text-sm">
              By the states of {formatClock(histories.at, timezone)}.
            </p>
          )}
        </>
      )}
    </section>
  )
}

function progressText({ state, pairs, of, now }: HistoriesNow): string {
  const done = `${pairs.length} of ${of} compared.`
  if (state === 'stopped') return `Stopped. ${done}`
  if (state === 'done') return `Done. ${done}`
  if (now === null) return `Reading the states. ${done}`
  const pair = `${done} Comparing ${now.server} with ${now.other}`
  return now.to === ''
    ? `${pair}.`
    : `${pair}: looking for the fork from tx ${formatTx(now.from)} to tx ${formatTx(now.to)}.`
}

/** What needs a look comes first. */
const ranks = { forked: 0, unproven: 1, apart: 2, behind: 3, same: 4 } as const

const worstFirst = (pairs: HistoriesNow['pairs']) =>
  [...pairs].sort((one, other) => ranks[one.found.kind] - ranks[other.found.kind])

type PairProps = { pair: ComparedPair; openServer: string | undefined }

function Pair({ judged, pair, openServer }: PairProps & { judged: Judged | null }) {
  const { server, other, found } = pair
  const { tone, word, text } = historyWords(pair)
  return (
    <li className="grid grid-cols-1 gap-1.5 rounded border border-line bg-panel px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <b className="break-all font-medium">
          <SafeText text={server} />
        </b>
        {other !== null && (
          <span className="break-all text-muted">
            compared with <SafeText text={other} />
          </span>
        )}
        {judged ? <Same judged={judged} word={word} /> : <Badge tone={tone}>{word}</Badge>}
      </p>
      <p className="max-w-[680px]">
        <SafeText text={text} />
        {judged?.cause === 'broken' && ' This browser found that history broken.'}
      </p>
      {(found.kind === 'forked' || found.kind === 'apart') && (
        <ForkFound found={found} openServer={openServer} pair={pair} />
      )}
    </li>
  )
}

function Same({ judged, word }: { judged: Judged; word: string }) {
  const tone = toneOf(judged)
  return (
    <Badge icon={<VerdictIcon tone={tone} />} tone={tone}>
      {judged.cause === 'broken' ? 'Same broken history' : word}
    </Badge>
  )
}

type ForkProps = PairProps & { found: Extract<ComparedPair['found'], { kind: 'forked' | 'apart' }> }

function ForkFound({ found, pair: { server, other }, openServer }: ForkProps) {
  const { after, prevAlh, sides } = found.facts
  const first = String(BigInt(after) + 1n)
  const names = [server, other ?? '']
  const openSide = sides[names.indexOf(openServer ?? '')]
  const tx = (id: string) =>
    openSide ? <TxLink database={openSide.db} id={id} /> : `tx ${formatTx(id)}`
  return (
    <>
      <dl className="grid grid-cols-1 gap-1">
        {after !== '0' && (
          <FactLine name="Last of both">
            {tx(after)} <Hash hash={prevAlh} what="hash of the last common transaction" />
          </FactLine>
        )}
        {sides.map((side, index) => (
          <FactLine key={side.alh} name={`On ${names[index]}`}>
            {side === openSide ? tx(first) : `tx ${formatTx(first)}`}{' '}
            <Hash hash={side.alh} what={`hash on ${names[index]}`} />
          </FactLine>
        ))}
      </dl>
      {found.kind === 'forked' && <Certificate {...found} />}
    </>
  )
}

function Certificate({ certificate, server }: ForkCertificate) {
  if (!certificate) {
    return (
      <p className="max-w-[680px] text-muted text-sm">
        There is no certificate, because the databases have different names. Only settings say that
        one copies the other, and no proof covers settings.
      </p>
    )
  }
  return (
    <div className="flex flex-wrap gap-2">
      <SaveButton
        details={technicalDetails}
        saved={<VerifyPageOffer />}
        size="small"
        text="Save fork certificate"
        what="The certificate"
        write={async () => [forkFile(certificate, server)]}
      />
    </div>
  )
}
