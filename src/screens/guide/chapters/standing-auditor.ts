import { type Chapter, file, list, note, shell, steps, table } from '../guide'

export const standingAuditor: Chapter = {
  id: 'auditor',
  title: 'Standing auditor',
  intro: 'A program that checks every new transaction also while this page is closed.',
  sections: [
    {
      id: 'auditor-does',
      title: 'What it does',
      blocks: [
        '`webconsole audit` logs in, records the state of each database, and proves every later state from the one it keeps. It reads every transaction from the first on, and each new one. With `webconsole audit --values` it also compares values with their digests.',
        'It checks with a second verifier, written in Go from the same description. This page and the auditor share no code for proofs.',
        list(
          'It does not show that content is true, or that other readers get the same answers from the server.',
          'Its first contact believes the server, as that of this browser does.',
          'Documents, and values that expired or were truncated, are checked by their digests only.',
        ),
      ],
    },
    {
      id: 'auditor-start',
      title: 'Starting',
      blocks: [
        steps(
          'On [Users](/users), create a user for the auditor alone, with the permission Read on each database. The auditor says so if the user can do more.',
          'Write the password to a file that only the auditor can read.',
          'Replace ADDRESS below with the web address of the server. Run the auditor on a different machine from the server. Otherwise, anyone who changes the data can also change what the auditor keeps.',
        ),
        shell(
          'webconsole audit --server ADDRESS --user auditor --password-file auditor.password --dir /var/lib/auditor',
        ),
        'As a service of systemd:',
        file(
          'webconsole-audit.service',
          `[Unit]
Description=Standing auditor of immudb
After=network-online.target
Wants=network-online.target

[Service]
Type=notify
ExecStart=/usr/local/bin/webconsole audit --server ADDRESS --user auditor --password-file %d/password --dir %S/webconsole-audit --metrics-address 127.0.0.1:9500
LoadCredential=password:/etc/webconsole-audit.password
DynamicUser=yes
StateDirectory=webconsole-audit
StateDirectoryMode=0700
UMask=0077
Restart=on-failure
RestartPreventExitStatus=3
NoNewPrivileges=yes
PrivateTmp=yes
ProtectHome=yes
ProtectSystem=strict

[Install]
WantedBy=multi-user.target
`,
        ),
        'Or every ten minutes by cron, which sends a mail when something is printed:',
        shell(
          '*/10 * * * * auditor webconsole audit --once --server ADDRESS --user auditor --password-file /etc/auditor.password --dir /var/lib/auditor >> /var/log/auditor.jsonl || tail -n 5 /var/log/auditor.jsonl',
        ),
        table(
          ['Exit code of `webconsole audit --once`', 'Meaning'],
          ['0', 'Proven from the kept state, and everything new was read'],
          ['1', 'Contradicted, or an earlier finding is still open'],
          [
            '2',
            'Only in part: a first contact, a missing database, no answer, a refused login, or values that were not sent',
          ],
          ['3', 'A setting or a file of the auditor cannot be used'],
        ),
      ],
    },
    {
      id: 'auditor-tells',
      title: 'What it tells',
      blocks: [
        table(
          ['Where', 'What'],
          ['Standard output', 'A line of JSON for each event'],
          [
            '`webconsole audit --metrics-address`',
            '`/metrics` for Prometheus; `/healthz` with 200, or 503 after a finding or where nothing was proven, read or compared for three rounds',
          ],
          [
            '`webconsole audit --on-finding`',
            'Runs a command: the event on standard input, the file in `FINDING`',
          ],
          ['`webconsole audit --webhook`', 'Posts the event as JSON'],
        ),
        'A finding is first kept as a file, then told. The command and the webhook are tried again until they succeed, also after a restart. A finding can arrive twice. It is never lost.',
      ],
    },
    {
      id: 'auditor-finding',
      title: 'After a finding',
      blocks: [
        'Nothing of that database moves on, so the kept state stays the last good one. Other databases continue.',
        steps(
          'Copy the folder of the auditor: evidence, states and checkpoints.',
          'Open the file of the finding on [Verify](/verify), or with `webconsole verify`.',
          'Find out what happened: a restored backup, another server behind the address, or a change.',
          'If the server is right again, move the file away. The auditor then continues from its kept state.',
          'If the new history is the one you want, stop the auditor and accept the finding. The next look is a first contact. The finding, the old state and the old checkpoints are kept.',
        ),
        shell('webconsole audit --dir /var/lib/auditor --accept FINDING'),
        note(
          'A damaged state file counts as a finding, too: without it, the next look would silently be a first contact. A lost one is replaced by the last signed checkpoint.',
        ),
      ],
    },
    {
      id: 'auditor-checkpoints',
      title: 'Checkpoints',
      blocks: [
        'With a key, the auditor signs each state that it has proven and read up to. Copy the files to where the server’s operators cannot write: git, object storage with a lock, a mailing list.',
        shell('webconsole audit --dir /var/lib/auditor --new-key audit.example.org'),
        'This prints the key that checks them. The files hold signed notes (C2SP): name of server and database, transaction, hash, signature.',
        shell(
          'webconsole verify evidence.json --checkpoints /var/lib/auditor/checkpoints/defaultdb --witness KEY',
        ),
      ],
    },
    {
      id: 'auditor-several',
      title: 'Several servers',
      blocks: [
        'With `webconsole audit --servers`, databases of one name must have one history on all servers. If two differ, the auditor keeps a [fork certificate](#servers-fork). Histories without a common transaction are unrelated, unless both servers have one ID.',
        'Two auditors at different places see whether a server tells them different things: compare their checkpoints of the same transaction.',
      ],
    },
  ],
}
