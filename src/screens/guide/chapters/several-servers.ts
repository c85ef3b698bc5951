import { type Chapter, list, note, shell, steps, table } from '../guide'

export const severalServers: Chapter = {
  id: 'servers',
  title: 'Several servers',
  intro: 'One console in front of all servers of a team, and which of them share one history.',
  sections: [
    {
      id: 'servers-start',
      title: 'One console in front of several',
      blocks: [
        'Start `webconsole` with names and web addresses. Your browser talks to this one address only.',
        shell('webconsole --server eu=ADDRESS --server us=ADDRESS'),
        shell('webconsole --servers servers.json'),
        'In the file: `name` and `url`, and optionally `metrics`, `ca`, `cert`, `key` and `timeout`. SIGHUP reads it again; a bad file changes nothing.',
        'A primary with two replicas and data, to try it:',
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
        '*Server* in the header chooses it for all pages, and links carry its name.',
        list(
          'Each server has its own login. *Use the same name and password* tries them once on those you choose; the password is not stored.',
          'Sessions, drafts, settings and trusted states belong to one server.',
          '*Log out everywhere* ends all sessions; *Lock now* forgets all tokens.',
        ),
      ],
    },
    {
      id: 'servers-list',
      title: 'What needs attention',
      blocks: [
        '[Servers](/servers) lists them:',
        table(
          ['Column', 'What it shows'],
          [
            'Health',
            '*Answers*, *No answer* and since when, *Not logged in*, or *Refuses* with the reason',
          ],
          ['Role', 'Primary or replica, from the settings of the databases'],
          [
            'Lag',
            'Transactions that its replicas are behind, in one round of questions; the worst counts',
          ],
          ['Transactions', 'The sum of all loaded databases; “not known” for an empty one'],
          ['Verified history', 'Databases with a trusted state, and which are *Broken*'],
          ['Last answer', 'When it last answered, and how far its clock is off'],
        ),
        'Each is asked once a minute while the tab is visible. Five seconds without an answer count as *No answer* and delay no other.',
      ],
    },
    {
      id: 'servers-replicas',
      title: 'Replicas',
      blocks: [
        'The settings of a replica name its primary. A solid line is synchronous, a dashed one asynchronous.',
        list(
          'The replicas are asked first and the primary last, so a replica never seems to be ahead only because it was asked later.',
          'Committed and precommitted are what each server says. *Compare histories* proves it.',
          'Lag in time is the difference between the newest transactions, not of clocks.',
          '`immudb_replication_lag` can be 0 on a replica that has forked.',
          'Errors of replication are in the log of the replica only. `immudb_replication_replicators_retries` grows meanwhile.',
        ),
      ],
    },
    {
      id: 'servers-histories',
      title: 'Same history?',
      blocks: [
        '*Compare histories* compares each server with the one that has the most transactions. Your browser checks every proof.',
        table(
          ['Result', 'What it means'],
          [
            'Same history',
            'Both report one state, and each proved it. One may pass your questions on to the other',
          ],
          ['Behind by N', 'The state of one is part of the history of the other'],
          [
            'Forked after tx N',
            'Equal up to N. The next transaction differs, and each proved its own',
          ],
          [
            'No common history',
            'Two histories of their own: normal for servers that never copied each other',
          ],
          ['Forked: no common history', 'One server ID, and different first transactions'],
          ['Not provable now', 'The reason follows'],
        ),
        'No proof covers the settings that name a primary, so such a fork has no certificate. Two names with one server ID may be one server.',
      ],
    },
    {
      id: 'servers-fork',
      title: 'When two servers have forked',
      blocks: [
        steps(
          'Stop writing to both, and keep both data folders.',
          '*Save fork certificate*: both states with their headers, proofs and signatures.',
          'Anyone can open it on [Verify](/verify), without a server.',
          'Open the first transaction of each side to find out when it began.',
        ),
        list(
          'With signatures the holder of each key is bound to that history. Without them, anyone can make one up.',
          'One key on both sides proves no lie: a restored database may share it.',
          'A certificate never says which history is the true one.',
        ),
      ],
    },
    {
      id: 'servers-faults',
      title: 'When something fails',
      blocks: [
        list(
          '“eu did not answer”: `webconsole` could not reach it. The message says whether anything was executed.',
          'A write without an answer is *unknown*, and nothing repeats it. See [Unknown writes](#trouble-unknown).',
          'Another immudb at an address needs a new login: `webconsole` asks each new connection for the server ID, which is an event with `--audit-log`.',
          'A replica that was made primary appears as one within a minute.',
        ),
      ],
    },
  ],
}
