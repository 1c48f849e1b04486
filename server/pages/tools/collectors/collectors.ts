import type { Recipe } from '../orders/recipes.ts'

/** The tests of the collectors. */
const SERVERS = 'server/pages/tools/collectors/servers.process.test.ts'
const EDGES = 'server/pages/tools/collectors/edges.process.test.ts'

const NODE_ENV = 'Set `AISLE_URL` and `AISLE_KEY` in the environment of your server.'

/** For those that have no log of their own. */
const AT_THE_EDGE =
  'The code reports after the answer, several requests in one call. If Aisle cannot be reached, at most 500 requests wait in memory, and they are lost when the platform ends that copy of the code.'

const NEW_AGENTS =
  'The names of AI agents are in the code: when Aisle learns new ones, copy it again.'

const ONE_WAY =
  'Use this or a drain of the platform, not both: it names requests in another way, and each would count twice.'

const SENDER_KEY = {
  title: 'Give the server its key',
  text: 'Create `/etc/aisle-key` with this line and your key in it, and `chmod 600` it. The key needs the scope `report:write` for your domain.',
  files: [{ name: '/etc/aisle-key', code: 'nginx/key.txt' }],
}

const CRON = {
  title: 'Start it each minute',
  text: 'It sends nothing while there is nothing new.',
  files: [{ name: '/etc/cron.d/aisle', code: 'nginx/cron.txt' }],
}

/** What a store reports the requests of AI agents with, by where it runs. */
export const COLLECTORS: readonly Recipe[] = [
  {
    id: 'nginx',
    platform: 'nginx',
    versions: 'nginx 1.11 or later on Linux, with curl; run with 1.22.1 of Debian',
    summary: 'nginx writes a log of AI agents alone, and a script sends it each minute.',
    proof: {
      is: 'tested',
      file: SERVERS,
      test: 'nginx: what agents read is in the report',
      how: 'The settings and the script below run in our tests with nginx of Debian: requests of agents and of people, and the report.',
    },
    steps: [
      {
        title: 'Make a folder for the log',
        text: '`install -d /var/log/aisle`. In a folder of its own, logrotate leaves it alone.',
      },
      {
        title: 'Log what AI agents ask for',
        text: 'Add both, then `nginx -t` and `nginx -s reload`. Behind a proxy or a CDN, set `real_ip_header` as well: agents are verified by their address.',
        files: [
          { name: '/etc/nginx/conf.d/aisle.conf', code: 'nginx/aisle.conf' },
          { name: 'In the block server of your store', code: 'nginx/server.conf' },
        ],
      },
      SENDER_KEY,
      {
        title: 'Add the script',
        text: '`chmod 755` it. What cannot be sent waits on the disk, for a week at most.',
        files: [{ name: '/usr/local/bin/aisle-send', code: 'nginx/aisle-send.sh' }],
      },
      CRON,
    ],
    look: 'The file `/var/log/aisle/aisle.log` has the request until the script has sent it.',
    limits: `${NEW_AGENTS} If you run Aisle yourself, \`npx aisle logs\` also reads the logs that you have.`,
    sources: [
      { title: 'Module log', url: 'https://nginx.org/en/docs/http/ngx_http_log_module.html' },
      { title: 'Rotating logs', url: 'https://nginx.org/en/docs/control.html' },
    ],
  },
  {
    id: 'caddy',
    platform: 'Caddy',
    versions: 'Caddy 2.5 or later on Linux, with curl; run with 2.6.2 of Debian',
    summary: 'Caddy writes a log of AI agents alone, and a script sends it each minute.',
    proof: {
      is: 'tested',
      file: SERVERS,
      test: 'Caddy: what agents read is in the report',
      how: 'The settings and the script below run in our tests with Caddy of Debian: requests of agents and of people, and the report.',
    },
    steps: [
      {
        title: 'Make a folder for the log',
        text: '`install -d -o caddy /var/log/aisle`.',
      },
      {
        title: 'Log what AI agents ask for',
        text: 'Add the lines to the block of your store, then `caddy reload`. Without the lines of `@people` and `@apps_of_people` it logs all requests: Aisle drops those of people when they come.',
        files: [{ name: 'Caddyfile', code: 'caddy/Caddyfile' }],
      },
      SENDER_KEY,
      {
        title: 'Add the script',
        text: '`chmod 755` it. What cannot be sent waits on the disk, for a week at most.',
        files: [{ name: '/usr/local/bin/aisle-send', code: 'caddy/aisle-send.sh' }],
      },
      CRON,
    ],
    look: 'The file `/var/log/aisle/aisle.log` has the request.',
    limits: `Caddy writes one log for a site: a log of people that you keep needs a site block, or a name, of its own. Lines have no id, so requests that are alike in all they say, in one millisecond, are told apart within one file alone. ${NEW_AGENTS}`,
    sources: [
      { title: 'log', url: 'https://caddyserver.com/docs/caddyfile/directives/log' },
      { title: 'log_skip', url: 'https://caddyserver.com/docs/caddyfile/directives/log_skip' },
    ],
  },
  {
    id: 'node',
    platform: 'Node server',
    versions: 'Node 20 or later: Express, Fastify, Hono, or none',
    summary: 'A middleware of aisle-node reports AI agents in the background.',
    proof: {
      is: 'tested',
      file: SERVERS,
      test: 'Node: what agents read is in the report',
      how: 'The code below runs in our tests, with a stand-in for Express: requests of agents and of people, and the report.',
    },
    steps: [
      {
        title: 'Install aisle-node',
        text: 'It has no dependencies, and is not on the npm registry: keep the file in your repository.',
        files: [{ name: 'In the folder of the server', code: 'node/install.sh' }],
      },
      {
        title: 'Add the middleware',
        text: `${NODE_ENV} Without a framework, call \`collector.node(request, response)\` first; in Fastify, from the hook \`onRequest\` with \`request.raw\` and \`reply.raw\`. Behind a proxy, let the framework trust it, or read the client's address with the option \`address\`: agents are verified by it.`,
        files: [{ name: 'server.js', code: 'node/server.js' }],
      },
    ],
    look: 'Problems are warnings of the process.',
    limits: `What a CDN answers by itself does not reach your server. If Aisle cannot be reached, at most 1,000 requests wait in memory, and the oldest are dropped. ${NEW_AGENTS.replace('copy it', 'install aisle-node')}`,
    sources: [],
  },
  {
    id: 'cloudflare',
    platform: 'Cloudflare Workers',
    versions: 'A Worker on the routes of your store; run with workerd 1.20260730.1',
    summary: 'A Worker passes requests on, and reports those of AI agents after the answer.',
    proof: {
      is: 'tested',
      file: EDGES,
      test: 'Cloudflare: what agents read is in the report',
      how: 'The code below runs in our tests in workerd, the runtime of Workers, by Miniflare. The test installs both, so it runs when we ask for it, not with every change. It has not been run at Cloudflare.',
    },
    steps: [
      {
        title: 'Create the Worker',
        text: 'Paste the code. If your store is a Worker already, take over what stands in `fetch`.',
        files: [{ name: 'worker.js', code: 'cloudflare/worker.js' }],
      },
      {
        title: 'Give it the key',
        text: 'As the secret `AISLE_KEY`: `npx wrangler secret put AISLE_KEY`, or in the settings of the Worker.',
      },
      {
        title: 'Put it before your store',
        text: 'Add the route `shop.example/*` with your domain to the Worker, and let it fail open.',
      },
    ],
    look: 'The log of the Worker has a warning if Aisle does not take a request.',
    limits: `${AT_THE_EDGE} Agents that Cloudflare blocks do not reach a Worker: Logpush has them as well, and a request in both counts once. ${NEW_AGENTS}`,
    sources: [
      {
        title: 'Context (ctx)',
        url: 'https://developers.cloudflare.com/workers/runtime-apis/context/',
      },
    ],
  },
  {
    id: 'vercel',
    platform: 'Vercel',
    versions: 'Routing Middleware on the edge runtime; run with edge-runtime 4.0.1',
    summary: 'A middleware lets all requests pass, and reports those of AI agents.',
    proof: {
      is: 'in_part',
      file: EDGES,
      test: 'Vercel: what agents read is in the report',
      how: 'The code below runs in our tests in edge-runtime, which Vercel publishes. It has not been run at Vercel, whose routing is not part of it.',
    },
    steps: [
      {
        title: 'Add the middleware',
        text: 'Beside `package.json`. If you have a middleware, begin it with the two lines of this one. In Next.js 16 the file is `proxy.js`.',
        files: [{ name: 'middleware.js', code: 'vercel/middleware.js' }],
      },
      {
        title: 'Give it the key',
        text: 'As the environment variable `AISLE_KEY` of the project, for Production alone.',
      },
    ],
    look: 'The runtime log has a warning if Aisle does not take a request.',
    limits: `A middleware does not learn how a page was answered, so it asks for each page that an agent reads once more. A drain does not need that: the page of what agents read has its address and secret. ${ONE_WAY} ${AT_THE_EDGE} ${NEW_AGENTS}`,
    sources: [
      {
        title: 'Routing Middleware API',
        url: 'https://vercel.com/docs/routing-middleware/api',
      },
      { title: 'Drains', url: 'https://vercel.com/docs/drains' },
    ],
  },
  {
    id: 'netlify',
    platform: 'Netlify',
    versions: 'Edge Functions; run with @netlify/edge-functions-dev 2.0.1',
    summary: 'An edge function lets all requests pass, and reports those of AI agents.',
    proof: {
      is: 'tested',
      file: EDGES,
      test: 'Netlify: what agents read is in the report',
      how: 'The code below runs in our tests in the local runtime that Netlify publishes, on Deno. The test needs both, so it runs when we ask for it, not with every change. It has not been run at Netlify.',
    },
    steps: [
      {
        title: 'Add the edge function',
        text: 'It declares its own path.',
        files: [{ name: 'netlify/edge-functions/aisle.js', code: 'netlify/aisle.js' }],
      },
      {
        title: 'Give it the key',
        text: 'As the environment variable `AISLE_KEY` of the site, with the scope "Functions".',
      },
    ],
    look: 'The log of edge functions has a warning if Aisle does not take a request.',
    limits: `The code reports each request by itself, after the answer. What Aisle does not take may be lost. ${ONE_WAY} ${NEW_AGENTS}`,
    sources: [
      {
        title: 'Edge Functions API',
        url: 'https://docs.netlify.com/build/edge-functions/api/',
      },
    ],
  },
]

export const findCollector = (id: string): Recipe | null =>
  COLLECTORS.find((collector) => collector.id === id) ?? null
