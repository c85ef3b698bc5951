import { type Chapter, list, note, shell, steps, table } from '../guide'

export const verifying: Chapter = {
  id: 'verify',
  title: 'Verifying',
  intro:
    'What immudb can prove, what it cannot, and what this version of the console does about it.',
  sections: [
    {
      id: 'verify-chain',
      title: 'How tampering would show',
      blocks: [
        'Each transaction has a hash over its entries, its time and the hash of the transaction before. So the hash of the newest transaction stands for the whole history before it. Number and hash of the newest transaction together are called the *state* of a database.',
        'Somebody who remembers a state can later ask the server to prove two things:',
        list(
          'that an entry was written in a certain transaction, which is an inclusion proof;',
          'that this transaction and the remembered one belong to one history that was only added to, which is a consistency proof.',
        ),
        'A proof is a list of hashes that the asking side calculates through. It works out only if nothing up to the remembered state was rewritten, inserted or removed.',
        note(
          'The remembered state has to come from outside of the server. A server that is asked for its state and for a proof at the same time proves only that it agrees with itself.',
        ),
      ],
    },
    {
      id: 'verify-means',
      title: 'What a proof shows',
      blocks: [
        'A proof that works out shows that exactly this content was written under exactly this key in this transaction, and that the transaction belongs to the same unbroken history as the state you remembered.',
        'It does not show:',
        list(
          'that the content is true; only that it was not changed since;',
          'that it is the newest version, or that the key still exists;',
          'that a list is complete, or that something does not exist: refusals, empty answers, counts, and the results of queries carry no proof;',
          'that the time of a transaction is right: the server states it, and nobody can change it afterwards;',
          'anything about the time before you first remembered a state.',
        ),
        'Names and types of columns are not covered by the proof of a row either. A full audit, which reads every transaction from the first, covers more: then lists and deletions are proven up to the state it ends with.',
      ],
    },
    {
      id: 'verify-here',
      title: 'What this version of the console does',
      blocks: [
        'This version does not verify proofs itself; the pages for that are to come. Until then everything you see is what the server says, and the console labels it *reported by server*.',
        'It offers this:',
        list(
          'The card *State* on the [Overview](/) shows number and hash of the newest transaction. Copy both and keep them somewhere else to have a state to compare with later.',
          'The overview notes how far each database was when you were last here. A server that has fewer transactions than this browser has seen is reported as *History is shorter than before*: it was put back to an older copy or made anew under its name, or another server answers.',
          '*Get with proof* on the page [Keys](/keys) shows what the server offers as proof for a key. Nothing of it is checked.',
        ),
        note(
          'The page you are reading is served by the server it is about. Somebody who controls the server could serve another page in its place. An independent check needs a program from elsewhere.',
        ),
      ],
    },
    {
      id: 'verify-outside',
      title: 'Verifying with other programs',
      blocks: [
        'The command line client of immudb and the client libraries verify what they read and remember the state on their own machine. They notice when a server goes back behind it.',
        shell('immuclient login immudb'),
        shell('immuclient safeget guide:greeting'),
        shell('immuclient safetx 42'),
        table(
          ['Command', 'What it does'],
          ['`safeget`', 'Reads a key and verifies it against the remembered state'],
          ['`safetx`', 'The same for a transaction'],
          ['`safeset`', 'Writes a key and verifies that it was written'],
        ),
      ],
    },
    {
      id: 'verify-signature',
      title: 'Signed states',
      blocks: [
        'A server that was started with `--signingKey` and a private key signs each state. A signature proves that the state came from whoever holds the key, also to others and later. It does not prove that the state is recent: an old one has a valid signature too.',
        steps(
          'Make a key for the curve P-256 and start the server with it.',
          'Hand the public key to those who verify, by a way that does not lead through the server.',
          'The card *State* on the [Overview](/) then says that the state is signed. This version of the console does not check the signature.',
        ),
        shell('openssl ecparam -name prime256v1 -genkey -noout -out state.key'),
        shell('immudb --signingKey state.key'),
      ],
    },
  ],
}
