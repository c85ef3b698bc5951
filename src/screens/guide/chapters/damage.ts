import { type Chapter, list, note, shell, steps } from '../guide'

export const damage: Chapter = {
  id: 'damage',
  title: 'When something is damaged',
  intro: 'A history is broken, or a backup has to take its place. *Damage* on Verify keeps count.',
  sections: [
    {
      id: 'damage-steps',
      title: 'In this order',
      blocks: [
        steps(
          'Keep the evidence: *Save all as one archive* on [Verify](/verify), tab *Damage*. Put it where the server cannot reach it.',
          'Compare with others: another browser, an auditor, checkpoints kept elsewhere. The same hash as here: the server shows something else than before. Another hash: you were shown different histories.',
          'Find out which databases, and since when. What is newer than the trusted state is in doubt.',
          'Find out what still verifies: a [deep audit](#verify-audit), and [two servers compared](#servers-histories).',
          'Tell who runs the server, who relies on the data, and who keeps checkpoints. Not through this server.',
          'Check a restored copy before anyone writes to it.',
        ),
        note(
          'Do not forget the trusted state before the end: it is what a restored copy is checked against.',
        ),
      ],
    },
    {
      id: 'damage-archive',
      title: 'The archive',
      blocks: [
        'A zip file with trusted states, incidents, decisions, pinned keys, evidence of each finding, what witnesses signed that contradicts, receipts of the open page, audit reports, `verify.html` and `SHA256SUMS`. It holds content of what was proven, and no password or token.',
        'Anyone checks its files with `verify.html` in a browser, without a server, or with the program:',
        shell('webconsole verify --state STATES evidence/*.json'),
        'Nothing is green there but what a state or key vouches for that you give. If you did not save the archive yourself, take STATES from elsewhere, not its own `trusted-states.txt`, and the page from the release: whoever made the archive made them, too.',
      ],
    },
    {
      id: 'damage-copy',
      title: 'A restored copy',
      blocks: [
        list(
          'Start it at an address that only you can reach. The first write makes a history of its own.',
          'In its console, *Trusted states* on [Verify](/verify), compare `trusted-states.txt` and press *Ask the server for a proof* for each, or *Take over…* for a database that was not opened there yet: the copy has to prove it, too.',
          'Where the copy ends earlier, `earlier-states.txt` shows up to where it goes. What came later is lost: say so.',
          'Audit it with values. Then let it take the place of the server, and give the reason under *Resolve…*.',
        ),
      ],
    },
  ],
}
