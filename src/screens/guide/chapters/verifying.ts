import { type Chapter, list, note, proof, shell, steps, table } from '../guide'

export const verifying: Chapter = {
  id: 'verify',
  title: 'Verifying',
  intro:
    'What immudb can prove, what it cannot, what the marks of this console mean, and what to do when one is red.',
  sections: [
    {
      id: 'verify-chain',
      title: 'How tampering would show',
      blocks: [
        'Each transaction has a hash over its entries, its time and the hash of the transaction before. So the hash of the newest transaction stands for the whole history before it. Number and hash of the newest transaction together are called the *state* of a database.',
        'Anyone who remembers a state can later ask the server to prove two things:',
        list(
          'that an entry was written in a certain transaction, which is an inclusion proof;',
          'that this transaction and the remembered one belong to one history that was only added to, which is a consistency proof.',
        ),
        'A proof is a list of hashes. The side that asked calculates with them. The proof holds only if the remembered state is still part of the history.',
        note(
          'The remembered state must not come from the server at the same time. A server that gives its state together with a proof proves only that it agrees with itself.',
        ),
      ],
    },
    {
      id: 'verify-means',
      title: 'What a proof shows',
      blocks: [
        'A proof that holds shows that exactly this content was written under exactly this key in this transaction. It also shows that the transaction belongs to the same history as the state you remembered. See [below](#verify-arrivals) for the one thing that the proof of an older transaction leaves open.',
        'It does not show:',
        list(
          'that the content is true; only that it was not changed since;',
          'that it is the newest version, or that the key still exists;',
          'that a list is complete, or that something does not exist; refusals, empty answers, counts and results of queries carry no proof;',
          'that the time of a transaction is right: the proof covers it, but the server chose it;',
          'anything about the time before you first remembered a state.',
        ),
        'The proof of a row does not cover which table it is, or the names and types of its columns. A [deep audit](#verify-audit) reads every transaction from the first up to the trusted state, also deletions. It says what it could not read. If it reads the values, it also derives the tables. Lists and query results are not compared with it.',
      ],
    },
    {
      id: 'verify-here',
      title: 'What this console does',
      blocks: [
        'When you first open a database, this browser records the number and the hash of its newest transaction: the *trusted state*. It stays in this browser, also when you log out. This first contact believes the server. Later answers are compared with it. Descriptions of tables and collections stay the server’s word until a deep audit derives them from the history. Until then a row or document is verified in part.',
        'For each newer state the console asks for a proof that it continues from the trusted state. It calculates the proof in this browser, and only then advances the trusted state. The page [Verify](/verify) lists all trusted states. There you can save them as text, compare them with those of others, and forget one with a reason.',
        'Single objects are verified when you ask for it. Rows have *Verify* on [Query](/query), keys on [Keys](/keys), documents on [Documents](/documents) and transactions on [Transactions](/tx). If you know a number or an id, use [Verify](/verify). Each opens the proof step by step, from the content up to the trusted state.',
        table(
          ['Step', 'What is checked'],
          ['Content to digest', 'Key and value give the digest of the entry'],
          [
            'Digest in its transaction',
            'The digest is one of those that make up the hash of all entries',
          ],
          [
            'Transaction to hash',
            'Number, time, entries and the hash before it give the hash of the transaction',
          ],
          [
            'Hash in the trusted history',
            'That transaction and the trusted state belong to one history',
          ],
          ['Signature', 'The server signed the state with the key you pinned, if you pinned one'],
        ),
        'Verifying only reads. On a server with an audit log the reading is recorded there, like all reading.',
      ],
    },
    {
      id: 'verify-green',
      title: 'What the marks mean',
      blocks: [
        table(
          ['Mark', 'What it says'],
          [
            'Not checked',
            'Nothing has been compared yet, for instance because the server is away. That is neither good nor bad.',
          ],
          [
            'First contact',
            'The state was recorded as the server gave it, and no proof has advanced it. The same state again is no proof. What you verify is compared with a state that the server gave itself. Or this browser keeps nothing for this page.',
          ],
          [
            'Imported',
            'You took the state over from elsewhere. Nothing has been proven since. *Not compared* means that no answer of the server has been compared with it yet.',
          ],
          [
            'Consistent since tx N',
            'Proofs have advanced the trusted state from tx N to the newest one. So the history contains every state that this browser recorded. A state that you imported counts once a proof was compared with it.',
          ],
          [
            'Verified',
            'This browser calculated a proof and compared it with the trusted state. Only this and *Consistent* have the green-blue colour, on every page, and that [two servers have one history](#servers-histories). Two equal answers are no proof.',
          ],
          [
            'Verified in part',
            'The proof holds, but leaves open what is named beside it. That may be a calculated column, or a table whose columns no audit has read from the history.',
          ],
          [
            'Forgotten history',
            'The proof is of a history that was forgotten since. It says nothing about the one that is followed now.',
          ],
          [
            'Reported by server',
            'The server says so, and no proof covers it: counts, lists, names, results of queries.',
          ],
          [
            'Not provable',
            'There can be no proof: something is not there, or the answer was an error.',
          ],
          [
            'Broken, or Refused',
            'A proof does not hold, a signature is missing or wrong, or an answer is not valid. Or a server answers that you did not accept. The trusted state stays where it was.',
          ],
        ),
        'A mark stands for what is shown beside it. All of that was compared with the proof, byte by byte. What is shown and not covered is named, and the mark then says *Verified in part*. Headings and sentences are those of this console. What a server or a file says of itself is quoted.',
        'A server that does not answer, or that refuses for lack of a permission, never shows as broken. Nothing was proven wrong.',
        note(
          'Green does not mean that the content is true, or the newest, or all there is. It means that it is what was committed, and that it belongs to the history of your trusted state. What is done, connected or active has a tick or a blue dot instead: that is the server’s word. Green says nothing about what the server did before your first contact.',
        ),
        note(
          'The page you are reading is served by the server it is about. Anyone who controls the server could serve another page in its place. To be independent of it, open the same build of this console from elsewhere. Compare its files with the list of the release under *About* in [Settings](/settings). Also have someone else check saved evidence, and compare trusted states another way than through this server.',
        ),
      ],
    },
    {
      id: 'verify-audit',
      title: 'The whole history at once',
      blocks: [
        'A proof is about one object. The tab *Deep audit* of [Verify](/verify) reads every transaction of the open database and calculates all hashes again. The end must be the trusted state. Then these are the transactions that the trusted state stands for. None is missing, inserted or changed since. At a first contact the trusted state itself was compared with nothing.',
        'With *Read the values, too* it also fetches every value, row and document. It derives the tables from the history and compares them with what the server says of them. Without it only the digests are checked, which is quicker.',
        'It works in the background of its tab, can be paused, and continues after a reload or a new login. With *Check only what is new* the next one begins where the last one ended. The report says which transactions were read now, and which an earlier audit had read, and when. A saved audit that does not fit the trusted state is a finding: it is not continued.',
        'The report says what was not seen, and why: expired values, what is larger than an answer, what the server refused. Of those at most the digest is known. What you should look into has a warning sign. The report can be saved and printed. The transactions are not in the file, so anyone who doubts it repeats the audit.',
      ],
    },
    {
      id: 'verify-arrivals',
      title: 'Every transaction as it arrives',
      blocks: [
        'The hash of a state stands for two things. In the chain each transaction names the one before; the tree is over all of them. The proof of an older transaction leads through the tree alone. A server that keeps another transaction in its tree than in its chain shows only when the transactions themselves are read.',
        'A deep audit does that for all transactions up to the trusted state. *Check every transaction as it arrives*, below it on [Verify](/verify), does it for new ones. With each new trusted state it reads the headers and digests of what came since, and compares tree and chain. A call reads at most 1,000 transactions. It begins where the last deep audit ended, or else at the trusted state. It does not read older transactions. It is off until you turn it on for one database of one server. The console first says what it costs.',
        'It runs in one visible tab while you are logged in, and can be paused. The proof of an older transaction says that it leads through the tree. It says so until one of the two has read from that transaction up to the trusted state. A contradiction makes the history broken, like any other. The check then stops, and continues when the alarm ends.',
      ],
    },
    {
      id: 'verify-example',
      title: 'See one fail',
      blocks: [
        'See the red state once before you need it. These are recorded answers of immudb for a key with the value `two`. The console trusted transaction 14 then. The first is the answer as it came. The other two were changed afterwards, as someone might do to hide something.',
        proof(
          {
            title: 'As the server answered',
            text: 'Every step holds.',
            change: 'none',
          },
          {
            title: 'With another value',
            text: 'Someone changed the stored value to “three”. Its digest is no longer in the transaction.',
            change: 'value',
          },
          {
            title: 'With another past',
            text: 'The console remembers another hash for transaction 14: the history was rewritten in between.',
            change: 'history',
          },
        ),
        'This does not touch your own databases or change a trusted state. *Save evidence* in the drawer gives a file like that of a real finding. Drop it on [Verify](/verify), tab *Evidence*, to see what others would see.',
      ],
    },
    {
      id: 'verify-broken',
      title: 'When it is broken',
      blocks: [
        steps(
          'Save the evidence. It holds the request, the answer, the trusted state and the refusal, and no password or token.',
          'Stop relying on the database. Reading stays possible; writes have to be confirmed.',
          'Ask whether someone restored a backup, replaced the server, or created the database again under its old name. Each of these replaces the history, so it looks the same as tampering.',
          'Compare your trusted state with someone else’s. If theirs agrees with yours, what the server shows now is another history than both of you recorded. If theirs agrees with the server, the two of you recorded different histories. The comparison does not tell which of them is true.',
          'Only when you know why, forget the trusted state on [Verify](/verify). The next check is then a first contact, and a line with your reason stays in the log.',
        ),
      ],
    },
    {
      id: 'verify-records',
      title: 'What this browser keeps',
      blocks: [
        'This browser stores trusted states, [named moments](#time-moments), pinned keys, accepted servers, the state of audits, incidents and a log. They stay when you log out.',
        'The tab *Incidents* of [Verify](/verify) lists refused proofs, contradictions, broken states and what a deep audit found. Each has its time and the two hashes where they are known. It holds no content, password or token. An incident stays when the next answer is right or the next audit finds nothing. It also stays when you choose *Check once more* or forget the trusted state. For each database this browser keeps the 100 oldest and the 100 newest incidents. It says how many in between it left out.',
        'A single incident with a right answer after it can be a fault on the way, such as a proxy. One that comes again, or two with different hashes for one transaction, needs attention. Save the list as text for the person who looks into it.',
        '*Accepted servers* lists who may answer at each address, since when, and the reason you gave. A pinned key belongs to one server and does not carry over to another. Pin the key of the new server too. When you revoke a server, its answers are reported as broken until you accept it again. If two accepted servers take turns, a bar says so each time.',
        'This browser checks the form of each record when it reads it. It never deletes a damaged one: Verify says what is done without it and lets you save it. When another record takes its place, the damaged one is set aside until you choose *Remove…*. A damaged trusted state leads to a first contact, so compare that with a state you noted elsewhere. While a pinned key is damaged, nothing of its server is verified: pin the key again or unpin it. A record of a newer version of this console stays as it is; open the newer console to use it.',
        note(
          'The check of a record shows damage, not intent. Anyone who can write to the storage of this browser can write a record that looks right. Note the state of important databases elsewhere.',
        ),
      ],
    },
    {
      id: 'verify-evidence',
      title: 'Evidence',
      blocks: [
        'Any verification can be saved as one file and printed. The file holds all that is needed to verify it again. That is the request, the answer with its proofs, the trusted state and the pinned key. The content that was read is in it, so treat it as you treat the data.',
        'Anyone who gets it can open this console anywhere, on another server or from a plain file server. Drop the file on the tab *Evidence* of [Verify](/verify). That works without a login, from the link below the login form, and asks no server.',
        'The result also says what the file alone cannot show. That is who vouches for the trusted state, and whether the content is the newest. It also cannot show that the server still says so. If that browser knows the same database, it compares its own record with the trusted state in the file.',
        'Anyone can make up a history with proofs that fit it. So a file is green only where that browser keeps the same trusted state, or pinned the key that signed it. The file of an audit is verified in part at most. It holds the end of the audit, not its transactions.',
        'The heading of the result is made of what is proven. What the file calls itself, its times and its names are quoted below. A file cannot say what your browser has read or audited.',
        'Files of up to 64 MiB are checked in the background and can be cancelled. One that is nested too deeply, or has a name twice in one object, is refused. This console writes no such file.',
        note(
          'Evidence of a failure shows that an answer was wrong, not who made it wrong. Only a signature with a pinned key ties an answer to a server.',
        ),
      ],
    },
    {
      id: 'verify-outside',
      title: 'Verifying with other programs',
      blocks: [
        'The command line client of immudb and the client libraries verify what they read and remember the state on their own machine. They notice when a server no longer has that state in its history.',
        shell('immuclient login immudb'),
        shell('immuclient safeget guide:greeting'),
        shell('immuclient safetx 42'),
        table(
          ['Command', 'What it does'],
          ['`safeget`', 'Reads a key and verifies it against the remembered state'],
          ['`safetx`', 'The same for a transaction'],
          ['`safeset`', 'Writes a key and verifies that it was written'],
        ),
        'What they remember is in a file `.state-` with the name of the server, in the folder where they run. [Verify](/verify) compares that file with what this browser knows. The panel behind the shield in the bar gives the lines for it. With them the programs continue from the trusted state of this browser.',
      ],
    },
    {
      id: 'verify-signature',
      title: 'Signed states',
      blocks: [
        'A server that was started with a private key (`--signingKey` of immudb, `--signing-key` of webconsole) signs each state. A signature proves that a holder of the key signed the state, also to others and later. It does not prove that the state is recent: an old one has a valid signature too.',
        steps(
          'Make a key for the curve P-256 and start the server with it.',
          'Hand the public key to those who verify, by a way that does not lead through the server.',
          'Pin the public key on [Verify](/verify), tab *Keys*. Paste it, drop its file, or confirm the one in a signed state by its fingerprint. From then on a state without a valid signature is a failure.',
        ),
        shell('openssl ecparam -name prime256v1 -genkey -noout -out state.key'),
        shell('immudb --signingKey state.key'),
        'Or, with the server that comes with this console:',
        shell('webconsole --signing-key state.key'),
        'The public key, and the fingerprint as this console shows it:',
        shell('openssl ec -in state.key -pubout -out state.pem'),
        shell('openssl pkey -pubin -in state.pem -outform DER | sha256sum'),
      ],
    },
  ],
}
