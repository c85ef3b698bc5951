import { faultRows, featureRows } from '~/words/server-version'
import { type Chapter, note, table } from '../guide'

const tried = '✓'

/** Where the console was tried. The versions are those of the table that the screens ask. */
export const compatibility: Chapter = {
  id: 'runs',
  title: 'Where it runs',
  intro: 'Versions of immudb, browsers and installations, as far as they were tried.',
  sections: [
    {
      id: 'runs-versions',
      title: 'Versions of immudb',
      blocks: [
        'Made for 1.11.1; walked with data of their own clients: 1.3.2, 1.4.1, 1.5.0, 1.9.5 and 1.10.0. A newer version is used like 1.11.1. [Settings](/settings) say what is known of yours.',
        table(['What', 'From immudb'], ...featureRows()),
        table(['Known fault', 'In immudb'], ...faultRows()),
        table(
          ['Verified in this browser', '1.3.2, 1.4.1', '1.5.0', '1.9.5, 1.10.0', '1.11.1'],
          ['Rows', 'not provable', 'not provable', tried, tried],
          ['Keys', tried, tried, tried, tried],
          ['Documents', 'none', 'not tried', tried, tried],
          ['Transactions, whole history', tried, tried, tried, tried],
          ['The same history after an upgrade to 1.11.1', tried, 'not tried', '1.9.5', '–'],
        ),
        note(
          'Where a version before 1.3.2 wrote, some transactions can be proven by 1.4.1 or newer alone. Rows that 1.5 or older deleted end immudb 1.11.1: webconsole refuses such data and says so.',
        ),
      ],
    },
    {
      id: 'runs-browsers',
      title: 'Browsers',
      blocks: [
        'It needs Chromium 117, Firefox 128 or Safari 17.4, or newer ones. A browser that lacks what the console needs gets a page that says so.',
        'Tests walk through newest Chromium, Firefox ESR and WebKitGTK, the engine of Safari. Of the oldest, Chromium 117 was walked through once; for the others compatibility data speak.',
        table(
          ['Walk', 'Chromium', 'Firefox', 'WebKit'],
          ['Log in, SQL, all pages, log out', tried, tried, tried],
          ['Each write runs at most once', tried, tried, tried],
          ['Two tabs, and pages kept for “back”', tried, tried, tried],
          ['Keys, documents, tables, users, databases', tried, tried, tried],
          ['Import, export, evidence files', tried, tried, tried],
          ['Several servers: states, histories, fifty in a list', tried, tried, tried],
          ['Deep audit and metrics in workers', tried, tried, tried],
          ['No storage, reload, drafts', tried, tried, tried],
          ['Content policy', tried, tried, tried],
          ['Whole keyboard walk', tried, 'in part', tried],
          ['Forced colours, zoom, screen readers by rule', tried, 'not tried', 'not tried'],
        ),
      ],
    },
    {
      id: 'runs-installations',
      title: 'Installations',
      blocks: [
        table(
          ['What', 'How it was tried'],
          [
            'nginx, Caddy, HAProxy, oauth2-proxy',
            'The real programs, [with these files](#proxies)',
          ],
          ['Binary for Linux', 'Run, as another user on a read-only root'],
          ['Binaries for macOS and Windows', 'Built, not started'],
          [
            'Containerfile, compose file, Helm values',
            'Their file system and settings, without a daemon',
          ],
          ['Unit of systemd', 'Checked by `systemd-analyze`, not started'],
        ),
      ],
    },
  ],
}
