import { type Chapter, list, note, shell, steps, table } from '../guide'

export const severalServers: Chapter = {
  id: 'servers',
  title: 'Several servers',
  intro: 'One console for all, and which of them share a history.',
  sections: [
    {
      id: 'servers-start',
      title: 'Starting',
      blocks: [
        'Start `webconsole` with names and web addresses. Your browser talks to this one address only.',
        shell('webconsole --server eu=ADDRESS --server us=ADDRESS'),
        shell('webconsole --servers servers.json'),
        'In the file: `name` and `url`, and optionally `metrics`, `ca`, `cert`, `key` and `timeout`. SIGHUP reads it again; a bad file changes nothing.',
        'A primary with two replicas, to try it:',
        shell('webconsole --demo --replicas 2'),
        note(
          'A console that immudb serves itself reaches that server only. Compare trusted states [by text or file](#verify-outside).',
        ),
      ],
    },
    {
      id: 'servers-choose',
      title: 'Choosing a server',
      blocks: [
        '*Server* in the header chooses it for all pages. Links carry its name.',
        list(
          'Each server has its own login. *Use the same name and password* tries them once on those you choose; the password is not stored.',
          'Sessions, drafts, settings and trusted states belong to one server.',
          '*Log out everywhere* ends all sessions; *Lock now* forgets all tokens.',
        ),
      ],
    },
    {
      id: 'servers-list',
      title: 'Figures',
      blocks: [
        list(
          '*Role*: by the settings of the databases.',
          '*Lag*: transactions that its replicas are behind, in one round; the worst counts.',
          '*Transactions*: of all loaded databases; “not known” for an empty one.',
          '*Last answer*: also how far its clock is off.',
        ),
        'Each of the [Servers](/servers) is asked once a minute while the tab is visible. *No answer* means five seconds without one.',
      ],
    },
    {
      id: 'servers-replicas',
      title: 'Replicas',
      blocks: [
        list(
          'The primary is asked last, so no replica seems ahead only because it was asked later.',
          'Committed and precommitted are what each server says. *Compare histories* proves it.',
          'Lag in time: between the newest transactions, not between clocks.',
          '`immudb_replication_lag` can be 0 on a replica that has forked.',
          'Errors of replication are in the log of the replica only; `immudb_replication_replicators_retries` grows.',
        ),
      ],
    },
    {
      id: 'servers-histories',
      title: 'Same history?',
      blocks: [
        '*Compare histories* compares each server with the one that has the most transactions. This browser checks every proof.',
        table(
          ['Result', 'Meaning'],
          [
            'Same history',
            'Both report one state, and each proved it. One may pass your questions on to the other',
          ],
          ['Behind by N', 'The state of one is part of the history of the other'],
          ['Forked after tx N', 'Equal up to N; each proved its own next transaction'],
          ['No common history', 'Normal for servers that never copied each other'],
          ['Forked: no common history', 'One server ID, different first transactions'],
          ['Not provable now', 'The reason follows'],
        ),
        'Two names with one server ID may be one server. Where only settings link two databases, a fork has no certificate: no proof covers settings.',
      ],
    },
    {
      id: 'servers-fork',
      title: 'After a fork',
      blocks: [
        steps(
          'Stop writing to both, and keep both data folders.',
          '*Save fork certificate*: both states with headers, proofs and signatures. Anyone can open it on [Verify](/verify), without a server.',
          'Open the first transaction of each side to find out when it began.',
        ),
        list(
          'Signatures bind the holder of each key to that history. Without them, anyone can make one up.',
          'One key on both sides proves no lie: a restored database may share it.',
          'A certificate never says which history is the true one.',
        ),
      ],
    },
    {
      id: 'servers-faults',
      title: 'Faults',
      blocks: [
        list(
          '“eu did not answer”: `webconsole` could not reach it. The message says whether anything was executed. A write is then [unknown](#trouble-unknown).',
          'Another immudb at an address needs a new login: `webconsole` asks each new connection for the server ID, an event with `--audit-log`.',
          'A replica made primary appears as one within a minute.',
        ),
      ],
    },
  ],
}
