import { type Chapter, list, note, table } from '../guide'

export const fromPrograms: Chapter = {
  id: 'code',
  title: 'From your own program',
  intro: 'What is open, as a call of curl, Go, Python, Java, Node or psql.',
  sections: [
    {
      id: 'code-snippets',
      title: 'Show as code',
      blocks: [
        'The button with `</>`, or *Code*, stands at rows, tables, keys, documents, searches, statements, results and proofs. It writes the same call with the names and values of what is open.',
        'No snippet has a password or a token. Set these in the environment of your program first:',
        table(
          ['Variable', 'Value'],
          ['`IMMUDB_USER`', 'A user of the server, with the permission for the call'],
          ['`IMMUDB_PASSWORD`', 'Its password. psql takes `PGPASSWORD` instead, or asks'],
        ),
        'curl, Java and Node reach the server as this page does, over HTTP. Go and Python need the port for programs, 3322 if the server was not told otherwise, and psql that of immudb’s `--pgsql-server`, often 5432. The server tells neither to a browser. A gateway that asks for a login of its own stops what comes over HTTP: name the address of the server itself there.',
        note(
          'Snippets are plain ASCII. What is invisible or turns the order of letters stands there as an escape, and no name ends the quotes around it.',
        ),
      ],
    },
    {
      id: 'code-limits',
      title: 'What each language can do',
      blocks: [
        list(
          'Only Go and Python verify rows, keys and transactions; Python leaves out keys that its SDK encodes otherwise than immudb.',
          'Only Go verifies documents, with a package of immudb. The others read the proof.',
          'Java verifies keys with immudb4j. That snippet was never run by the tests of this console; the others are, against a real server.',
          'Node does without immudb-node: it refuses every proof of servers since 1.2 and rounds large integers.',
          'curl verifies nothing: check saved evidence with `webconsole verify`.',
          'psql speaks only SQL. Statements that the PostgreSQL port of immudb rewrites or answers itself are refused.',
        ),
        'All numbers are exact, times to the microsecond. curl, Java and Node read whole tables by pages; Go, Python and psql in one go.',
      ],
    },
  ],
}
