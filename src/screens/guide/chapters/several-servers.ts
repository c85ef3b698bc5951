import { type Chapter, list, note, shell, steps, table } from '../guide'

export const severalServers: Chapter = {
  id: 'servers',
  title: 'Several servers',
  intro:
    'One console can stand in front of all servers of a team. It shows which of them share one history.',
  sections: [
    {
      id: 'servers-start',
      title: 'One console in front of several',
      blocks: [
        'Start the program `webconsole` with a list of names and web addresses. It passes each call to the server that the call names, so your browser talks to one address only.',
        shell('webconsole --server eu=ADDRESS --server us=ADDRESS'),
        shell('webconsole --servers servers.json'),
        'In the file, each server has a `name` and a `url`. `metrics`, `ca`, `cert`, `key` and `timeout` are optional. SIGHUP reads the file again. A bad file changes nothing, and the log says why.',
        'To see these pages with data, start a primary with two replicas:',
        shell('webconsole --demo --replicas 2'),
        note(
          'immudb can also serve this console itself. Then the console reaches that server only. Compare trusted states [by text or file](#verify-outside), or run `webconsole` in front.',
        ),
      ],
    },
    {
      id: 'servers-choose',
      title: 'Choosing a server',
      blocks: [
        '*Server* in the header chooses the server that all pages show. Links carry its name, so they open on the same server for everyone.',
        list(
          'Each server has its own login. *Use the same name and password* tries them once on the other servers. The password is not stored.',
          'Sessions, drafts, settings, trusted states and findings belong to one server. Nothing of one server is sent to another.',
          'A session that ends on one server leaves the others. *Log out everywhere* in the account menu ends all of them, and *Lock now* forgets all their tokens.',
          'If another immudb answers under a name, the console drops the session with that server and says so.',
        ),
      ],
    },
    {
      id: 'servers-list',
      title: 'What needs attention',
      blocks: [
        '[Servers](/servers) lists all of them. Those that need attention come first.',
        table(
          ['Column', 'What it shows'],
          [
            'Health',
            '*Answers*, *No answer* and since when, *Not logged in*, or *Refuses*, with the reason',
          ],
          ['Role', 'Primary or replica, from the settings of the databases'],
          ['Lag', 'How many transactions its replicas are behind; the worst of them counts'],
          [
            'Transactions',
            'The sum of all loaded databases. immudb leaves the count of an empty database out, so it is “not known”',
          ],
          [
            'Verified history',
            'For how many databases this browser keeps a trusted state, and which are *Broken*',
          ],
          ['Last answer', 'When it last answered, and by how much its clock differs'],
        ),
        'The console asks each server for its databases once a minute. A hidden tab asks for nothing. A server that is silent for five seconds counts as *No answer* and delays no other.',
      ],
    },
    {
      id: 'servers-replicas',
      title: 'Replicas',
      blocks: [
        'The settings of a replica name the host and the database of its primary. The picture shows a synchronous replica with a solid line and an asynchronous one with a dashed line.',
        '*Read states* asks the replicas first and the primary last. So a replica never seems to be ahead only because it was asked later.',
        list(
          'Committed and precommitted are what each server says. To prove it, compare the histories.',
          'Lag in time is the difference between the headers of the newest transactions. The clock of your computer plays no part.',
          'immudb’s own `immudb_replication_lag` can be 0 on a replica that has forked.',
          'Errors of replication are in the log of the replica’s server only. On its metrics port, `immudb_replication_replicators_retries` grows while it fails.',
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
            'Both report one state, and each proved it. It is green, unless both give one server ID or this browser found that history broken. It does not show that each stores it: one may pass your questions on to the other',
          ],
          [
            'Behind by N',
            'The state of one is part of the history of the other. Where it was found in the tree of transactions alone, the text says so',
          ],
          [
            'Forked after tx N',
            'They are the same up to N. The next transaction differs, and each proved its own',
          ],
          [
            'No common history',
            'Two histories of their own. That is normal for servers that never copied each other, and there is no certificate',
          ],
          [
            'Forked: no common history',
            'Both give the same server ID, and their first transactions differ. Either one server shows two histories, or the database was made separately on a copy of its files',
          ],
          ['Not provable now', 'The reason follows, such as a server that does not answer'],
        ),
        'The browser finds a fork by halves. Among a million transactions this takes 45 requests at most.',
        'A replica under another name stands beside its primary, because its settings name it. If the two have forked, there is no certificate. No proof covers settings, and any honest server holds different databases under different names.',
        'Two names of the list may give the same server ID. They may be one server, or a server and a copy of its files. The result says so.',
      ],
    },
    {
      id: 'servers-fork',
      title: 'When two servers have forked',
      blocks: [
        steps(
          'Stop writing to both servers, and keep both data folders.',
          '*Save fork certificate*. The file holds both states with their headers, proofs and signatures.',
          'Anyone can open the file on [Verify](/verify), without a server. See [Evidence](#verify-evidence).',
          'Find out when the fork began: open the first transaction of each side.',
        ),
        list(
          'If both states are signed, the holder of each key is bound to that history. See [Signed states](#verify-signature). Without signatures the file shows what was recorded, and anyone can make one up.',
          'One key on both sides does not prove a lie. The database may have been made again or restored, or the servers may share the key.',
          'A certificate never says which history is the true one.',
        ),
      ],
    },
    {
      id: 'servers-faults',
      title: 'When something fails',
      blocks: [
        list(
          '“eu did not answer”: `webconsole` could not reach that server. The message says whether anything was executed.',
          'A write without an answer, for example because `webconsole` was restarted, is *unknown*. Nothing repeats it. See [Nobody knows whether it was committed](#trouble-unknown).',
          'A name that leads to another address, or to another immudb at the same address, needs a new login. The old token stays in the browser. For that, `webconsole` asks each new connection for the ID of its server. With `--audit-log`, each such *Health* is an event.',
          'A replica that was made primary appears as one with the next list, within a minute.',
        ),
      ],
    },
  ],
}
