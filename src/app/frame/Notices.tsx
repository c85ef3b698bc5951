import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { leaveDatabase } from '~/atoms/databases/database-list'
import { workOnDatabase, worksAtom } from '~/atoms/databases/operations'
import { levelOnAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { outageAtom, stateAtom } from '~/core/history/newest-state'
import { timezoneAtom } from '~/core/page-view'
import { bannerAtom, bannerCookie, putBannerAside } from '~/core/session/banner'
import { sentence } from '~/core/session/failure-words'
import { isOldSaidAtom, knownAsAtom, reportedVersionAtom } from '~/core/session/server-version'
import {
  askAgainAtom,
  databaseAtom,
  lostDatabaseAtom,
  type OpenMode,
  proxyAtom,
  sessionAtom,
  troubleAtom,
  troublesAtom,
} from '~/core/session/session'
import { noticeAtom } from '~/core/storage/notice'
import { refusalFor } from '~/immudb/permission'
import { bannerDelay, bannerLook } from '~/lib/constants'
import { readCookie } from '~/lib/cookies'
import { pathTo, pathToAbout, pathToPassword } from '~/lib/paths'
import { asSentence } from '~/lib/text'
import { formatClock } from '~/lib/time'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { CloseIcon, InfoIcon, LockIcon, OfflineIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Link } from '~/ui/Link'
import { useNavigate } from '~/ui/location'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { showToast } from '~/ui/toast'
import { OfServers } from '../servers/OfServers'

// Outside React: time and the address.

const storageNotices = {
  unavailable:
    'This browser keeps nothing for this page: settings and drafts last until the tab is closed.',
  silent:
    'The storage of this browser fails to answer: until it does, the newest settings and drafts last until the tab is closed.',
  failing:
    'The storage of this browser fails: the newest settings and drafts last until the tab is closed.',
  full: 'This browser has no room left: the newest settings and drafts last until the tab is closed.',
}

/** Lines above the footer about things that concern every screen. */
export function Notices() {
  const outage = useAtomValue(outageAtom)
  const proxy = useAtomValue(proxyAtom)
  const { dataUpdatedAt } = useAtomValue(stateAtom)
  const timezone = useAtomValue(timezoneAtom)
  const storage = useAtomValue(noticeAtom)
  const database = useAtomValue(databaseAtom)
  const lost = useAtomValue(lostDatabaseAtom)
  const trouble = useAtomValue(troubleAtom)
  const isLostGone = useAtomValue(troublesAtom).get(lost ?? '') === 'gone'
  return (
    <div aria-live="polite">
      <OfServers part="notices" />
      {proxy && <ProxyLogin words={sentence(proxy)} />}
      {outage && !proxy && (
        <p className="flex items-center gap-2 border-warning border-t bg-panel px-3 py-1.5 text-warning">
          <OfflineIcon />
          <Sentence text={sentence(outage)} />{' '}
          {dataUpdatedAt > 0 && `What you see is from ${formatClock(dataUpdatedAt, timezone)}. `}
          The console keeps trying.
        </p>
      )}
      {lost !== null && database !== null && (
        <p className="flex items-center gap-2 border-line border-t bg-panel px-3 py-1.5">
          <WarningIcon />{' '}
          <SafeText
            text={`${lost} ${isLostGone ? 'no longer exists' : 'could not be opened again'}. You are in ${database} now.`}
          />
        </p>
      )}
      {trouble && database !== null && <DatabaseTrouble database={database} trouble={trouble} />}
      {storage && (
        <p className="flex items-center gap-2 border-line border-t bg-panel px-3 py-1.5 text-muted">
          <WarningIcon /> {storageNotices[storage]}
        </p>
      )}
      <OldServer />
    </div>
  )
}

/** Says after a login that the server is older than any that was tried, and where to read on. */
function OldServer() {
  const { kind } = useAtomValue(knownAsAtom)
  const version = useAtomValue(reportedVersionAtom)
  const [isSaid, say] = useAtom(isOldSaidAtom)
  if (kind !== 'older' || isSaid) return null
  return (
    <div className="flex items-center gap-2 border-line border-t bg-panel px-3 py-1">
      <InfoIcon className="shrink-0 text-info" />
      <p className="min-w-0 grow py-0.5">
        <SafeText text={`immudb ${version}`} /> is older than this console is tested with. What it
        lacks is switched off.{' '}
        <Link className="text-primary underline" to={pathToAbout}>
          See what
        </Link>
      </p>
      <IconButton
        icon={<CloseIcon />}
        label="Close the note on the version"
        onClick={() => say(true)}
        size="small"
      />
    </div>
  )
}

/** The log-in opens beside this page, whose work and session stay as they are. */
function ProxyLogin({ words }: { words: string }) {
  const { ask } = useAtomValue(askAgainAtom)
  return (
    <div className="flex items-center gap-2 border-warning border-t bg-panel px-3 py-1 text-warning">
      <OfflineIcon className="shrink-0" />
      <p className="min-w-0 grow py-0.5">
        {words} Your session here and your work are kept.{' '}
        <a className="underline" href={location.href} rel="noopener noreferrer" target="_blank">
          Log in at the proxy, in a new tab
        </a>
      </p>
      <Button onClick={ask} size="small">
        Try again
      </Button>
    </div>
  )
}

type Props = { database: string; trouble: 'unloaded' | 'gone' }

/** Says that the database of this tab cannot be used, and what to do. */
export function DatabaseTrouble({ database, trouble }: Props) {
  return trouble === 'gone' ? <Gone database={database} /> : <Unloaded database={database} />
}

function Unloaded({ database }: { database: string }) {
  const level = useAtomValue(levelOnAtom)(database)
  const work = useAct(workOnDatabase)
  const isBusy = useAtomValue(worksAtom).has(database)
  const load = async () => {
    const report = await work(database, { kind: 'load' })
    if (report && report.status !== 'done') {
      showToast({ kind: 'error', text: `${database}: ${report.text}` })
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-warning border-t bg-panel px-3 py-1 text-warning">
      <WarningIcon />
      <p className="min-w-0 grow py-0.5">
        The database <SafeName text={database} /> is unloaded: nothing in it can be read or written.
      </p>
      <Button
        busy={isBusy}
        disabledReason={refusalFor(level, 'change database')}
        onClick={() => void load()}
        size="small"
      >
        Load it
      </Button>
    </div>
  )
}

/** Opens another database and goes to the list, because nothing on this screen can work. */
function Gone({ database }: { database: string }) {
  const leave = useAct(leaveDatabase)
  const navigate = useNavigate()
  useEffect(() => {
    leave(database)
      .then((next) => navigate(pathTo('databases', next === null ? {} : { db: next })))
      .catch(() => {
        // The server is away; what is known of the database stays until it answers again.
      })
  }, [database, leave, navigate])
  return null
}

/** Says that nobody logs in at this server, and what that means. */
export function ModeBar({ mode }: { mode: OpenMode }) {
  const database = useAtomValue(databaseAtom)
  return (
    <aside
      aria-label="Mode of the server"
      className="flex min-h-8 shrink-0 items-center gap-2 bg-error px-3 py-1 text-page"
    >
      <WarningIcon className="shrink-0" />
      <p>
        {mode === 'open' ? (
          <>
            <b>No login (--auth=false).</b> Anyone who reaches this server can read and write{' '}
            <SafeName text={database ?? ''} />. It does no SQL and shows no users or databases.
          </>
        ) : (
          <>
            <b>Maintenance mode (--maintenance).</b> Nothing can be written, and anyone who reaches
            this server can read. It does no SQL and shows no users or databases.
          </>
        )}
      </p>
    </aside>
  )
}

const tones = {
  warning: 'text-warning',
  info: 'text-info',
  success: 'text-success',
  error: 'text-error',
}

/** A stored `shield` is a lock here: the shape of a shield stands for proofs. */
const icons = { shield: LockIcon, info: InfoIcon, warning: WarningIcon }

/** The server's own warning, a few seconds after the console was opened. */
export function Banner() {
  const banner = useAtomValue(bannerAtom)
  const putAside = useAct(putBannerAside)
  const user = useAtomValue(sessionAtom)?.user ?? ''
  const [isDue, hide] = useDue()
  const close = (why: 'closed' | 'submitted') => {
    putAside(why)
    hide()
  }
  if (!banner.show || !isDue) return null
  const [Icon, tone] = [icons[banner.icon], tones[banner.color]]
  return (
    <aside
      aria-label="Warning of the server"
      className="flex min-h-8 shrink-0 items-center gap-2 border-line border-t bg-raised px-3 py-1"
      data-banner
    >
      <Icon className={cx('shrink-0', tone)} />
      <p className={cx('grow', tone)}>
        <SafeText text={asSentence(banner.title)} />{' '}
        {banner.subtitle !== '' && (
          <span className="text-muted">
            <SafeText text={asSentence(banner.subtitle)} />{' '}
          </span>
        )}
        <Link className="underline" onClick={() => close('submitted')} to={pathToPassword(user)}>
          Change it now
        </Link>
      </p>
      {!banner.persistent && (
        <IconButton
          icon={<CloseIcon />}
          label="Close the warning"
          onClick={() => close('closed')}
          size="small"
        />
      )}
    </aside>
  )
}

/** Whether the banner is to be seen: a few seconds after the start, and again without its cookie. */
function useDue(): readonly [boolean, () => void] {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    if (isDue) return
    const look = () => setDue(readCookie(bannerCookie) === null)
    const first = setTimeout(look, bannerDelay)
    const again = setInterval(look, bannerLook)
    return () => {
      clearTimeout(first)
      clearInterval(again)
    }
  }, [isDue])
  return [isDue, () => setDue(false)]
}
