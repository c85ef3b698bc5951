import type { Here, Kind, Thing } from '~/atoms/finder/thing'
import { bringScript } from '~/atoms/scripts/script-request'
import { schemaFormAtom } from '~/atoms/tables/schema-change'
import { importRefusalAtom, newTableRefusalAtom } from '~/atoms/users/privileges'
import { databaseCreationRefusalAtom, viewerAtom, writeRefusalAtom } from '~/atoms/users/viewer'
import { namedTxAtom } from '~/core/history/newest-state'
import { chooseTheme, chooseTimezone } from '~/core/page-view'
import { modeAtom, sessionAtom } from '~/core/session/session'
import { lockNow, logOut } from '~/core/session/session-end'
import { isShortcutListOpenAtom } from '~/core/settings'
import { refusalToAdd } from '~/immudb/user-rules'
import { pages, pathTo, pathToPassword, type Search } from '~/lib/paths'
import { settingsSections } from '~/screens/settings/sections'
import { clearToasts } from '~/ui/toast'

/** The parts of Verify, which have an address each. */
const verifyTabs: readonly (readonly [tab: string, name: string, words: string])[] = [
  ['points', 'Trusted states', 'compare states'],
  ['check', 'Check', 'verify a transaction, key, row or document'],
  ['evidence', 'Evidence', 'check a saved proof, fork certificate'],
  ['witnesses', 'Witnesses', 'checkpoints'],
  ['keys', 'Signing keys', 'public key of the server'],
  ['incidents', 'Incidents', 'findings'],
  ['damage', 'Damage', 'archive, what to do'],
]

const withDatabase = ({ database }: Here, search: Search = {}): Search =>
  database === '' ? search : { db: database, ...search }

/** Every screen, and the parts of Verify. */
export const screens: Kind = {
  label: 'Screen',
  isOffered: true,
  known: (here) => [
    ...pages
      .filter(({ name }) => here.pages.has(name))
      .map(({ name, title }) => ({
        name: title,
        to: { path: pathTo(name, withDatabase(here)) },
      })),
    ...verifyTabs.map(([tab, name, words]) => ({
      name,
      of: 'Verify',
      words,
      to: { path: pathTo('verify', withDatabase(here, { tab })) },
    })),
  ],
}

export const settings: Kind = {
  label: 'Setting',
  known: () =>
    settingsSections.flatMap(({ id, title, holds }) => {
      const to = { path: `${pathTo('settings')}#${id}` }
      const section: Thing = { name: title, of: 'Settings', to }
      return [section, ...holds.map((name): Thing => ({ name, of: title, words: 'settings', to }))]
    }),
}

/** What can be done. What asks before it acts does so here too, on its own screen. */
export const actions: Kind = {
  label: 'Action',
  isOffered: true,
  known(here) {
    const { io, database } = here
    const hasLogin = io.get(modeAtom) === 'login'
    const path = (...at: Parameters<typeof pathTo>) => ({ path: pathTo(...at) })
    const act = (name: string, words: string, to: Thing['to'], refusal?: string): Thing => ({
      name,
      words,
      to,
      refusal,
    })
    const user = io.get(sessionAtom)?.user ?? ''
    const isEmpty = io.get(namedTxAtom) === '0'
    const nothingYet = isEmpty ? 'Nothing was written to this database yet.' : undefined
    const inPast = new URLSearchParams(here.search).has('at')
    const theme = (choice: Parameters<typeof chooseTheme>[1]) => ({
      run: (of: typeof io) => void chooseTheme(of, choice),
    })
    const newTable = act(
      'New table',
      'add create table',
      {
        ...path('query', withDatabase(here)),
        first: (of) =>
          of.set(schemaFormAtom, {
            database,
            of: { columns: [], indexes: [] },
            start: { kind: 'create-table', table: '', columns: [] },
          }),
      },
      io.get(writeRefusalAtom) ?? io.get(newTableRefusalAtom),
    )
    const script = act(
      'Bring a script',
      'import sql dump pg_dump mysqldump sqlite',
      { ...path('query', withDatabase(here)), first: (of) => bringScript(of) },
      io.get(importRefusalAtom),
    )
    return [
      ...(database === ''
        ? []
        : [
            act('As of …', 'time travel past moment', { text: 'as of ' }, nothingYet),
            ...(inPast ? [act('Back to now', 'as of present', { without: 'at' })] : []),
            act(
              'Deep audit',
              'verify every transaction from the first',
              path('verify', withDatabase(here, { tab: 'audit' })),
            ),
            act(
              'Several operations on keys',
              'set delete several keys at once transaction',
              path('keys', withDatabase(here, { dialog: 'operations' })),
              io.get(writeRefusalAtom),
            ),
            act(
              'New collection',
              'add create collection documents',
              path('documents', withDatabase(here, { dialog: 'collection' })),
              io.get(writeRefusalAtom),
            ),
            ...(here.pages.has('query') ? [newTable, script] : []),
          ]),
      ...(hasLogin
        ? [
            act(
              'New user',
              'add create user',
              path('users', withDatabase(here, { dialog: 'add' })),
              refusalToAdd(io.get(viewerAtom)),
            ),
            act(
              'New database',
              'add create database',
              path('databases', withDatabase(here, { dialog: 'create' })),
              io.get(databaseCreationRefusalAtom),
            ),
            // Where the server would refuse, the dialog says why.
            act('Change password', 'own password', { path: pathToPassword(user) }),
            act('Lock now', 'lock session', { run: (of) => lockNow(of) }),
            act('Log out', 'end session sign out', {
              run: (of) => {
                clearToasts()
                logOut(of)
              },
            }),
          ]
        : []),
      act(
        'Limits of this server',
        'sessions snapshots open files concurrency',
        path('overview', withDatabase(here, { limits: 'all' })),
      ),
      act('Dark theme', 'appearance colours', theme('dark')),
      act('Light theme', 'appearance colours', theme('light')),
      act('Theme of the system', 'appearance colours', theme('system')),
      act('Show times in local time', 'time zone', {
        run: (of) => void chooseTimezone(of, 'local'),
      }),
      act('Show times in UTC', 'time zone', { run: (of) => void chooseTimezone(of, 'utc') }),
      act('Keyboard shortcuts', 'keys help', { run: (of) => of.set(isShortcutListOpenAtom, true) }),
    ]
  },
}
