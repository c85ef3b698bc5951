import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { clientOf } from '~/atoms/servers/clients'
import type { Fleet } from '~/atoms/servers/fleet'
import type { Standing } from '~/atoms/servers/standings'
import { databaseIdAtom, listedAsAtom } from '~/atoms/session/session'
import { defaultDatabase, systemDatabase } from '~/lib/constants'
import { Select } from '~/ui/Select'
import { Histories } from './Histories'

type Props = { fleet: Fleet; standings: readonly Standing[] }

/** A choice of the databases that at least two servers hold, and the comparison of one. */
export function Compared({ fleet, standings }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = useAtomValue(listedAsAtom)?.name
  const holders = new Map<string, Standing[]>()
  for (const standing of standings) {
    for (const { name, loaded } of standing.holdings ?? []) {
      if (loaded) holders.set(name, [...(holders.get(name) ?? []), standing])
    }
  }
  const names = [...holders].filter(([, held]) => held.length > 1).map(([name]) => name)
  const database = chosen !== null && names.includes(chosen) ? chosen : usual(names, standings)
  if (database === undefined) return <NothingToCompare standings={standings} />
  return (
    <Histories
      choice={
        <div className="flex max-w-60">
          <Select
            label="Database to compare"
            onChange={setChosen}
            options={names.map((name) => ({ value: name, label: name }))}
            size="small"
            value={database}
          />
        </div>
      }
      openServer={shown}
      servers={clientsOf(fleet, database, holders.get(database) ?? [])}
    />
  )
}

/** Says what is missing, once every server was asked. */
function NothingToCompare({ standings }: Pick<Props, 'standings'>) {
  if (standings.some(({ kind }) => kind === 'asking')) return null
  const open = standings.filter(({ holdings }) => holdings !== null).length
  return (
    <p className="max-w-[680px] text-muted">
      {open < 2
        ? 'Log in on two servers to compare their histories of a database.'
        : 'You can open no database of the same name on two servers, so there is nothing to compare.'}
    </p>
  )
}

/** A database that has replicas, or the first that is not there from the start. */
function usual(names: readonly string[], standings: readonly Standing[]): string | undefined {
  const copied = standings.flatMap(({ holdings }) =>
    (holdings ?? []).filter(({ primary }) => primary !== null).map(({ name }) => name),
  )
  const isMade = (name: string) => name !== defaultDatabase && name !== systemDatabase
  return names.find((name) => copied.includes(name)) ?? names.find(isMade) ?? names[0]
}

function clientsOf(fleet: Fleet, database: string, standings: readonly Standing[]) {
  return standings.map(({ server }) => {
    const { origin } = fleet.storeOf(server).get(databaseIdAtom)('')
    return { name: server.name, database, client: clientOf(fleet, server), origin }
  })
}
