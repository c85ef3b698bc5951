import { type Call, type Place, pageBody, pageRows, requestOf, type Snippet } from './call'
import { isProof, offsetNote, proversOf } from './curl'
import { asciiJson, javaBytes, javaText } from './quoting'
import { versions } from './versions'

/** The call for Java: a verified key by immudb4j, all else by Java's own HTTP client. */
export function javaSnippet(call: Call, place: Place): Snippet {
  return call.kind === 'key' && call.isVerified ? bySdk(call, place) : byHttp(call, place)
}

function bySdk(call: Extract<Call, { kind: 'key' }>, { host, database, ports }: Place): Snippet {
  const { at } = call
  const key = javaBytes(call.key)
  const get = !at
    ? `client.verifiedGet(${key})`
    : 'tx' in at
      ? `client.verifiedGetAtTx(${key}, ${at.tx}L)`
      : `client.verifiedGetAtRevision(${key}, ${at.revision}L)`
  const lines = [
    'import io.codenotary.immudb4j.Entry;',
    'import io.codenotary.immudb4j.FileImmuStateHolder;',
    'import io.codenotary.immudb4j.ImmuClient;',
    'import java.nio.charset.StandardCharsets;',
    '',
    'public class Immudb {',
    '  public static void main(String[] args) throws Exception {',
    '    ImmuClient client = ImmuClient.newBuilder()',
    `        .withServerUrl(${javaText(host)})`,
    `        .withServerPort(${ports.grpc})`,
    '        .withStateHolder(FileImmuStateHolder.newBuilder().withStatesFolder("immudb-states").build())',
    '        .build();',
    `    client.openSession(${javaText(database)}, System.getenv("IMMUDB_USER"), System.getenv("IMMUDB_PASSWORD"));`,
    '    try {',
    `      Entry entry = ${get};`,
    '      System.out.write(entry.getValue());',
    '      System.out.flush();',
    '    } finally {',
    '      client.shutdown();',
    '    }',
    '  }',
    '}',
  ]
  return {
    code: `${lines.join('\n')}\n`,
    by: 'grpc',
    needs: [`Java 8 or newer, and from Maven io.codenotary:immudb4j:${versions.java}`],
    notes: [
      `Written from the source of immudb4j ${versions.java} and not run: that was not to be had where the other snippets are tested.`,
      'The trusted state stays in the folder immudb-states. The first run trusts what the server says.',
    ],
  }
}

function byHttp(call: Call, place: Place): Snippet {
  const { path, body, login } = requestOf(call)
  const sent = body === undefined ? 'null' : javaText(body)
  const lines = [
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    'import java.util.Base64;',
    'import java.util.regex.Matcher;',
    'import java.util.regex.Pattern;',
    '',
    'public class Immudb {',
    `  static final String URL = ${javaText(place.api)};`,
    '  static final HttpClient http = HttpClient.newHttpClient();',
    '  static String header = "X-Login";',
    '  static String login = "none";',
    '',
    '  static String call(String path, String body) throws Exception {',
    '    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(URL + path)).header(header, login);',
    '    if (body != null) request.POST(HttpRequest.BodyPublishers.ofString(body));',
    '    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());',
    '    if (answer.statusCode() != 200) throw new RuntimeException(answer.body());',
    '    return answer.body();',
    '  }',
    '',
    '  static String field(String name, String json) {',
    '    Matcher found = Pattern.compile("\\"" + name + "\\":\\"([^\\"]*)\\"").matcher(json);',
    '    if (!found.find()) throw new RuntimeException("no " + name);',
    '    return found.group(1);',
    '  }',
    '',
    ...(login === 'token'
      ? [
          '  static String base64(String text) throws Exception {',
          '    return Base64.getEncoder().encodeToString(text.getBytes("UTF-8"));',
          '  }',
        ]
      : [
          '  static String json(String text) {',
          '    return "\\"" + text.replace("\\\\", "\\\\\\\\").replace("\\"", "\\\\\\"") + "\\"";',
          '  }',
        ]),
    '',
    '  public static void main(String[] args) throws Exception {',
    '    String user = System.getenv("IMMUDB_USER");',
    '    String password = System.getenv("IMMUDB_PASSWORD");',
    ...(login === 'token' ? byToken(place) : bySession(place)),
    ...(call.kind === 'rows'
      ? pages(call)
      : [`    System.out.println(call(${javaText(path)}, ${sent}));`]),
    ...(login === 'session' ? ['    call("/v2/authorization/session/close", "{}");'] : []),
    '  }',
    '}',
  ]
  return {
    code: `${lines.join('\n')}\n`,
    by: 'rest',
    needs: ['Java 11 or newer, no package'],
    notes: notesOn(call),
  }
}

function byToken({ database }: Place): string[] {
  return [
    '    String token = field("token", call("/login",',
    '        "{\\"user\\":\\"" + base64(user) + "\\",\\"password\\":\\"" + base64(password) + "\\"}"));',
    '    header = "Authorization";',
    '    login = "Bearer " + token;',
    `    login = "Bearer " + field("token", call(${javaText(`/db/use/${encodeURIComponent(database)}`)}, null));`,
  ]
}

function bySession({ database }: Place): string[] {
  return [
    '    String session = field("sessionID", call("/v2/authorization/session/open",',
    `        "{\\"username\\":" + json(user) + ",\\"password\\":" + json(password) + ",\\"database\\":" + ${javaText(asciiJson(database))} + "}"));`,
    '    header = "sessionid";',
    '    login = session;',
  ]
}

function pages(call: Extract<Call, { kind: 'rows' }>): string[] {
  const [begin = '', end = ''] = pageBody(call)
  return [
    `    for (int offset = 0; ; offset += ${pageRows}) {`,
    `      String page = call("/db/sqlquery", ${javaText(begin)} + offset + ${javaText(end)});`,
    '      if (!page.contains("\\"rows\\":[")) break;',
    '      System.out.println(page);',
    '    }',
  ]
}

function notesOn(call: Call): string[] {
  const notes = ['It prints the JSON of the server, which any JSON library reads.']
  const hasKeys = call.kind === 'key' || call.kind === 'keys' || call.kind === 'tx'
  if (hasKeys) notes.push('Keys and values in it are base64.')
  if (call.kind === 'rows') notes.push(offsetNote)
  if (isProof(call)) {
    notes.push(
      `It only reads and verifies nothing: here immudb4j ${versions.java} would verify keys alone. Use ${proversOf(call)}.`,
    )
  }
  notes.push(
    `It does not use immudb4j: version ${versions.java} returns no FLOAT, no NULL and no time below a millisecond.`,
  )
  return notes
}
