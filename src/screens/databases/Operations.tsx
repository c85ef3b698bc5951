import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { Database } from '~/api/databases'
import { levelOnAtom } from '~/atoms/database-levels'
import {
  compactCommand,
  deleteCommand,
  flushCommand,
  loadCommand,
  truncateCommand,
  unloadCommand,
} from '~/lib/immuadmin'
import { refusalFor } from '~/lib/permission'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { Operation } from './Operation'

/** Everything that can be done to a database, each with what it means. */
export function Operations({ database }: { database: Database }) {
  const { name, loaded } = database
  const byLevel = refusalFor(useAtomValue(levelOnAtom)(name), 'change database')
  return (
    <>
      {byLevel && <p className="px-4 pt-3 text-sm">{byLevel}</p>}
      <ul className="divide-y divide-line">
        {loaded ? <Unload database={database} /> : <Load database={database} />}
        <Flush database={database} />
        <Operation
          command={compactCommand(name)}
          database={database}
          meaning="Rewrites the index without the nodes that nobody reads any more, which frees disk space. Takes a while on a large database; reading and writing go on."
          work={{ kind: 'compact' }}
        />
        <Truncate database={database} />
        <Operation
          command={deleteCommand(name)}
          confirm={{
            verb: 'Delete',
            description:
              'All its transactions, tables, keys and documents and its files on this server will be gone. This cannot be undone. Users and other databases stay. The name can be given again after a restart of the server.',
            isTyped: true,
          }}
          database={database}
          meaning="Removes the database and its files from this server for ever. Only an unloaded database can be deleted."
          needs="unloaded"
          work={{ kind: 'delete' }}
        />
      </ul>
    </>
  )
}

function Load({ database }: { database: Database }) {
  return (
    <Operation
      command={loadCommand(database.name)}
      database={database}
      meaning="Opens the database again for everybody who has a permission on it."
      needs="unloaded"
      work={{ kind: 'load' }}
    />
  )
}

function Unload({ database }: { database: Database }) {
  return (
    <Operation
      command={unloadCommand(database.name)}
      confirm={{
        verb: 'Unload',
        description:
          'Nobody can read or write it until it is loaded again, and whatever runs in it now fails. Its data is kept.',
        isTyped: false,
      }}
      database={database}
      meaning="Closes the database for everybody and frees its memory. Its data is kept; loading opens it again."
      work={{ kind: 'unload' }}
    />
  )
}

function Flush({ database }: { database: Database }) {
  const [cleanup, setCleanup] = useState('0')
  const [isSynced, setSynced] = useState(true)
  const isRight = /^\d{1,3}(\.\d+)?$/.test(cleanup) && Number(cleanup) <= 100
  return (
    <Operation
      command={flushCommand(database.name, cleanup, isSynced)}
      database={database}
      meaning="Writes the part of the index that is in memory to disk, so that the next start is quick. Nothing is lost without it."
      work={{ kind: 'flush', cleanup, isSynced }}
      {...(isRight ? {} : { refusal: 'The clean-up must be from 0 to 100 %.' })}
    >
      <div className="flex flex-wrap items-start gap-x-4">
        <div className="w-36">
          <Field
            error={isRight ? undefined : 'From 0 to 100.'}
            hint="Share of the index."
            inputMode="decimal"
            label="Clean-up"
            onChange={setCleanup}
            trailing={<span className="px-2 text-muted text-sm">%</span>}
            value={cleanup}
          />
        </div>
        <div className="xs:pt-6">
          <Checkbox checked={isSynced} label="Wait for the disk" onChange={setSynced} />
        </div>
      </div>
    </Operation>
  )
}

function Truncate({ database }: { database: Database }) {
  const [text, setText] = useState('30')
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
  const isRight = days >= 1
  const { name } = database
  return (
    <Operation
      command={truncateCommand(name, isRight ? days : 30)}
      confirm={{
        verb: 'Truncate',
        description: `The values of all transactions older than ${days === 1 ? 'a day' : `${days} days`} will be deleted and can never be read again, by anybody. Their hashes stay, so that newer history can still be verified.`,
        isTyped: true,
      }}
      database={database}
      meaning="Deletes the values of old transactions to free disk space. Keys, times and hashes stay; the values cannot be got back."
      work={{ kind: 'truncate', days }}
      {...(isRight ? {} : { refusal: 'At least one day must be kept.' })}
    >
      <div className="w-36">
        <Field
          error={isRight ? undefined : 'At least 1.'}
          hint="At least 1."
          inputMode="numeric"
          label="Keep the last"
          onChange={setText}
          trailing={<span className="px-2 text-muted text-sm">days</span>}
          value={text}
        />
      </div>
    </Operation>
  )
}
