import { type Chapter, list, note, proof, shell, steps, table } from '../guide'

export const verifying: Chapter = {
  id: 'verify',
  title: 'Verifying',
  intro: 'What a proof shows, what the marks mean, and what to do when one is red.',
  sections: [
    {
      id: 'verify-chain',
      title: 'How tampering would show',
      blocks: [
        'Each transaction has a hash over its entries, its time and the hash before. So the newest hash stands for the whole history. It is the *state* of a database, with its number.',
        'Anyone who keeps a state can ask for two proofs later:',
        list(
          'an inclusion proof: this entry was written in that transaction;',
          'a consistency proof: that transaction and the kept state belong to one history, which was only added to.',
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
        'Exactly this content was written under exactly this key in this transaction, which belongs to the history of your trusted state.',
        'It does not show:',
        list(
          'that the content is true;',
          'that it is the newest version, or that the key still exists;',
          'that a list is complete, or that something does not exist: lists, counts and results of queries have no proof;',
          'that the time is right: the server chose it;',
          'anything before your first contact.',
        ),
        'The proof of a row does not cover the names of its table and columns. *Read from the history* beside it supplies them: this browser reads every transaction by its digests, and the definitions of tables.',
      ],
    },
    {
      id: 'verify-here',
      title: 'What this console does',
      blocks: [
        'The first time you open a database, this browser records its state: the *trusted state*. It stays when you log out. That first contact believes the server.',
        'A newer state advances it once a proof shows that it continues from there. [Verify](/verify) lists all trusted states.',
        'Rows, keys, documents and transactions are verified when you ask. *Verify* opens the proof step by step:',
        table(
          ['Step', 'What is checked'],
          ['Content to digest', 'Key and value give the digest of the entry'],
          ['Digest in its transaction', 'The digest is part of the hash of all entries'],
          ['Transaction to hash', 'Number, time, entries and the hash before give its hash'],
          ['Hash in the trusted history', 'It belongs to the history of the trusted state'],
          ['Signature', 'The server signed with the key you pinned, if any'],
        ),
      ],
    },
    {
      id: 'verify-green',
      title: 'What the marks mean',
      blocks: [
        table(
          ['Mark', 'Meaning'],
          ['Not checked', 'Nothing was compared yet. Neither good nor bad.'],
          [
            'First contact',
            'Recorded as the server gave it, or this browser keeps nothing for this page.',
          ],
          ['Imported', 'Taken over from elsewhere, and not proven since.'],
          [
            'Consistent since tx N',
            'Proofs advanced the trusted state from tx N to the newest one.',
          ],
          [
            'Verified',
            'This browser calculated a proof against the trusted state. Only this, *Consistent* and [one history of two servers](#servers-histories) have the green-blue colour.',
          ],
          ['Verified in part', 'The proof holds. What it leaves open is named beside it.'],
          ['Forgotten history', 'The proof is of a history that you forgot since.'],
          ['Reported by server', 'No proof covers it: counts, lists, names, results of queries.'],
          ['Not provable', 'Nothing is there, or the answer was an error.'],
          [
            'Broken, Refused',
            'A proof does not hold, a signature is missing or wrong, or another server answers. The trusted state stays.',
          ],
        ),
        'No answer, or a missing permission, never shows as broken.',
        note(
          'This page comes from the server it is about. To be independent, open the same build from elsewhere (*About* in [Settings](/settings) lists its files), have someone else check saved evidence, and compare trusted states another way.',
        ),
      ],
    },
    {
      id: 'verify-audit',
      title: 'The whole history at once',
      blocks: [
        '*Deep audit* on [Verify](/verify) reads every transaction and calculates all hashes again. They must end at the trusted state: then none is missing, inserted or changed.',
        'It also derives the tables and compares them with the server’s. With *Read the values, too* it reads every value, row and document. Results of queries are not compared.',
        'It can be paused, and continues after a reload or a login. *Check only what is new* begins where the last one ended.',
        'The report says what was not seen and why. A warning sign marks what to look into.',
      ],
    },
    {
      id: 'verify-arrivals',
      title: 'Every transaction as it arrives',
      blocks: [
        'A state covers a chain of transactions and a tree over all of them. The proof of an older one uses the tree alone. That the two agree, only reading the transactions shows.',
        'A deep audit reads all of them. *Check every transaction as it arrives*, below it, reads the headers and digests of new ones, in one visible tab. It is off until you turn it on for a database, and says first what it costs.',
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
          'Stop relying on the database. You can still read; writes have to be confirmed.',
          'Ask whether someone restored a backup, replaced the server, or created the database again: that looks like tampering.',
          'Compare your trusted state with someone else’s. If they agree, the server shows another history than you both recorded.',
          'Only when you know why, forget the trusted state on [Verify](/verify) with a reason. The next check is a first contact.',
        ),
      ],
    },
    {
      id: 'verify-records',
      title: 'What this browser keeps',
      blocks: [
        'Trusted states, [named moments](#time-moments), pinned keys, accepted servers, audits, incidents and a log. They stay when you log out.',
        list(
          '*Incidents*: refused proofs, contradictions and findings, without content; the 100 oldest and the 100 newest of a database. A later good answer removes none. One that comes again, or two hashes for one transaction, needs attention.',
          '*Accepted servers*: who may answer at each address, and why. A pinned key belongs to one server: pin the key of a new one, too.',
          'Damaged records are set aside, never deleted. [Verify](/verify) says what is done without them.',
        ),
        note(
          'Whoever can write to this browser’s storage can write a record that looks right. Note the state of important databases elsewhere.',
        ),
      ],
    },
    {
      id: 'verify-evidence',
      title: 'Evidence',
      blocks: [
        'Any verification can be saved as one file: request, answer, trusted state and pinned key. It contains what was read, so treat it like the data.',
        'Anyone can drop it on *Evidence* of [Verify](/verify), in any copy of this console, without login or server.',
        'Anyone can make up a history with proofs that fit. So a file is green only where that browser keeps the same trusted state or pinned the key that signed it.',
        'What the file says of itself is quoted. Files have up to 64 MiB.',
        note(
          'Evidence of a failure shows that an answer was wrong, not who made it wrong. Only a signature with a pinned key ties it to a server.',
        ),
      ],
    },
    {
      id: 'verify-outside',
      title: 'Verifying with other programs',
      blocks: [
        'The client and the libraries of immudb verify, too:',
        shell('immuclient login immudb'),
        shell('immuclient safeget guide:greeting'),
        shell('immuclient safetx 42'),
        table(
          ['Command', 'What it does'],
          ['`safeget`', 'Reads a key and verifies it'],
          ['`safetx`', 'The same for a transaction'],
          ['`safeset`', 'Writes a key and verifies that it was written'],
        ),
        'They keep the state in a file `.state-` with the name of the server. [Verify](/verify) compares it with its own record; the shield in the bar has the lines for it.',
      ],
    },
    {
      id: 'verify-signature',
      title: 'Signed states',
      blocks: [
        'A server with a private key signs each state, which shows that a holder of the key signed it, not that it is recent.',
        steps(
          'Make a key for the curve P-256 and start the server with it.',
          'Give the public key to those who verify, not through the server.',
          'Pin it on [Verify](/verify), tab *Keys*. From then on a state without a valid signature is a failure.',
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
