import { type Chapter, list, note, shell, table } from '../guide'

export const operating: Chapter = {
  id: 'operate',
  title: 'Operating',
  intro:
    'What a server needs from those who run it. Commands are for a shell on a machine with `immuadmin`; the page Databases shows the same command beside each action.',
  sections: [
    {
      id: 'operate-login',
      title: 'The command line',
      blocks: [
        '`immuadmin` talks to the server on port 3322, not to the port of this page. It asks for a password, and only the user `immudb` can log in with it.',
        shell('immuadmin login immudb'),
        shell('immuadmin status'),
        shell('immuadmin database list'),
      ],
    },
    {
      id: 'operate-create',
      title: 'Settings of a database',
      blocks: [
        'Some settings are fixed when a database is created. Among them are the longest key and value, the entries of a transaction, the file size, and whether transactions hold the values. The dialog *Create database* marks them. All others can be changed later; the console shows the difference before it saves.',
        shell('immuadmin database create scratch'),
      ],
    },
    {
      id: 'operate-load',
      title: 'Loading and unloading',
      blocks: [
        'An unloaded database keeps its data but takes no memory, and nobody can read or write it. Unload one that is not needed, or one that is to be deleted.',
        shell('immuadmin database unload scratch'),
        shell('immuadmin database load scratch'),
        'The databases `defaultdb` and `systemdb` cannot be unloaded or deleted.',
      ],
    },
    {
      id: 'operate-index',
      title: 'The index',
      blocks: [
        'The index finds keys and rows. The server can rebuild it from the transactions. *Flush* writes to disk what is in memory, so that the next start is quick. *Compact* rewrites the index without nodes that are no longer read, which frees disk space.',
        shell(
          'immuadmin database use scratch\nimmuadmin database flush --cleanup-percentage=0 --synced=true',
        ),
        shell('immuadmin database use scratch\nimmuadmin database compact'),
        'A refusal because the threshold was not reached is normal: there was too little to gain.',
      ],
    },
    {
      id: 'operate-forget',
      title: 'Forgetting on purpose',
      blocks: [
        '*Truncate* deletes the values of transactions older than a period, of at least one day. Keys, times and hashes stay, so that newer history can still be verified. This server can never return the values again.',
        shell(
          'immuadmin database truncate --yes-i-know-what-i-am-doing --retention-period=720h scratch',
        ),
        'A database can also do it by itself, with a retention period in its settings. A refusal because the period has not been reached only means that nothing is old enough yet.',
        'Deleting a database removes all of it from this server. It has to be unloaded first.',
        shell('immuadmin database delete --yes-i-know-what-i-am-doing scratch'),
        note(
          'Neither touches copies elsewhere: backups, replicas and exports keep what they have.',
        ),
      ],
    },
    {
      id: 'operate-backup',
      title: 'Backups',
      blocks: [
        'A backup is made while the server runs. It holds the transactions of one database, so the copy has the same hashes. The console cannot make one, because the server offers it only on port 3322.',
        shell('immuadmin hot-backup scratch --output scratch.backup'),
        shell('immuadmin hot-restore scratch_copy --input scratch.backup'),
        'When a backup replaces a newer database, clients and this browser notice that the history has become shorter. Tell those who verify it beforehand.',
      ],
    },
    {
      id: 'operate-watch',
      title: 'Watching',
      blocks: [
        'The [Overview](/) shows figures and charts. They come from the metrics port of the server, 9497 unless set otherwise. Without it, memory, reads and writes are missing; the rest comes from the database.',
        'While a page is visible, the console asks for the state every ten seconds, unless [Settings](/settings) say otherwise. It asks for metrics once a minute where they are shown. A hidden tab asks for neither. The footer counts the calls.',
        note(
          'With `--audit-log` the server records every call in `systemdb`, those of this console included. See [The audit log](#operate-audit-log).',
        ),
      ],
    },
    {
      id: 'operate-audit-log',
      title: 'The audit log',
      blocks: [
        'With `--audit-log` the server records who called what, when and from where. It does not record what was read or written. With `--audit-log-events=write` it leaves reads out, and with `admin` writes too.',
        shell('immudb --audit-log'),
        shell('webconsole --audit-log'),
        'The page [Audit log](/audit) shows the events to users who may read `systemdb`. It reads only keys that begin with `audit:`, because password hashes lie beside them. Each page that you read adds an event.',
        list(
          'Logins carry no user, only an address. *Burst of* marks five or more failed logins from one seen address within a minute. Only events that the page has read count.',
          '*Claimed by the client* is what a caller wrote into `X-Forwarded-For`. *Seen* is the last address, which the server adds. Callers over gRPC, or with a header `Grpc-Metadata-X-Forwarded-For`, can forge that too, unless a proxy removes such headers.',
          'Behind a proxy, *Seen* is the address of the proxy. The proxy must add the address of the caller, or the log does not have it.',
          'The database of an event is always empty in immudb 1.11.1.',
        ),
        'An event can hold the ID of a session, which gives access while the session lasts. The console hides it on the page and in exports. Evidence has only the hash of such an event, which proves as much.',
        note(
          'The server writes events shortly after the calls. If it stops in between, the last ones are missing. A proof shows that an event was not changed, not that none is missing.',
        ),
      ],
    },
    {
      id: 'operate-secure',
      title: 'Before others can reach it',
      blocks: [
        table(
          ['What', 'How'],
          ['Password of `immudb`', 'Change it on [Users](/users)'],
          [
            'Encryption',
            'immudb: `--auto-cert`, or `--certificate` and `--pkey`, for this page, metrics and port 3322 together. webconsole: a proxy in front that adds TLS',
          ],
          [
            'Metrics',
            'Any web page in a browser that reaches the port can read them. Use a firewall, or `immudb --metrics-server=false`',
          ],
          ['Life of a login', '`--token-expiry-time` in minutes; a day unless set'],
          [
            'Signed states',
            '`--signingKey` of immudb, `--signing-key` of webconsole; see [Signed states](#verify-signature)',
          ],
        ),
        'The security check-up on the [Overview](/) looks at these for your server.',
        list(
          'A restart of the server ends all logins; the console asks for the password and leaves everything in its place.',
          'The password for replication is stored as plain text in the settings of a replica. The server shows it to everyone who may read that database.',
        ),
      ],
    },
  ],
}
