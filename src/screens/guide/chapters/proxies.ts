import { type Chapter, file, list, note, shell, table } from '../guide'

/** What nginx does with a request for the console. */
const toConsole = `    proxy_pass http://127.0.0.1:8080;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_read_timeout 1h;
    proxy_buffering off;
`

/**
 * Behind other people's front doors. `test/e2e/gateways.e2e.ts` runs each program with each of these
 * files, in which it changes names, ports and paths only.
 */
export const nginx = file(
  'nginx.conf',
  `server {
  listen 443 ssl http2;
  server_name immudb.example;
  ssl_certificate /etc/ssl/immudb.pem;
  ssl_certificate_key /etc/ssl/immudb.key;
  client_max_body_size 48m;

  location / {
${toConsole}  }
}
`,
)

export const nginxPassword = file(
  'nginx.conf, in the server block',
  `  auth_basic "console";
  auth_basic_user_file /etc/webconsole.htpasswd;
`,
)

export const nginxClients = file(
  'nginx.conf, in the server block',
  `  ssl_client_certificate /etc/ssl/clients.pem;
  ssl_verify_client on;
`,
)

export const nginxBelow = file(
  'nginx.conf, in place of location /',
  `  location /ops/immudb/ {
${toConsole}  }
`,
)

export const nginxForward = file(
  'nginx.conf, in place of location /',
  `  location /oauth2/ {
    proxy_pass http://127.0.0.1:4180;
    proxy_set_header Host $http_host;
    proxy_set_header X-Auth-Request-Redirect $request_uri;
  }
  location = /oauth2/auth {
    internal;
    proxy_pass http://127.0.0.1:4180;
    proxy_set_header Host $http_host;
    proxy_set_header Content-Length "";
    proxy_pass_request_body off;
  }
  location / {
    auth_request /oauth2/auth;
    error_page 401 =403 /oauth2/sign_in;
    auth_request_set $user $upstream_http_x_auth_request_user;
    proxy_set_header X-Forwarded-User $user;
${toConsole}  }
`,
)

export const caddy = file(
  'Caddyfile',
  `immudb.example {
  tls /etc/ssl/immudb.pem /etc/ssl/immudb.key
  reverse_proxy 127.0.0.1:8080
}
`,
)

export const caddyPassword = file(
  'Caddyfile, in the same block',
  `  basicauth {
    ops HASH
  }
`,
)

export const haproxy = file(
  'haproxy.cfg',
  `defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h

frontend console
  bind :443 ssl crt /etc/ssl/immudb-with-key.pem alpn h2,http/1.1
  default_backend webconsole

backend webconsole
  option forwardfor
  server one 127.0.0.1:8080
`,
)

export const haproxyPassword = file(
  'haproxy.cfg, in place of the backend',
  `userlist ops
  user ops insecure-password PASSWORD

backend webconsole
  http-request auth realm console unless { http_auth(ops) }
  option forwardfor
  server one 127.0.0.1:8080
`,
)

export const proxies: Chapter = {
  id: 'proxies',
  title: 'Behind a proxy',
  intro: 'TLS, a login and a path of your own in front of the console.',
  sections: [
    {
      id: 'proxies-needs',
      title: 'What the console needs',
      blocks: [
        'Tell `webconsole` the name in the address bar. Any other is refused, and the answer names this flag.',
        shell('webconsole --allow-host immudb.example'),
        table(
          ['The proxy', 'Why'],
          ['Leaves `Host` as it is', 'Else logins and writes look like those of another site'],
          ['Waits long for an answer', 'A query may take minutes'],
          ['Lets 48 MiB in', 'Imports and large values'],
          ['Leaves `Webconsole-Token` in requests', 'It holds the session'],
          ['Sends no POST twice', 'A write would run twice. All below keep to that'],
        ),
        note(
          'Behind a proxy the browser’s own connections end at the proxy. The console then says of a write without an answer that it cannot know whether it ran once.',
        ),
      ],
    },
    {
      id: 'proxies-nginx',
      title: 'nginx',
      blocks: [nginx, 'Below a path, with `webconsole --prefix /ops/immudb`:', nginxBelow],
    },
    { id: 'proxies-caddy', title: 'Caddy', blocks: [caddy] },
    {
      id: 'proxies-haproxy',
      title: 'HAProxy',
      blocks: [haproxy],
    },
    {
      id: 'proxies-password',
      title: 'A password of the proxy',
      blocks: [
        'The browser asks for it once. The session of immudb stays apart, in `Webconsole-Token`.',
        nginxPassword,
        caddyPassword,
        haproxyPassword,
        note(
          'In front of an immudb that serves the console itself, both logins need one header, and the console says so. Put `webconsole --server` between them.',
        ),
      ],
    },
    {
      id: 'proxies-certificates',
      title: 'Client certificates',
      blocks: ['Only browsers with a certificate of this authority get in:', nginxClients],
    },
    {
      id: 'proxies-forward',
      title: 'A login elsewhere',
      blocks: [
        'nginx asks oauth2-proxy about each request. Start both so that the person is named in the log of webconsole:',
        shell('webconsole --trust-user-header X-Forwarded-User --allow-host immudb.example'),
        shell('oauth2-proxy --http-address 127.0.0.1:4180 --reverse-proxy --set-xauthrequest …'),
        nginxForward,
        list(
          'When that login ends in the middle of work, the console keeps the session and what you typed, and links to the login in a new tab. It goes on by itself.',
          'A write that met the login page is *unknown*; nothing is sent again.',
          'With `webconsole --server`, the immudb behind gets the name as `X-Forwarded-User`. What a browser sends under that name is dropped.',
        ),
      ],
    },
  ],
}
