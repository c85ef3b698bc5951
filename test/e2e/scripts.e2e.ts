import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { api } from '../support/api'
import { corpusBytes } from '../support/corpus-bytes'
import { test, walk } from '../support/e2e'
import { expectAccessible, wide } from '../support/looks'
import { ScriptPage } from '../support/script-page'

const exec = { method: 'POST', path: '/db/sqlexec' }

/** What pg_dump writes of a table, with its key behind its rows. */
const dump = String.raw`-- PostgreSQL database dump
\restrict abc
SET client_encoding = 'UTF8';
CREATE TABLE public.phrog (
    id bigint NOT NULL,
    name character varying(40) DEFAULT ''::character varying NOT NULL,
    "born-at" timestamp with time zone,
    weight numeric(30,10),
    raw bytea,
    ok boolean
);
CREATE SEQUENCE public.phrog_id_seq;
ALTER TABLE ONLY public.phrog ALTER COLUMN id SET DEFAULT nextval('public.phrog_id_seq'::regclass);
COPY public.phrog (id, name, "born-at", weight, raw, ok) FROM stdin;
1	it's a \\ "frog"; -- no\ncomment 😀	2024-05-06 07:08:09.123456+02	1.5	\\x00ff	t
9223372036854775807	\N	\N	\N	\N	f
2	'); DROP TABLE phrog; --	1969-12-31 23:59:59.999999+00	0.1	\\x	f
\.
INSERT INTO public.phrog VALUES (3, 'three', 'yesterday', 12345678901234567890.5, NULL, true), (4, E'four\t', NULL, -2, NULL, NULL);
SELECT pg_catalog.setval('public.phrog_id_seq', 4, true);
ALTER TABLE ONLY public.phrog ADD CONSTRAINT phrog_pkey PRIMARY KEY (id);
CREATE INDEX phrog_name ON public.phrog USING btree (name);
CREATE INDEX phrog_raw ON public.phrog USING gin (raw);
GRANT ALL ON public.phrog TO me;
INSERT INTO public.missing VALUES (1);
`

/** Rows of a table with a key, as mysqldump writes them. */
function rowsOf(table: string, count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `(${at + 1},'name ${at + 1}')`)
  return [
    '-- MySQL dump 10.13',
    `CREATE TABLE \`${table}\` (\`id\` int NOT NULL, \`v\` varchar(20), PRIMARY KEY (\`id\`)) ENGINE=InnoDB;`,
    `LOCK TABLES \`${table}\` WRITE;`,
    `INSERT INTO \`${table}\` VALUES ${rows.join(',')};`,
    'UNLOCK TABLES;',
    '',
  ].join('\n')
}

describe('a script', () => {
  test(
    'is judged statement by statement, and what is sent of it is stored exactly',
    walk,
    async ({ server, open }) => {
      const db = await api(server.url)
      const console = await open(server.url, { viewport: wide.viewport })
      await console.enter('/query')
      const page = new ScriptPage(console)
      await page.open()
      await page.choose(dump, 'phrog.sql')
      await page
        .summary(
          /^16 statements: 0 run as they are, 6 rewritten, 8 left out, 2 cannot run\. 2 rows cannot be sent\.$/,
        )
        .waitFor()
      // The table gets the key that stands behind its rows.
      await page.pick('Kind of statement', /^CREATE TABLE/)
      await page.statement.getByRole('heading', { name: 'Statement 3, line 4' }).waitFor()
      await page.statement.getByText('PRIMARY KEY (id)').waitFor()
      await page.statement.getByText('born_at: It is called “born-at” in the script.').waitFor()
      await page.pick('What is sent', /^Cannot run/)
      await expect
        .poll(() => page.lines.getByRole('option').allTextContents())
        .toEqual([
          '16COPY into phrogCannot run',
          '19INSERT into phrogRewritten, in part',
          '25INSERT into missingCannot run',
        ])
      await page.statement.getByText('name is NULL, and the column takes no NULL.').waitFor()
      await page.lines.getByRole('option').nth(1).click()
      await page.statement.getByText('Row 1: born_at: “yesterday” is not a time').waitFor()
      await page.lines.focus()
      await console.page.keyboard.press('End')
      await console.page.keyboard.press('Enter')
      await page.statement.getByText('There is no table missing.').waitFor()
      await page.run()
      await page.complete()
      await page.dialog
        .getByText(
          /^Rows and statements 1–5 are committed: \d transactions in tx .* The last begins in line 22\.$/,
        )
        .waitFor()
      expect(await db.query('SELECT id, name, born_at, weight, raw, ok FROM phrog;')).toEqual([
        [
          { n: '1' },
          { s: 'it\'s a \\ "frog"; -- no\ncomment 😀' },
          { ts: '1714972089123456' },
          { f: 1.5 },
          { bs: 'AP8=' },
          { b: true },
        ],
        [
          { n: '2' },
          { s: "'); DROP TABLE phrog; --" },
          { ts: '-1' },
          { f: 0.1 },
          { bs: '' },
          { b: false },
        ],
        [{ n: '4' }, { s: 'four\t' }, { null: null }, { f: -2 }, { null: null }, { null: null }],
      ])
      await page.button('Close').last().click()
      await console.tables.getByRole('treeitem', { name: /^phrog/ }).waitFor()
    },
  )

  test('tells what became of each statement, where it stops and after a reload', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { viewport: wide.viewport })
    await console.enter('/query')
    const page = new ScriptPage(console)
    const refused = `CREATE TABLE told (id INTEGER, v VARCHAR[9], PRIMARY KEY (id));
INSERT INTO told (id, v) VALUES (1, 'a');
INSERT INTO told (id, v) VALUES (1, 'b');
GRANT ALL ON told TO me;
UPDATE told SET v = 'c' WHERE id = 1;`
    await page.open()
    await page.choose(dump, 'phrog.sql')
    await page.pick('What is sent', /^Cannot run/)
    await page.lines.getByRole('option', { name: /Rewritten, in part$/ }).click()
    await page.statement.getByText('Row 1: born_at: “yesterday” is not a time').waitFor()
    await expectAccessible(console.page, 'a judged script')
    await page.button('Choose another script').click()
    await page.choose(refused, 'told.sql')
    await page.run()
    await page.button('Leave out line 3 and continue').waitFor()
    await page
      .summary(/^5 statements: 2 committed, 1 refused, 1 left out, 1 not sent, 0 unknown\.$/)
      .waitFor()
    await page.pick('Outcome', /^Refused/)
    await expect
      .poll(() => page.lines.getByRole('option').allTextContents())
      .toEqual(['3INSERT into toldRefused'])
    await expectAccessible(console.page, 'the report of a script')
    await console.page.reload()
    await console.signedIn()
    await page.open()
    await page.choose(refused, 'told.sql')
    await page.button('Show what became of each statement').click()
    await page.summary(/^5 statements: 2 committed, 1 refused, 1 left out, 1 not sent/).waitFor()
    await page.pick('Outcome', /^Committed/)
    await expect
      .poll(() => page.lines.getByRole('option').allTextContents())
      .toEqual(['1CREATE TABLECommitted', '2INSERT into toldCommitted'])
    await page.lines.getByRole('option').nth(1).click()
    await page.statement.getByRole('heading', { name: 'Statement 2, line 2' }).waitFor()
    await page.statement.getByRole('link', { name: /^tx \d+$/ }).waitFor()
    const saved = console.page.waitForEvent('download')
    await page.button('Export').click()
    await console.page.getByRole('menuitem', { name: /^CSV for spreadsheets/ }).click()
    const text = await readFile(await (await saved).path(), 'utf8')
    expect(text.split('\n')[0]?.trim()).toBe(
      'statement,line,kind,judgement,fate,transaction,reason',
    )
    expect(text).toMatch(/^2,2,INSERT into told,runs,committed,\d+,/m)
    expect(text).toMatch(
      /^3,3,INSERT into told,runs,refused,,"What it would write was there already/m,
    )
    expect(text).toMatch(/^5,5,UPDATE told,\w+,not sent,,/m)
  })

  test('whose answer is lost comes in once, whatever the statement was', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(proxy.url)
    await console.enter('/query')
    const page = new ScriptPage(console)
    await page.open()
    await page.choose(rowsOf('lost', 2_500))
    proxy.fault({ ...exec, body: /CREATE TABLE lost/, times: 1, fault: { kind: 'dropAnswer' } })
    proxy.fault({ ...exec, body: /name 1500/, times: 1, fault: { kind: 'dropAnswer' } })
    await page.run()
    await page.complete()
    await page.dialog
      .getByText(/^Rows and statements 1–2,501 are committed: 4 transactions/)
      .waitFor()
    expect(await db.query('SELECT COUNT(*) FROM lost;')).toEqual([[{ n: '2500' }]])
    expect(proxy.count({ ...exec, body: /INSERT INTO lost/ })).toBe(3)
  })

  test('goes on after a reload with the same file, and knows another', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(proxy.url)
    await console.enter('/query')
    const page = new ScriptPage(console)
    await page.open()
    await page.choose(rowsOf('again', 4_000))
    const release = proxy.hold({ ...exec, body: /name 1500/ })
    await page.run()
    await page.dialog.getByText(/^Rows and statements 1–1,025 are committed/).waitFor()
    await console.page.reload()
    release()
    proxy.clearFaults()
    await console.signedIn()
    await page.open()
    await page.dialog.getByText('Unfinished imports').waitFor()
    await page.choose(rowsOf('again', 3_999))
    expect(await page.dialog.getByRole('button', { name: /^Continue after/ }).count()).toBe(0)
    await page.button('Choose another script').click()
    await page.choose(rowsOf('again', 4_000))
    await page.button('Continue after row or statement 1,025').click()
    await page.complete()
    expect(await db.query('SELECT COUNT(*) FROM again;')).toEqual([[{ n: '4000' }]])
  })

  test('that changes on the disk after it was judged is not sent', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(proxy.url)
    await console.enter('/query')
    const page = new ScriptPage(console)
    await page.open()
    const folder = await mkdtemp(join(tmpdir(), 'webconsole-script-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'changed.sql')
    const text = rowsOf('changed', 3)
    await writeFile(file, text)
    await page.dialog.getByLabel('SQL script').setInputFiles(file)
    await page.lines.waitFor()
    await writeFile(file, text.replace('name 2', 'evil 2'))
    await page.run()
    await console.page.getByRole('dialog', { name: 'Import stopped' }).waitFor()
    await page.dialog
      .getByText(/choose it again/i)
      .first()
      .waitFor()
    expect(proxy.count(exec)).toBe(0)
    expect(await db.query('SELECT * FROM TABLES();')).not.toContainEqual([{ s: 'changed' }])
  })

  test('that the server refuses in part says which row it was, and goes on without it', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(server.url)
    await console.enter('/query')
    const page = new ScriptPage(console)
    await page.open()
    const twice = `CREATE TABLE twice (id INTEGER, v VARCHAR[9], PRIMARY KEY (id));
INSERT INTO twice (id, v) VALUES (1, 'a');
INSERT INTO twice (id, v) VALUES (1, 'b');
INSERT INTO twice (id, v) VALUES (2, 'c');`
    await page.choose(twice)
    await page.summary(/^4 statements: 4 run as they are,/).waitFor()
    await page.run()
    await page.button('Leave out line 3 and continue').click()
    await page.complete()
    await page.dialog
      .getByText(/^Rows and statements 1–4 are committed, without 1 row or statement left out/)
      .waitFor()
    expect(await db.query('SELECT v FROM twice;')).toEqual([[{ s: 'a' }], [{ s: 'c' }]])
  })

  test('that destroys something is asked about, and drops only what it names', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await db.exec('CREATE TABLE doomed (id INTEGER, PRIMARY KEY id);')
    const console = await open(server.url)
    await console.enter('/query')
    const page = new ScriptPage(console)
    await page.open()
    await page.choose(`DROP TABLE IF EXISTS \`doomed\`;\n${rowsOf('doomed', 3)}`)
    const warning = page.dialog.getByRole('region', { name: 'What the script destroys' })
    await warning.getByText('Statement 1: Drop table doomed').waitFor()
    expect(await page.button(/^Run /).getAttribute('aria-disabled')).toBe('true')
    await warning.getByRole('checkbox', { name: 'Run these too' }).check()
    await page.run()
    await page.complete()
    expect(await db.query('SELECT COUNT(*) FROM doomed;')).toEqual([[{ n: '3' }]])
  })

  test('comes by a drop on the editor, by pasting, and in other encodings', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(server.url)
    await console.enter('/query')
    const page = new ScriptPage(console)
    await console.page.getByRole('region', { name: 'Editor', exact: true }).evaluate((editor) => {
      const data = new DataTransfer()
      const text =
        "CREATE TABLE dropped (id INTEGER, PRIMARY KEY (id));\nINSERT INTO dropped (id) VALUES ('never"
      data.items.add(new File([text], 'dropped.sql'))
      const event = { dataTransfer: data, bubbles: true, cancelable: true }
      editor.querySelector('.cm-content')?.dispatchEvent(new DragEvent('drop', event))
    })
    await page.summary(/^2 statements: 1 run as they are, .* 1 cannot run\.$/).waitFor()
    await page.pick('What is sent', /^Cannot run/)
    await page.statement.getByText(/begins in line 2 is never closed/).waitFor()
    await page.button('Choose another script').click()
    const latin = Buffer.from(
      "CREATE TABLE latin (id int, v varchar(9), PRIMARY KEY (id)) ENGINE=x;\r\nINSERT INTO latin VALUES (1, 'Größe');",
      'latin1',
    )
    await page.choose(latin)
    await page.run()
    await page.complete()
    expect(await db.query('SELECT v FROM latin;')).toEqual([[{ s: 'Größe' }]])
    await page.button('Close').last().click()
    await page.open()
    const wideText = `\ufeffCREATE TABLE wide (id int, v varchar(9), PRIMARY KEY (id)) ENGINE=x;\r\nINSERT INTO wide VALUES (1, '名前😀');`
    await page.choose(Buffer.from(wideText, 'utf16le'))
    await page.run()
    await page.complete()
    expect(await db.query('SELECT v FROM wide;')).toEqual([[{ s: '名前😀' }]])
    await page.button('Close').last().click()
    await page.open()
    await page.dialog
      .getByRole('textbox', { name: 'Script' })
      .fill('CREATE TABLE pasted (id INTEGER, PRIMARY KEY (id));')
    await page.button('Read the pasted script').click()
    await page.run()
    await page.complete()
    expect(await db.query('SELECT COUNT(*) FROM pasted;')).toEqual([[{ n: '0' }]])
  })

  test('A01: has every hostile text stored exactly, and nothing of it runs', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const texts = corpusBytes()
      .map(({ bytes }) => ({ bytes, text: bytes.toString() }))
      .filter(({ bytes, text }) => bytes.length < 20_000 && Buffer.from(text).equals(bytes))
      .map(({ text }) => text)
    const rows = texts.map(
      (text, at) => `INSERT INTO evil VALUES (${at}, '${text.replaceAll("'", "''")}');`,
    )
    const copied = texts.map((text, at) => {
      const escaped = text
        .replaceAll('\\', '\\\\')
        .replaceAll('\t', '\\t')
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r')
      return `${at + 1_000}\t${escaped}`
    })
    const script = [
      '-- PostgreSQL database dump',
      'CREATE TABLE evil (id integer PRIMARY KEY, body text);',
      ...rows,
      'COPY evil (id, body) FROM stdin;',
      ...copied,
      '\\.',
      '',
    ].join('\n')
    const console = await open(server.url)
    await console.enter('/query')
    const page = new ScriptPage(console)
    await page.open()
    await page.choose(script)
    await page.summary(/ 0 cannot run\.$/).waitFor()
    await page.run()
    await page.complete()
    const stored = await db.query('SELECT id, body FROM evil ORDER BY id;')
    const expected = [0, 1_000].flatMap((from) =>
      texts.map((s, at) => [{ n: String(from + at) }, { s }]),
    )
    expect(stored).toEqual(expected)
  })
})
