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
      id: 'operate-run',
      title: 'Running webconsole',
      blocks: [
        'The `webconsole` program holds this console and, unless `webconsole --server` names another one, immudb itself. `webconsole --help` lists all flags.',
        table(
          ['What', 'How'],
          [
            'Settings',
            'Each flag is also a variable: `WEBCONSOLE_PREFIX` is `webconsole --prefix`. A flag goes first',
          ],
          [
            'Encryption',
            '`webconsole --tls-cert` and `--tls-key`. SIGHUP reads both again; a bad pair changes nothing. It speaks HTTP/1.1: over HTTP/2 nobody could tell that a write ran once. Ports 3322 and 9497 stay unencrypted',
          ],
          [
            'Behind a proxy',
            'Pass the `Host` header on and name it: `webconsole --allow-host immudb.example`. On the same machine a Unix socket will do: `webconsole --socket`',
          ],
          [
            'Users of a gateway',
            '`webconsole --trust-user-header X-Remote-User`: the name goes into the log, and to servers elsewhere as `X-Forwarded-User`. Only where nobody can go around the gateway, and it replaces what a browser sends under that name',
          ],
          [
            'Log',
            '`webconsole --log-format json` or `text`: a line for each request without query, body, login, key or name of a database',
          ],
          [
            'Exit codes',
            '0: ended as asked. 1: did not start or could not go on. 2: a setting is wrong',
          ],
        ),
        table(
          ['Probe', 'Answer'],
          ['`/healthz`', '200 while the program answers'],
          [
            '`/readyz`',
            '200, or 503 and what is wrong: `database` does not answer, `disk` has less than 64 MiB free, `writes` have waited for 30 seconds while none ended',
          ],
          [
            '`webconsole healthcheck`',
            'Ends with 0 when ready, else with 1. For containers without a shell',
          ],
        ),
        'Both are below the prefix and need no login. In front of several servers, one that answers is enough. For servers elsewhere, disk and writes are not known. With a full disk reading still works, so a balancer that asks `/readyz` also stops reads.',
        'When asked to end, it takes nothing new. Writes in progress have 8 seconds to finish. systemd is told of start, reload and end; its watchdog is fed while the database answers.',
        list(
          'It writes to its data folder only (`webconsole --dir`), so it runs without root and with everything else read-only.',
          'Backup: stop it and copy the folder, or use `immuadmin hot-backup` while it runs.',
          'Upgrade: stop it, copy the folder, start the new program on the old folder. To go back, start the old program on the copy.',
        ),
        note(
          'What was written after the copy is missing when you go back, and everyone who verifies is alarmed. Tell them beforehand.',
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
            'immudb: `--auto-cert`, or `--certificate` and `--pkey`. webconsole: `--tls-cert` and `--tls-key`, or a proxy in front',
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
