import { type Chapter, list, note, proof, shell, steps, table } from '../guide'

export const verifying: Chapter = {
  id: 'verify',
  title: 'Verifying',
  intro: 'What proofs and marks show, and what to do about a red one.',
  sections: [
    {
      id: 'verify-chain',
      title: 'How tampering would show',
      blocks: [
        'Each transaction has a hash over its entries, its time and the hash before. The newest hash stands for the whole history; with its number it is the *state* of a database. Anyone who keeps a state can ask for two proofs later:',
        list(
          'inclusion proof: this entry was written in that transaction;',
          'consistency proof: that transaction and the kept state belong to one history, which was only added to.',
        ),
        note(
          'A state that comes together with the proof shows only that the server agrees with itself.',
        ),
      ],
    },
    {
      id: 'verify-means',
      title: 'What a proof shows',
      blocks: [
        'Exactly this content was written under exactly this key in this transaction, in the history of your trusted state. It does not show:',
        list(
          'that the content is true;',
          'that it is the newest version, or that the key still exists;',
          'that a list is complete, or that something does not exist: lists, counts and results of queries have no proof;',
          'that the time is right: the server chose it;',
          'anything before your first contact;',
          'what the table of a row and its columns are called. *Read from the history* supplies that: this browser reads every transaction by its digests, and the definitions of tables.',
        ),
      ],
    },
    {
      id: 'verify-here',
      title: 'What this console does',
      blocks: [
        'The first time you open a database, this browser records its state: the *trusted state*. That first contact believes the server. A newer state advances it once a proof shows that it continues from there.',
        'Rows, keys, documents and transactions are verified when you ask. *Verify* shows each step of the proof.',
      ],
    },
    {
      id: 'verify-green',
      title: 'What the marks mean',
      blocks: [
        table(
          ['Mark', 'Meaning'],
          ['Not checked', 'Nothing compared yet: neither good nor bad.'],
          [
            'First contact',
            'Recorded as the server gave it, or this browser keeps nothing for this page.',
          ],
          ['Imported', 'Taken over from elsewhere, not proven since.'],
          ['Consistent since tx N', 'Proofs advanced the trusted state from tx N to the newest.'],
          ['Verified', 'This browser calculated a proof against the trusted state.'],
          ['Verified in part', 'The proof holds. What it leaves open is named.'],
          ['Forgotten history', 'The proof is of a history that you forgot since.'],
          ['Reported by server', 'No proof: counts, lists, names, results of queries.'],
          ['Not provable', 'Nothing is there, or the answer was an error.'],
          ['Written again since', 'The proof is of a newer version than the screen shows.'],
          ['Not as shown, Not what was sent', 'The proof is of other content. Both are listed.'],
          [
            'Broken, Refused',
            'A proof does not hold, a signature is missing or wrong, or another server answers. The trusted state stays.',
          ],
        ),
        'Only *Verified*, *Consistent* and [one history of two servers](#servers-histories) are green-blue. No answer, or a missing permission, never shows as broken.',
        note(
          'This page comes from the server it is about. To be independent, open the same build from elsewhere (*About* in [Settings](/settings) lists its files), have evidence checked by someone else, and compare trusted states another way.',
        ),
      ],
    },
    {
      id: 'verify-audit',
      title: 'Deep audit',
      blocks: [
        '*Deep audit* on [Verify](/verify) reads every transaction and calculates all hashes again. They must end at the trusted state: then none is missing, inserted or changed.',
        'It derives the tables, too, and compares them with the server’s. *Read the values, too* adds every value, row and document. Results of queries are not compared.',
        'The report says what was not seen and why. A warning sign marks what to look into.',
      ],
    },
    {
      id: 'verify-arrivals',
      title: 'New transactions',
      blocks: [
        'A state covers a chain of transactions and a tree over them. Older ones are proven through the tree alone. Only reading the transactions shows whether the two agree.',
        'A deep audit reads all. *Check every transaction as it arrives*, off until you turn it on for a database, reads headers and digests of new ones in one visible tab.',
      ],
    },
    {
      id: 'verify-example',
      title: 'See one fail',
      blocks: [
        'Recorded answers for a key with the value `two`:',
        proof(
          { title: 'As the server answered', text: 'Every step holds.', change: 'none' },
          {
            title: 'With another value',
            text: 'Someone changed the value to “three”. Its digest is not in the transaction.',
            change: 'value',
          },
          {
            title: 'With another past',
            text: 'The console remembers another hash for transaction 14: the history was rewritten.',
            change: 'history',
          },
        ),
        '*Save evidence* gives a file to try on [Verify](/verify), tab *Evidence*.',
      ],
    },
    {
      id: 'verify-broken',
      title: 'When it is broken',
      blocks: [
        steps(
          'Save the evidence. It holds no password or token.',
          'Stop relying on the database. You can read; writes are blocked until you allow them.',
          'Ask whether someone restored a backup, replaced the server, or created the database again: that looks like tampering.',
          'Compare your trusted state with someone else’s. If they agree, the server shows another history than you both recorded.',
          'Only when you know why, press *Resolve…* in the red bar and give a reason. Once the trusted state is forgotten, the next check is a first contact.',
        ),
        '[When something is damaged](#damage-steps) leads through the rest in order.',
      ],
    },
    {
      id: 'verify-records',
      title: 'What this browser keeps',
      blocks: [
        'Trusted states, [named moments](#time-moments), pinned keys, witnesses, accepted servers, audits, incidents and a log. They stay when you log out.',
        list(
          '*Incidents*: refused proofs, contradictions and findings, without content; the 100 oldest and 100 newest of a database. A later good answer removes none. A repeated one, or two hashes for one transaction, needs attention.',
          '*Accepted servers*: who may answer at each address, and why. A pinned key belongs to one server: pin that of a new one, too.',
          'Damaged records are set aside, never deleted. [Verify](/verify) says what is done without them.',
        ),
        note(
          'Anyone who can write to this browser’s storage can write a record that looks right. Note the state of important databases elsewhere.',
        ),
      ],
    },
    {
      id: 'verify-evidence',
      title: 'Evidence',
      blocks: [
        'Any verification can be saved as a file of up to 64 MiB: request, answer, trusted state and pinned key. It contains what was read: treat it like the data.',
        'Anyone can drop it on *Evidence* of [Verify](/verify), in any copy of this console, without login or server.',
        'Anyone can make up a history with proofs that fit. So a file is green only where that browser keeps the same trusted state or pinned the key that signed it. What the file says of itself is quoted.',
        note(
          'A failure shows that an answer was wrong, not who made it wrong. Only a signature with a pinned key ties it to a server.',
        ),
      ],
    },
    {
      id: 'verify-outside',
      title: 'Other programs',
      blocks: [
        'immudb’s client and libraries verify, too; `safeset` verifies a write.',
        shell('immuclient login immudb'),
        shell('immuclient safeget guide:greeting'),
        shell('immuclient safetx 42'),
        'They keep the state in a file `.state-` with the name of the server. [Verify](/verify) compares it with its own record; the shield in the bar has the lines for it.',
      ],
    },
    {
      id: 'verify-witnesses',
      title: 'Witnesses',
      blocks: [
        'A server can show you one history and others another. A *witness* is someone else’s auditor: it follows the database and signs *checkpoints*, the number and hash of a transaction. If yours is the same history, each of them lies in it.',
        steps(
          'Get the key of the auditor from those who run it, not through this server.',
          'Pin it on [Verify](/verify), tab *Witnesses*.',
          'Choose a file of checkpoints, or one that is served beside this page.',
        ),
        shell('webconsole --checkpoints DIR'),
        'DIR is the folder `checkpoints` of an auditor, or with several servers `checkpoints/NAME` of one of them.',
        'The server must prove for each checkpoint that it lies in the history of your trusted state. The first that does not is named, with what was signed and the proof. It is an incident: there are two histories, or the witness is wrong.',
        'From then on proofs say *Also seen by* with the first checkpoint at or after their transaction: it covers that transaction and all before it. Checkpoints before it do not.',
        list(
          'A witness makes nothing green and replaces no proof.',
          'A checkpoint does not say that a witness saw what came after it, or any value.',
          'Whoever serves a file can leave checkpoints out. They cannot change one.',
        ),
      ],
    },
    {
      id: 'verify-signature',
      title: 'Signed states',
      blocks: [
        'A signed state shows that a holder of the key signed it, not that it is recent.',
        steps(
          'Make a key for the curve P-256 and start the server with it.',
          'Give the public key to those who verify, not through the server.',
          'Pin it on [Verify](/verify), tab *Signing keys*. From then on a state without a valid signature is a failure.',
        ),
        shell('openssl ecparam -name prime256v1 -genkey -noout -out state.key'),
        shell('immudb --signingKey state.key'),
        shell('webconsole --signing-key state.key'),
        'The public key, and its fingerprint as shown here:',
        shell('openssl ec -in state.key -pubout -out state.pem'),
        shell('openssl pkey -pubin -in state.pem -outform DER | sha256sum'),
      ],
    },
  ],
}
