import { systemAdmin } from '~/lib/constants'
import { pathToAbout, pathToPassword } from '~/lib/paths'
import { counted } from '~/lib/text'
import { knownAs, readVersion } from './server-versions'

/** A user as far as it matters here. */
type Account = {
  readonly user: string
  readonly permissions: readonly { readonly database: string }[]
  readonly sqlPrivileges: readonly { readonly database: string }[]
}

/** What is known about the server and this page without further requests; null means unknown. */
export type SecurityFacts = {
  /** Whether the server runs without login. */
  readonly isOpen?: boolean
  /**
   * Whether user immudb has it; null for other users, because the server warns only at its login.
   */
  readonly hasDefaultPassword: boolean | null
  readonly page: { readonly protocol: string; readonly hostname: string }
  /** Whether the metrics came from a port that every web page may read. */
  readonly isMetricsPublic: boolean | null
  /** Headers of the console's own page. */
  readonly headers: Pick<Headers, 'get'> | null
  /** Milliseconds until the present token ends. */
  readonly tokenLeft: number | null
  readonly users: readonly Account[] | null
  /** Whether those are all: the server shows every user only to a system admin. */
  readonly isEveryUserListed: boolean
  readonly isSigned: boolean | null
  readonly unloaded: readonly string[] | null
  /** As the server reports it; `-` or nothing for none. */
  readonly version: string
}

export type Severity = 'danger' | 'advice' | 'unknown' | 'passed'

export type CheckedRisk = {
  readonly id: string
  readonly severity: Severity
  readonly title: string
  /** What it means, a sentence. */
  readonly text: string
  /** The server flag or the step that fixes it. */
  readonly cure?: string
  /** Where in the console to fix it. */
  readonly link?: { readonly path: string; readonly words: string }
}

const order: readonly Severity[] = ['danger', 'advice', 'unknown', 'passed']

/** Everything that was checked, the worst first. */
export function checkedRisks(facts: SecurityFacts): CheckedRisk[] {
  const found = [
    ofPassword(facts),
    ofTransport(facts),
    ofMetrics(facts),
    ofHeaders(facts),
    ofFraming(facts),
    ofToken(facts),
    ofSystemUsers(facts),
    ofGhosts(facts),
    ofSignature(facts),
    ofUnloaded(facts),
    ofVersion(facts),
  ]
  return found.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
}

function ofPassword({ hasDefaultPassword, isOpen }: SecurityFacts): CheckedRisk {
  const id = 'password'
  if (isOpen) {
    const text = 'The server asks for no login. Anyone who reaches it can do what you can.'
    return { id, severity: 'danger', title: 'No login', text, cure: '--auth=true' }
  }
  if (hasDefaultPassword === null) {
    const text =
      'Whether user immudb still has the default password is not known. The server warns only when that user logs in.'
    return { id, severity: 'unknown', title: 'Default password', text }
  }
  if (!hasDefaultPassword) {
    const text = 'The login of this session brought no warning about a default password.'
    return { id, severity: 'passed', title: 'No default password', text }
  }
  return {
    id,
    severity: 'danger',
    title: 'Default password',
    text: 'Anyone who reaches this server can log in as immudb, its system admin. A new server takes it from the environment.',
    cure: 'IMMUDB_ADMIN_PASSWORD',
    link: { path: pathToPassword(systemAdmin), words: 'Change it' },
  }
}

const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/

function ofTransport({ page }: SecurityFacts): CheckedRisk {
  const id = 'transport'
  if (page.protocol === 'https:') {
    const text = 'The connection for this page and its calls is encrypted.'
    return { id, severity: 'passed', title: 'Encrypted connection', text }
  }
  const cure = 'immudb --auto-cert, webconsole --tls-cert, or a proxy in front that adds TLS'
  if (loopback.test(page.hostname)) {
    const text = 'Not encrypted: keep it off the network.'
    return { id, severity: 'advice', title: 'Plain http on this machine', text, cure }
  }
  return {
    id,
    severity: 'danger',
    title: 'Plain http over the network',
    text: 'Others on the network can read and change passwords, tokens and data.',
    cure,
  }
}

function ofMetrics({ isMetricsPublic }: SecurityFacts): CheckedRisk {
  const id = 'metrics'
  if (isMetricsPublic === null) {
    const text = 'No metrics port has answered. Who can read it is not known.'
    return { id, severity: 'unknown', title: 'Metrics port', text }
  }
  if (!isMetricsPublic) {
    const text =
      'The metrics came through this page’s own address. The console did not try whether others can reach their port.'
    return { id, severity: 'unknown', title: 'Metrics port', text }
  }
  return {
    id,
    severity: 'danger',
    title: 'Metrics readable by every web page',
    text: 'Any web page in a browser that reaches the metrics port can read names of databases, and paths. Below /debug/vars it can read the whole command line, with any password in it.',
    cure: 'immudb --metrics-server=false, or a firewall in front of the port',
  }
}

function ofHeaders({ headers }: SecurityFacts): CheckedRisk {
  const id = 'headers'
  if (!headers) return unknownHeaders(id, 'Protecting headers')
  const missing = ['Content-Security-Policy', 'X-Content-Type-Options', 'Referrer-Policy'].filter(
    (name) => headers.get(name) === null,
  )
  if (missing.length === 0) {
    const text = 'The page comes with its content policy and the other headers that protect it.'
    return { id, severity: 'passed', title: 'Protecting headers', text }
  }
  return {
    id,
    severity: 'advice',
    title: 'Missing headers',
    text: `The server sends no ${missing.join(', ')}. The policy inside the page still applies. The console’s own handler sends them all.`,
    cure: 'webconsole --server URL',
  }
}

function ofFraming({ headers }: SecurityFacts): CheckedRisk {
  const id = 'framing'
  if (!headers) return unknownHeaders(id, 'Framing')
  const policy = headers.get('Content-Security-Policy') ?? ''
  if (/frame-ancestors/.test(policy) || headers.get('X-Frame-Options') !== null) {
    const text = 'The server says which pages may show this one in a frame.'
    return { id, severity: 'passed', title: 'Framing', text }
  }
  return {
    id,
    severity: 'advice',
    title: 'Framing not forbidden',
    text: 'Another page can show this one in a frame. Only the page’s own check protects against it.',
    cure: "webconsole --server URL --frame-ancestors 'none'",
  }
}

function unknownHeaders(id: string, title: string): CheckedRisk {
  return { id, severity: 'unknown', title, text: 'The headers of this page could not be read.' }
}

const day = 86_400_000

function ofToken({ tokenLeft }: SecurityFacts): CheckedRisk {
  const id = 'token'
  const cure = '--token-expiry-time MINUTES'
  if (tokenLeft === null) {
    const text = 'The token of this session does not say when it ends.'
    return { id, severity: 'unknown', title: 'Life of a login', text }
  }
  // The server's clock and this one may differ a little.
  if (tokenLeft <= day + 60_000) {
    const text = 'A day at most is left of this login. The server decides how long a new one lasts.'
    return { id, severity: 'passed', title: 'Time left of this login', text }
  }
  const text = `About ${counted(Math.ceil(tokenLeft / day), 'day')} are left of this login. Anyone who copies its token can use it that long.`
  return { id, severity: 'advice', title: 'Long-lived login', text, cure }
}

const onlySome = 'The server shows all users only to a system admin'

function ofSystemUsers({ users, isEveryUserListed }: SecurityFacts): CheckedRisk {
  const [id, title] = ['systemdb', 'Access to systemdb']
  if (!users) return { id, severity: 'unknown', title, text: 'The users are not known.' }
  const holders = users.filter(({ permissions }) =>
    permissions.some(({ database }) => database === 'systemdb'),
  )
  if (holders.length === 0 && !isEveryUserListed) {
    const text = `${onlySome}. Of the users you see, none can read systemdb.`
    return { id, severity: 'unknown', title, text }
  }
  if (holders.length === 0) {
    const text = 'No listed user has a permission on systemdb, which holds the password hashes.'
    return { id, severity: 'passed', title, text }
  }
  return {
    id,
    severity: 'danger',
    title,
    text: `${names(holders)} can read systemdb, which holds all password hashes. Revoke the permission on the page Users.`,
    cure: 'immuadmin user permission revoke',
  }
}

function ofGhosts({ users, isEveryUserListed }: SecurityFacts): CheckedRisk {
  const [id, title] = ['ghosts', 'SQL privileges without permission']
  if (!users) return { id, severity: 'unknown', title, text: 'The users are not known.' }
  const holders = users.filter(({ permissions, sqlPrivileges }) => {
    const allowed = new Set(permissions.map(({ database }) => database))
    return !allowed.has('*') && sqlPrivileges.some(({ database }) => !allowed.has(database))
  })
  if (holders.length === 0 && !isEveryUserListed) {
    const text = `${onlySome}. The users you see have no privilege without permission.`
    return { id, severity: 'unknown', title, text }
  }
  if (holders.length === 0) {
    const text = 'Every SQL privilege belongs to a database that its user may open.'
    return { id, severity: 'passed', title, text }
  }
  return {
    id,
    severity: 'advice',
    title,
    text: `${names(holders)} kept SQL privileges on a database after the permission was revoked. The next permission on it makes them effective again.`,
  }
}

/** The first few names; a server may have hundreds of users. */
function names(users: readonly Account[]): string {
  const first = users.slice(0, 3).map(({ user }) => user)
  const more = users.length - first.length
  return more > 0 ? `${first.join(', ')} and ${counted(more, 'other')}` : first.join(', ')
}

function ofSignature({ isSigned }: SecurityFacts): CheckedRisk {
  const [id, title] = ['signature', 'Signed states']
  if (isSigned === null) return { id, severity: 'unknown', title, text: 'No state is known yet.' }
  if (isSigned) {
    const text = 'The server signs the state of its databases.'
    return { id, severity: 'passed', title, text }
  }
  return {
    id,
    severity: 'advice',
    title: 'States are not signed',
    text: 'No one can prove later which state the server showed.',
    cure: 'immudb --signingKey FILE, or webconsole --signing-key FILE',
  }
}

function ofUnloaded({ unloaded }: SecurityFacts): CheckedRisk {
  const [id, title] = ['unloaded', 'Loaded databases']
  if (!unloaded) return { id, severity: 'unknown', title, text: 'The databases are not known.' }
  if (unloaded.length === 0) {
    return { id, severity: 'passed', title, text: 'Every listed database is loaded.' }
  }
  return {
    id,
    severity: 'advice',
    title: 'Databases not loaded',
    text: `${counted(unloaded.length, 'database')} cannot be read or checked: ${unloaded.slice(0, 3).join(', ')}${unloaded.length > 3 ? ' …' : ''}.`,
    cure: 'immuadmin database load NAME',
  }
}

function ofVersion({ version }: SecurityFacts): CheckedRisk {
  const [id, title] = ['version', 'Version of the server']
  const { kind, text, better } = knownAs(readVersion(version))
  if (kind === 'unknown') {
    const cure = 'an official release of immudb'
    return { id, severity: 'advice', title: 'Version not known', text, cure }
  }
  if (better !== null) {
    const link = { path: pathToAbout, words: 'See what' }
    const old = kind === 'older' ? 'Version older than tested' : 'Version with known faults'
    return { id, severity: 'advice', title: old, text, cure: `immudb ${better}`, link }
  }
  const severity = kind === 'newer' ? 'unknown' : 'passed'
  return { id, severity, title, text: `${text} Compare it with the published advisories.` }
}
