import { type Chapter, list, note, shell, table } from '../guide'

export const operating: Chapter = {
  id: 'operate',
  title: 'Operating',
  intro: 'Databases shows these commands beside each action.',
  sections: [
    {
      id: 'operate-login',
      title: 'Command line',
      blocks: [
        '`immuadmin` uses port 3322, not the port of this page. Only the user `immudb` can log in with it.',
        shell('immuadmin login immudb'),
        shell('immuadmin status'),
        shell('immuadmin database list'),
      ],
    },
    {
      id: 'operate-create',
      title: 'Settings',
      blocks: [
        '*Create database* marks what cannot be changed later.',
        shell('immuadmin database create scratch'),
      ],
    },
    {
      id: 'operate-load',
      title: 'Loading and unloading',
      blocks: [
        'An unloaded database keeps its data, takes no memory, and cannot be used.',
        shell('immuadmin database unload scratch'),
        shell('immuadmin database load scratch'),
        '`defaultdb` and `systemdb` cannot be unloaded or deleted.',
      ],
    },
    {
      id: 'operate-index',
      title: 'The index',
      blocks: [
        '*Flush* writes the index to disk, for a quick next start. *Compact* frees disk space.',
        shell(
          'immuadmin database use scratch\nimmuadmin database flush --cleanup-percentage=0 --synced=true',
        ),
        shell('immuadmin database use scratch\nimmuadmin database compact'),
        '“Threshold not reached”: too little to gain.',
      ],
    },
    {
      id: 'operate-forget',
      title: 'Forgetting on purpose',
      blocks: [
        '*Truncate* deletes the values of transactions older than a period of at least one day, for ever. Keys, times and hashes stay, so the history can still be verified.',
        shell(
          'immuadmin database truncate --yes-i-know-what-i-am-doing --retention-period=720h scratch',
        ),
        'A retention period in its settings does it regularly. “Period not reached”: nothing is old enough yet.',
        'Deleting a database removes all of it from this server. Unload it first.',
        shell('immuadmin database delete --yes-i-know-what-i-am-doing scratch'),
        note('Backups, replicas and exports keep what they have.'),
      ],
    },
    {
      id: 'operate-backup',
      title: 'Backups',
      blocks: [
        'While the server runs, on port 3322 only, with the same hashes:',
        shell('immuadmin hot-backup scratch --output scratch.backup'),
        shell('immuadmin hot-restore scratch_copy --input scratch.backup'),
        'A backup that replaces a newer database alarms everyone who verifies it. Tell them beforehand.',
      ],
    },
    {
      id: 'operate-watch',
      title: 'Watching',
      blocks: [
        table(
          ['What', 'From', 'A visible page asks'],
          ['State', 'The port of this page', 'Every ten seconds; see [Settings](/settings)'],
          ['Metrics', 'Port 9497 unless set otherwise', 'Every minute'],
        ),
        'The footer counts the calls. With `--audit-log` [the server records them](#operate-audit-log).',
      ],
    },
    {
      id: 'operate-audit-log',
      title: 'The audit log',
      blocks: [
        'The server records who called what, when and from where, not what was read or written. `--audit-log-events=write` leaves reads out, `admin` writes, too.',
        shell('immudb --audit-log'),
        shell('webconsole --audit-log'),
        '[Audit log](/audit) needs a permission on `systemdb`, and reads only keys that begin with `audit:`.',
        list(
          'Logins carry no user, only an address. *Burst of*: five or more failed logins from one address within a minute, among the events read so far.',
          '*Claimed by the client*: what a caller wrote into `X-Forwarded-For`. *Seen*: what the server added. Over gRPC, or with a header `Grpc-Metadata-X-Forwarded-For`, that can be forged, too, unless a proxy removes it.',
          'Session IDs give access while they last, so the console hides them, also in exports.',
        ),
        note(
          'If the server stops, the last events may be missing. A proof shows that an event was not changed, not that none is missing.',
        ),
      ],
    },
    {
      id: 'operate-secure',
      title: 'Security',
      blocks: [
        table(
          ['What', 'How'],
          ['Password of `immudb`', 'Change it on [Users](/users)'],
          [
            'Encryption',
            'immudb: `--auto-cert`, or `--certificate` and `--pkey`. webconsole: a proxy in front',
          ],
          [
            'Metrics',
            'Any web page in a browser that reaches the port can read them: a firewall, or `immudb --metrics-server=false`',
          ],
          ['Life of a login', '`--token-expiry-time` in minutes; a day unless set'],
          [
            '[Signed states](#verify-signature)',
            '`--signingKey` of immudb, `--signing-key` of webconsole',
          ],
        ),
        '[Overview](/) checks these.',
        list(
          'A restart of the server ends all logins.',
          'A replica stores its replication password as plain text, and shows it to everyone who may read that database.',
        ),
      ],
    },
  ],
}
