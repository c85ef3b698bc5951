import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { clientOf } from '~/atoms/servers/clients'
import { type Comparable, comparables, comparedName, firstOf } from '~/atoms/servers/histories'
import { replicaGroupsAtom } from '~/atoms/servers/server-rows'
import type { Standing } from '~/atoms/servers/standing'
import type { Fleet } from '~/core/session/fleet'
import { databaseIdAtom, listedAsAtom } from '~/core/session/session'
import { Select } from '~/ui/Select'
import { Histories } from './Histories'

type Props = { fleet: Fleet; standings: readonly Standing[] }

/** A choice of what several servers hold, and the comparison of one database. */
export function HistoryChoice({ fleet, standings }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = useAtomValue(listedAsAtom)?.name
  const all = comparables(standings, useAtomValue(replicaGroupsAtom))
  const open = all.find(({ database }) => database === chosen) ?? firstOf(all)
  if (!open) return <NothingToCompare standings={standings} />
  return (
    <Histories
      choice={
        <div className="flex max-w-60">
          <Select
            label="Database to compare"
            onChange={setChosen}
            options={all.map(({ database }) => ({ value: database, label: database }))}
            size="small"
            value={open.database}
          />
        </div>
      }
      openServer={shown}
      servers={clientsOf(fleet, open)}
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
        : 'No two servers list a database of one name, or a replica of one.'}
    </p>
  )
}

function clientsOf(fleet: Fleet, { database, members }: Comparable) {
  return members.map((member) => {
    const { server, holding } = member
    const { origin } = fleet.storeOf(server).get(databaseIdAtom)('')
    const client = clientOf(fleet, server)
    return { name: comparedName(member, database), database: holding.name, client, origin }
  })
}
