import type { KeyValue } from '~/immudb/key-address'
import type { Param } from '~/sql/params'
import { type Call, type Place, requestOf, type Snippet } from './call'
import { doubleQuoted, literalLines, quotedBytes } from './quoting'
import { versions } from './versions'

/** The call for immudb's own Go client. */
export function goSnippet(call: Call, place: Place): Snippet {
  if (call.kind === 'documents') return documents(call, place)
  return call.kind === 'document proof' ? documentProof(call, place) : byClient(call, place)
}

/** What the client does not have, but the messages below it. */
type OfDocuments = 'documents' | 'document proof'

type Part = { readonly imports: readonly string[]; readonly lines: readonly string[] }

function byClient(call: Exclude<Call, { kind: OfDocuments }>, place: Place): Snippet {
  const { imports, lines } = bodyOf(call)
  const code = program(
    ['os', client, ...imports],
    [
      `\tc := client.NewClient().WithOptions(client.DefaultOptions().WithAddress(${doubleQuoted(place.host)}).WithPort(${place.ports.grpc}))`,
      `\terr := c.OpenSession(ctx, []byte(os.Getenv("IMMUDB_USER")), []byte(os.Getenv("IMMUDB_PASSWORD")), ${doubleQuoted(place.database)})`,
      ...failing,
      '\tdefer c.CloseSession(ctx)',
      ...lines,
      '\treturn nil',
    ],
  )
  const isVerified =
    call.kind === 'row' || ((call.kind === 'key' || call.kind === 'tx') && call.isVerified)
  const notes = isVerified
    ? [
        'The client keeps the trusted state in files of the current folder. The first run trusts what the server says.',
      ]
    : []
  if (call.kind === 'keys' || call.kind === 'tx') notes.push('It prints hexadecimal digits.')
  return { code, by: 'grpc', needs, notes }
}

const needs = [`Go, and in its module: go get github.com/codenotary/immudb@v${versions.go}`]
const client = 'github.com/codenotary/immudb/pkg/client'
const schema = 'github.com/codenotary/immudb/pkg/api/schema'
const protomodel = 'github.com/codenotary/immudb/pkg/api/protomodel'
const failing = ['\tif err != nil {', '\t\treturn err', '\t}']

function program(imports: readonly string[], lines: readonly string[]): string {
  const all = [...new Set(['context', 'log', ...imports])].sort()
  const own = all.filter((path) => !path.includes('.'))
  const others = all.filter((path) => path.includes('.'))
  return `${[
    'package main',
    '',
    'import (',
    ...own.map((path) => `\t"${path}"`),
    '',
    ...others.map((path) => `\t"${path}"`),
    ')',
    '',
    'func main() {',
    '\tif err := run(context.Background()); err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '}',
    '',
    'func run(ctx context.Context) error {',
    ...lines,
    '}',
  ].join('\n')}\n`
}

function bodyOf(call: Exclude<Call, { kind: OfDocuments }>): Part {
  switch (call.kind) {
    case 'sql':
      return call.isQuery ? query(call) : exec(call)
    case 'row':
      return row(call)
    case 'rows':
      return allRows(call)
    case 'key':
      return key(call)
    case 'keys':
      return {
        imports: ['fmt', schema],
        lines: [
          `\tentries, err := c.Scan(ctx, &schema.ScanRequest{Prefix: []byte(${quotedBytes(call.prefix)}), Limit: ${call.limit}})`,
          ...failing,
          '\tfor _, entry := range entries.Entries {',
          '\t\tfmt.Printf("%x %x\\n", entry.Key, entry.Value)',
          '\t}',
        ],
      }
    case 'tx':
      return {
        imports: ['fmt'],
        lines: [
          `\ttx, err := c.${call.isVerified ? 'VerifiedTxByID' : 'TxByID'}(ctx, ${call.tx})`,
          ...failing,
          '\tfor _, entry := range tx.Entries {',
          '\t\tfmt.Printf("%x %x\\n", entry.Key, entry.HValue)',
          '\t}',
        ],
      }
  }
}

function key({ key, at, isVerified }: Extract<Call, { kind: 'key' }>): Part {
  const when = !at
    ? ''
    : 'tx' in at
      ? `, client.AtTx(${at.tx})`
      : `, client.AtRevision(${at.revision})`
  const get = isVerified ? 'VerifiedGet' : 'Get'
  return {
    imports: [],
    lines: [
      `\tentry, err := c.${get}(ctx, []byte(${quotedBytes(key)})${when})`,
      ...failing,
      '\tos.Stdout.Write(entry.Value)',
    ],
  }
}

/** A row as a line of JSON: numbers and times as text, so that no reader rounds them. */
const printed = [
  '\t\tcells := []string{}',
  '\t\tfor _, value := range row.Values {',
  '\t\t\tcells = append(cells, schema.RenderValue(value.Value))',
  '\t\t}',
  '\t\tif err := json.NewEncoder(os.Stdout).Encode(cells); err != nil {',
  '\t\t\treturn err',
  '\t\t}',
]

function query(call: Extract<Call, { kind: 'sql' }>): Part {
  const { text, imports } = paramsOf(call.params)
  return {
    imports: ['encoding/json', schema, ...imports],
    lines: [
      `\tresult, err := c.SQLQuery(ctx, ${textOf(call.sql)}, ${text}, true)`,
      ...failing,
      '\tfor _, row := range result.Rows {',
      ...printed,
      '\t}',
    ],
  }
}

function exec(call: Extract<Call, { kind: 'sql' }>): Part {
  const { text, imports } = paramsOf(call.params)
  return {
    imports: ['fmt', ...imports],
    lines: [
      `\tresult, err := c.SQLExec(ctx, ${textOf(call.sql)}, ${text})`,
      ...failing,
      '\tfor _, tx := range result.Txs {',
      '\t\tfmt.Println("transaction", tx.Header.GetId(), "rows", tx.UpdatedRows)',
      '\t}',
    ],
  }
}

function row(call: Extract<Call, { kind: 'row' }>): Part {
  const { text, imports } = paramsOf(call.params)
  const values = call.key.map(({ value }) => `\t\t{Value: &${protoValue(value)}},`)
  return {
    imports: ['encoding/json', 'errors', schema, ...imports],
    lines: [
      `\tresult, err := c.SQLQuery(ctx, ${textOf(call.sql)}, ${text}, true)`,
      ...failing,
      '\tif len(result.Rows) != 1 {',
      '\t\treturn errors.New("there is no such row")',
      '\t}',
      '\trow := result.Rows[0]',
      `\terr = c.VerifyRow(ctx, row, ${doubleQuoted(call.table)}, []*schema.SQLValue{`,
      ...values,
      '\t})',
      ...failing,
      ...printed.map((line) => line.slice(1)),
    ],
  }
}

function allRows(call: Extract<Call, { kind: 'rows' }>): Part {
  const { text, imports } = paramsOf(call.params)
  return {
    imports: ['encoding/json', 'fmt', 'math', ...imports],
    lines: [
      `\treader, err := c.SQLQueryReader(ctx, ${textOf(call.sql)}, ${text})`,
      ...failing,
      '\tdefer reader.Close()',
      '\tfor reader.Next() {',
      '\t\trow, err := reader.Read()',
      '\t\tif err != nil {',
      '\t\t\treturn err',
      '\t\t}',
      '\t\tfor at, value := range row {',
      '\t\t\t// JSON has no such numbers.',
      '\t\t\tif number, ok := value.(float64); ok && (math.IsNaN(number) || math.IsInf(number, 0)) {',
      '\t\t\t\trow[at] = fmt.Sprint(number)',
      '\t\t\t}',
      '\t\t}',
      '\t\tif err := json.NewEncoder(os.Stdout).Encode(row); err != nil {',
      '\t\t\treturn err',
      '\t\t}',
      '\t}',
    ],
  }
}

function documents(call: Extract<Call, { kind: 'documents' }>, place: Place): Snippet {
  const { body = '{}' } = requestOf(call)
  const code = inSession(place, {
    imports: ['fmt', encoding],
    lines: [
      '\trequest := &protomodel.SearchDocumentsRequest{}',
      `\tif err := protojson.Unmarshal([]byte(${doubleQuoted(body)}), request); err != nil {`,
      '\t\treturn err',
      '\t}',
      `\trequest.Query.CollectionName = ${doubleQuoted(call.collection)}`,
      '\tfound, err := protomodel.NewDocumentServiceClient(conn).SearchDocuments(ctx, request)',
      ...failing,
      '\tfor _, revision := range found.Revisions {',
      '\t\tfmt.Println(protojson.MarshalOptions{}.Format(revision.Document))',
      '\t}',
    ],
  })
  return { code, by: 'grpc', needs, notes: [floats] }
}

const encoding = 'google.golang.org/protobuf/encoding/protojson'
const floats = 'Numbers of documents are 64-bit floats, also on the server.'

/**
 * `VerifyDocument` of immudb's own package, and what it leaves to the program: that the answer is
 * about the document and the transaction that were asked for.
 */
function documentProof(call: Extract<Call, { kind: 'document proof' }>, place: Place): Snippet {
  const named = `CollectionName: ${doubleQuoted(call.collection)}, DocumentId: ${doubleQuoted(call.id)}`
  const isWrong = [
    `!strings.EqualFold(document.Fields[proof.DocumentIdFieldName].GetStringValue(), ${doubleQuoted(call.id)})`,
    ...(call.tx === '0' ? [] : [`tx != ${call.tx}`]),
  ]
  const code = inSession(place, {
    imports: [
      'errors',
      'fmt',
      'strings',
      'github.com/codenotary/immudb/pkg/verification',
      encoding,
      'google.golang.org/protobuf/types/known/structpb',
    ],
    lines: [
      '\tdocuments := protomodel.NewDocumentServiceClient(conn)',
      `\tproof, err := documents.ProofDocument(ctx, &protomodel.ProofDocumentRequest{${named}, TransactionId: ${call.tx}})`,
      ...failing,
      '\ttx := proof.VerifiableTx.Tx.Header.Id',
      '\tvar document *structpb.Struct',
      '\tfor page := uint32(1); document == nil; page++ {',
      `\t\tfound, err := documents.AuditDocument(ctx, &protomodel.AuditDocumentRequest{${named}, Desc: true, Page: page, PageSize: 100})`,
      ...failing.map((line) => `\t${line}`),
      '\t\tfor _, revision := range found.Revisions {',
      '\t\t\tif revision.TransactionId == tx {',
      '\t\t\t\tdocument = revision.Document',
      '\t\t\t}',
      '\t\t}',
      '\t\tif len(found.Revisions) == 0 {',
      '\t\t\treturn errors.New("there is no such revision")',
      '\t\t}',
      '\t}',
      `\tif ${isWrong.join(' || ')} {`,
      '\t\treturn errors.New("the server answered with another document")',
      '\t}',
      '\tif _, err := verification.VerifyDocument(ctx, proof, document, nil, nil); err != nil {',
      '\t\treturn err',
      '\t}',
      '\tfmt.Println(protojson.MarshalOptions{}.Format(document))',
    ],
  })
  return {
    code,
    by: 'grpc',
    needs,
    notes: [
      'It verifies with immudb’s own package that the printed document is in its transaction. Which collection has which number it takes from the server.',
      'It keeps no state: each run trusts what the server says first. VerifyDocument returns the state to keep, and takes it the next time.',
      floats,
    ],
  }
}

/** A program with a session of the messages themselves. */
function inSession(place: Place, { imports, lines }: Part): string {
  return program(
    [
      'os',
      protomodel,
      'google.golang.org/grpc',
      'google.golang.org/grpc/credentials/insecure',
      'google.golang.org/grpc/metadata',
      ...imports,
    ],
    [
      `\tconn, err := grpc.NewClient(${doubleQuoted(`${place.host}:${place.ports.grpc}`)}, grpc.WithTransportCredentials(insecure.NewCredentials()))`,
      ...failing,
      '\tdefer conn.Close()',
      '\tsessions := protomodel.NewAuthorizationServiceClient(conn)',
      '\topened, err := sessions.OpenSession(ctx, &protomodel.OpenSessionRequest{',
      '\t\tUsername: os.Getenv("IMMUDB_USER"),',
      '\t\tPassword: os.Getenv("IMMUDB_PASSWORD"),',
      `\t\tDatabase: ${doubleQuoted(place.database)},`,
      '\t})',
      ...failing,
      '\tctx = metadata.AppendToOutgoingContext(ctx, "sessionid", opened.SessionID)',
      '\tdefer sessions.CloseSession(ctx, &protomodel.CloseSessionRequest{})',
      '',
      ...lines,
      '\treturn nil',
    ],
  )
}

function textOf(sql: string): string {
  return literalLines(sql, doubleQuoted).join(' +\n\t\t')
}

function paramsOf(params: readonly Param[]): { text: string; imports: string[] } {
  if (params.length === 0) return { text: 'nil', imports: [] }
  const pairs = params.map(({ name, value }) => `${doubleQuoted(name)}: ${goValue(value)}`)
  const text = `map[string]interface{}{\n\t\t${pairs.join(',\n\t\t')},\n\t}`
  const imports = ['time', 'math'].filter((name) => text.includes(`: ${name}.`))
  return { text, imports }
}

/** A value of immudb's `SQLValue` as the client takes it. */
function goValue(value: Param['value']): string {
  const [[kind, one] = []] = Object.entries(value)
  switch (kind) {
    case 'n':
      // The least of them is no literal of its own.
      return `int64(${one})`
    case 'ts':
      return `time.UnixMicro(${one})`
    case 'b':
      return String(one)
    case 'bs':
      return `[]byte(${quotedBytes(String(one))})`
    case 's':
      return doubleQuoted(String(one))
    case 'f':
      return goFloat(one)
  }
  return 'nil'
}

function goFloat(value: unknown): string {
  switch (String(value)) {
    case 'NaN':
      return 'math.NaN()'
    case 'Infinity':
      return 'math.Inf(1)'
    case '-Infinity':
      return 'math.Inf(-1)'
  }
  if (value === '-0' || Object.is(value, -0)) return 'math.Copysign(0, -1)'
  return `float64(${value})`
}

/** A value of a primary key as immudb's message has it. */
function protoValue(value: KeyValue): string {
  if ('n' in value) return `schema.SQLValue_N{N: ${value.n}}`
  if ('s' in value) return `schema.SQLValue_S{S: ${doubleQuoted(value.s)}}`
  if ('b' in value) return `schema.SQLValue_B{B: ${value.b}}`
  if ('bs' in value) return `schema.SQLValue_Bs{Bs: []byte(${quotedBytes(value.bs)})}`
  if ('ts' in value) return `schema.SQLValue_Ts{Ts: ${value.ts}}`
  return `schema.SQLValue_F{F: ${value.f}}`
}
