/** A store as it answers: null where nothing is at an address. */
export interface AcpShop {
  name: string
  /** What an audit has to say of its ACP. */
  gaps?: readonly string[]
  passed?: readonly string[]
  /** What cannot be known of it. */
  skipped?: readonly string[]
  /** Its document under /.well-known/ucp; none, where it is left out. */
  profile?: object
  /** What stands at `/`: a page, where it is left out. */
  home?: Response
  answer: (asked: Asked) => Response | null
}

export interface Asked {
  host: string
  method: string
  path: string
  version: string | null
  hasKey: boolean
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers })
const text = (body: string, status: number): Response => new Response(body, { status })
/** As AWS WAF's, under whichever status its owner has set. */
const CHALLENGE = '<!DOCTYPE html><html><script>window.gokuProps = {}</script></html>'

const flat = (status: number, code: string, more: object = {}): Response =>
  json({ type: 'invalid_request', code, message: `It is wrong: ${code}.`, ...more }, status)

const versions = (version: string, ...supported_versions: string[]) => ({
  name: 'acp',
  version,
  supported_versions,
})
const NEWEST = versions('2026-04-17', '2026-04-17')

/** A right document, changed. */
const document = (host: string, change: object = {}): object => ({
  protocol: NEWEST,
  api_base_url: `https://${host}/api`,
  transports: ['rest'],
  capabilities: { services: ['checkout'] },
  ...change,
})

type Answering = AcpShop['answer']
const WELL_KNOWN = '/.well-known/acp.json'

/** Answers with its document, and leaves everything else to its services. */
const shop =
  (services: Answering, change: (host: string) => object = () => ({})): Answering =>
  (asked) =>
    asked.path === WELL_KNOWN ? json(document(asked.host, change(asked.host))) : services(asked)

/** The three calls of official ACP below a prefix; the fourth reads a session. */
function operationOf({ method, path }: Asked, prefix = '/api') {
  if (!path.startsWith(`${prefix}/checkout_sessions`)) return null
  const rest = path.slice(`${prefix}/checkout_sessions`.length)
  if (method === 'GET') return /^\/[^/]+$/.test(rest) ? 'read' : null
  if (method !== 'POST') return null
  if (rest === '') return 'create'
  return /^\/[^/]+\/complete$/.test(rest) ? 'complete' : /^\/[^/]+$/.test(rest) ? 'update' : null
}

/** Looks at the body and the id before anything else. */
const open =
  (error: (status: number, code: string) => Response = flat, prefix?: string): Answering =>
  (asked) => {
    const operation = operationOf(asked, prefix)
    if (operation === null) return null
    return operation === 'create' ? error(400, 'invalid') : error(404, 'not_found')
  }

/** Refuses versions before it looks at anything else. */
const versioned =
  (named: readonly string[], taken: readonly string[]): Answering =>
  (asked) => {
    if (operationOf(asked) === null) return null
    return taken.includes(asked.version ?? '')
      ? flat(400, 'idempotency_key_required')
      : flat(400, 'unsupported_api_version', { supported_versions: named })
  }

const FIVE_TOOLS = ['create', 'get', 'update', 'complete', 'cancel'].map(
  (operation) => `${operation}_checkout_session`,
)

/** The services over REST, and beside them one over MCP with these tools. */
const besideTools =
  (at: string, names: readonly string[]): Answering =>
  (asked) =>
    asked.path === at
      ? json({ jsonrpc: '2.0', id: 1, result: { tools: names.map((name) => ({ name })) } })
      : open()(asked)

const REACHABLE = ['acp_create_reachable', 'acp_update_reachable', 'acp_complete_reachable']
const JUDGED = [...REACHABLE, 'acp_services', 'acp_error_body', 'acp_error_type', 'acp_versions']

/** Stores that differ, and are right or cannot be known to be wrong. */
export const INNOCENT_ACP: readonly AcpShop[] = [
  {
    name: 'mcp-tools',
    passed: ['acp_tools', 'acp_cancel_tool', ...JUDGED],
    answer: shop(besideTools('/api/mcp', FIVE_TOOLS), () => ({ transports: ['rest', 'mcp'] })),
  },
  {
    name: 'mcp-at-root',
    passed: ['acp_tools', 'acp_cancel_tool', ...JUDGED],
    answer: shop(besideTools('/mcp', ['search', ...FIVE_TOOLS]), () => ({
      transports: ['mcp', 'rest'],
    })),
  },
  {
    // Over MCP alone: its tools are its operations.
    name: 'mcp-alone',
    passed: ['acp_tools', 'acp_cancel_tool', 'acp_services', ...REACHABLE],
    answer: shop(
      (asked) => (operationOf(asked) === null ? besideTools('/api/mcp', FIVE_TOOLS)(asked) : null),
      () => ({ transports: ['mcp'] }),
    ),
  },
  {
    name: 'mcp-for-members',
    passed: JUDGED,
    skipped: ['acp_tools_missing', 'acp_cancel_tool_missing'],
    answer: shop(
      (asked) => (asked.path === '/api/mcp' ? json({ error: 'unauthorized' }, 401) : open()(asked)),
      () => ({ transports: ['rest', 'mcp'] }),
    ),
  },
  {
    // A service of something else is at the usual address.
    name: 'mcp-of-another',
    passed: JUDGED,
    skipped: ['acp_tools_missing'],
    answer: shop(besideTools('/mcp', ['search_docs']), () => ({ transports: ['rest', 'mcp'] })),
  },
  { name: 'open', passed: JUDGED, answer: shop(open()) },
  {
    name: 'strangers-401',
    passed: [...REACHABLE, 'acp_services', 'acp_error_body', 'acp_error_type'],
    skipped: ['acp_version_mismatch'],
    answer: shop((asked) => (asked.path.startsWith('/api/') ? flat(401, 'unauthorized') : null)),
  },
  {
    name: 'gate-401',
    passed: ['acp_services'],
    skipped: ['acp_create_unreachable', 'acp_complete_unreachable', 'acp_error_body_invalid'],
    answer: shop((asked) =>
      asked.path.startsWith('/api/') ? json({ message: 'Unauthorized' }, 401) : null,
    ),
  },
  {
    name: 'gate-with-code',
    passed: REACHABLE,
    skipped: ['acp_error_type_invalid'],
    answer: shop((asked) =>
      asked.path.startsWith('/api/')
        ? json({ code: 'no_key', message: 'Who are you?' }, 403)
        : null,
    ),
  },
  {
    name: 'gate-403-page',
    skipped: ['acp_services_missing', 'acp_create_unreachable'],
    answer: shop((asked) => (asked.path.startsWith('/api/') ? text('<html>No', 403) : null)),
  },
  {
    // A firewall's, under the status of a success and of a wrong method.
    name: 'challenged-200',
    skipped: ['acp_services_missing', 'acp_create_unreachable'],
    answer: shop((asked) => (asked.path.startsWith('/api/') ? text(CHALLENGE, 200) : null)),
  },
  {
    name: 'challenged-405',
    skipped: ['acp_services_missing', 'acp_create_unreachable'],
    answer: shop((asked) => (asked.path.startsWith('/api/') ? text(CHALLENGE, 405) : null)),
  },
  {
    name: 'basic-401',
    skipped: ['acp_services_missing', 'acp_create_unreachable'],
    answer: shop((asked) => (asked.path.startsWith('/api/') ? text('Who are you?', 401) : null)),
  },
  ...[408, 423, 430].map((status) => ({
    name: `page-${status}`,
    skipped: ['acp_services_missing', 'acp_create_unreachable'],
    answer: shop((asked) => (asked.path.startsWith('/api/') ? text('<html>Wait', status) : null)),
  })),
  {
    name: 'key-first',
    passed: JUDGED,
    answer: shop((asked) => {
      if (operationOf(asked) === null) return null
      if (asked.method === 'GET') return flat(404, 'not_found')
      return asked.hasKey ? flat(400, 'invalid') : flat(400, 'idempotency_key_required')
    }),
  },
  {
    name: 'versions-listed',
    passed: JUDGED,
    answer: shop(versioned(['2026-04-17', '2026-01-30'], ['2026-04-17', '2026-01-30']), () => ({
      protocol: versions('2026-04-17', '2026-01-30', '2026-04-17'),
    })),
  },
  {
    // Its errors list more than its document does.
    name: 'versions-more',
    passed: JUDGED,
    answer: shop(versioned(['2026-04-17', '2025-12-12'], ['2026-04-17', '2025-12-12'])),
  },
  {
    name: 'january-only',
    passed: JUDGED,
    answer: shop(versioned(['2026-01-30'], ['2026-01-30']), () => ({
      protocol: versions('2026-01-30', '2026-01-30'),
    })),
  },
  {
    name: 'version-refused-plainly',
    passed: JUDGED,
    answer: shop((asked) => {
      if (operationOf(asked) === null) return null
      return asked.version === '2026-04-17' ? flat(400, 'invalid') : flat(400, 'bad_version')
    }),
  },
  {
    name: 'get-405',
    passed: JUDGED,
    answer: shop((asked) =>
      asked.method === 'GET' ? text('Method Not Allowed', 405) : open()(asked),
    ),
  },
  {
    name: 'get-404-text',
    passed: JUDGED,
    answer: shop((asked) => (asked.method === 'GET' ? text('Cannot GET', 404) : open()(asked))),
  },
  {
    // No session, and no word of it: as if nothing were there.
    name: 'bare-404',
    passed: ['acp_create_reachable', 'acp_services'],
    skipped: ['acp_update_unreachable', 'acp_complete_unreachable'],
    answer: shop((asked) => {
      const operation = operationOf(asked)
      if (operation === null) return null
      return operation === 'create' ? flat(400, 'invalid') : text('', 404)
    }),
  },
  {
    name: 'product-404',
    passed: ['acp_services', 'acp_update_reachable', 'acp_complete_reachable'],
    skipped: ['acp_create_unreachable'],
    answer: shop((asked) => {
      const operation = operationOf(asked)
      if (operation === null) return null
      return flat(404, operation === 'create' ? 'product_not_found' : 'session_not_found')
    }),
  },
  {
    // It shows a session with messages instead of an error.
    name: 'session-shown',
    passed: [...REACHABLE, 'acp_services', 'acp_error_body'],
    answer: shop((asked) =>
      operationOf(asked) === 'create'
        ? json(
            { id: 'cs_1', status: 'incomplete', line_items: [], messages: [{ type: 'error' }] },
            201,
          )
        : open()(asked),
    ),
  },
  {
    name: 'crashes-on-nonsense',
    passed: ['acp_services', 'acp_complete_reachable', 'acp_error_body'],
    skipped: ['acp_create_unreachable'],
    answer: shop((asked) =>
      operationOf(asked) === 'create' ? text('Internal Server Error', 500) : open()(asked),
    ),
  },
  {
    name: 'crashes-in-json',
    passed: [...REACHABLE, 'acp_services', 'acp_error_body', 'acp_error_type'],
    answer: shop((asked) =>
      operationOf(asked) === 'create' ? json({ detail: 'Oops' }, 500) : open()(asked),
    ),
  },
  {
    name: 'limited',
    skipped: ['acp_create_unreachable', 'acp_services_missing'],
    answer: shop((asked) => (operationOf(asked) ? text('Slow down', 429) : null)),
  },
  {
    name: 'another-host',
    passed: JUDGED,
    answer: ({ host, ...asked }) =>
      host === 'api-of-another-host.example'
        ? open(flat, '')({ host, ...asked })
        : shop(
            () => null,
            () => ({ api_base_url: 'https://api-of-another-host.example/' }),
          )({ host, ...asked }),
  },
  {
    name: 'mcp-only',
    skipped: [
      'acp_services_missing',
      'acp_create_unreachable',
      'acp_complete_unreachable',
      'acp_tools_missing',
    ],
    answer: shop(
      () => null,
      () => ({ transports: ['mcp'] }),
    ),
  },
  {
    // The address of MCP is told apart: nothing can be said of it where it is not a usual one.
    name: 'mcp-too',
    passed: JUDGED,
    skipped: ['acp_tools_missing', 'acp_cancel_tool_missing'],
    answer: shop(open(), () => ({ transports: ['rest', 'mcp'] })),
  },
  {
    name: 'payments-only',
    skipped: ['acp_services_missing', 'acp_create_unreachable'],
    answer: shop(
      () => null,
      () => ({ capabilities: { services: ['delegate_payment'] } }),
    ),
  },
  {
    name: 'param',
    passed: JUDGED,
    answer: shop(open((status, code) => flat(status, code, { param: '$.line_items' }))),
  },
  {
    name: 'older-error-type',
    passed: JUDGED,
    answer: shop(open((status, code) => flat(status, code, { type: 'request_not_idempotent' }))),
  },
  {
    name: 'problem-json',
    passed: JUDGED,
    answer: shop(
      open((status, code) => {
        const response = flat(status, code)
        response.headers.set('content-type', 'application/problem+json; charset=utf-8')
        return response
      }),
    ),
  },
  {
    name: 'more-members',
    passed: ['acp_discovery', ...JUDGED],
    answer: shop(open(), () => ({
      merchant: { name: 'A shop' },
      protocol: { ...NEWEST, x_note: 'ours' },
      capabilities: { services: ['checkout', 'feeds'], webhooks: ['order_create'] },
    })),
  },
  {
    name: 'later-version',
    passed: ['acp_discovery', ...JUDGED],
    answer: shop(open(), () => ({
      protocol: versions('2027-01-15', '2026-04-17', '2027-01-15'),
      transports: ['rest', 'a2a'],
      capabilities: { services: ['checkout', 'returns'], intervention_types: ['passkey'] },
    })),
  },
  {
    // In the version that both know it speaks as that one has it; in its own, nobody knows.
    name: 'later-version-beside-ours',
    passed: ['acp_discovery', ...JUDGED],
    answer: shop(
      (asked) => (asked.version === '2027-01-15' ? text('', 500) : open()(asked)),
      () => ({ protocol: versions('2027-01-15', '2026-01-30', '2026-04-17', '2027-01-15') }),
    ),
  },
  {
    // To a version that it does not speak it answers in the form of its own.
    name: 'later-error-type',
    passed: ['acp_discovery', ...JUDGED],
    answer: shop(
      (asked) =>
        asked.version === '2026-04-17'
          ? open()(asked)
          : flat(400, 'unsupported', { type: 'client_error' }),
      () => ({ protocol: versions('2027-01-15', '2026-04-17', '2027-01-15') }),
    ),
  },
  {
    // Its errors have a type that no version so far has.
    name: 'later-version-alone',
    passed: ['acp_discovery', ...JUDGED],
    answer: shop(
      open((status, code) => flat(status, code, { type: 'client_error' })),
      () => ({ protocol: versions('2027-01-15', '2027-01-15') }),
    ),
  },
  {
    name: 'carts-served',
    passed: [...JUDGED, 'acp_carts'],
    answer: shop(
      (asked) => (asked.path === '/api/carts' ? flat(400, 'invalid') : open()(asked)),
      () => ({ capabilities: { services: ['carts', 'orders', 'checkout'] } }),
    ),
  },
  {
    // It shows a cart with messages instead of an error.
    name: 'cart-shown',
    passed: [...JUDGED, 'acp_carts'],
    answer: shop(
      (asked) =>
        asked.path === '/api/carts' ? json({ id: 'ct_1', line_items: [] }, 201) : open()(asked),
      () => ({ capabilities: { services: ['carts', 'checkout'] } }),
    ),
  },
  {
    name: 'cart-404',
    passed: JUDGED,
    skipped: ['acp_carts_missing'],
    answer: shop(
      (asked) => (asked.path === '/api/carts' ? flat(404, 'unknown_item') : open()(asked)),
      () => ({ capabilities: { services: ['carts', 'checkout'] } }),
    ),
  },
  {
    name: 'short-cache',
    passed: ['acp_discovery_cacheable'],
    answer: (asked) =>
      asked.path === WELL_KNOWN
        ? json(document(asked.host), 200, { 'cache-control': 'max-age=86400, public' })
        : open()(asked),
  },
  {
    // It is known to agents by another way: 2026-01-30 has no acp.json.
    name: 'unannounced',
    passed: ['acp_create_reachable', 'acp_complete_reachable', 'acp_error_body', 'acp_error_type'],
    skipped: ['acp_update_unreachable'],
    answer: open(flat, ''),
  },
  {
    // It looks the product up before anything else: the basket that it refuses is of none.
    name: 'unannounced-lookup',
    skipped: ['acp_create_unreachable'],
    answer: (asked) => {
      const operation = operationOf(asked, '')
      if (operation === null) return null
      return operation === 'create' ? flat(404, 'product_not_found') : flat(404, 'not_found')
    },
  },
  {
    name: 'unannounced-acp',
    passed: ['acp_create_reachable', 'acp_complete_reachable'],
    answer: open(flat, '/acp'),
  },
  {
    name: 'perhaps',
    skipped: ['acp_create_unreachable', 'acp_complete_unreachable'],
    answer: open((status) => json({ detail: 'Field required' }, status === 400 ? 422 : 404), ''),
  },
  {
    name: 'perhaps-crashed',
    skipped: ['acp_create_unreachable', 'acp_complete_unreachable'],
    answer: (asked) =>
      operationOf(asked, '/api') ? json({ detail: { code: 'internal_error' } }, 500) : null,
  },
  {
    name: 'unannounced-acp-v1',
    skipped: ['acp_create_unreachable', 'acp_complete_unreachable'],
    answer: (asked) =>
      operationOf(asked, '/acp/v1')
        ? json({ detail: 'Checkout session not found' }, 404)
        : json({ detail: 'Not Found' }, 404),
  },
  {
    // Frameworks say in JSON as well that nothing is at an address.
    name: 'ucp-alone',
    skipped: ['acp_create_unreachable', 'acp_update_unreachable', 'acp_complete_unreachable'],
    profile: { ucp: { version: '2026-04-08', services: {}, payment_handlers: {} } },
    answer: ({ path }) => (path === WELL_KNOWN ? null : json({ detail: 'Not Found' }, 404)),
  },
  {
    name: 'ucp-alone-redirected',
    skipped: ['acp_create_unreachable', 'acp_complete_unreachable'],
    profile: { ucp: { version: '2026-01-11', services: {}, capabilities: [] } },
    answer: ({ method, path }) =>
      method === 'GET'
        ? null
        : new Response(null, { status: 308, headers: { location: `${path}/` } }),
  },
  {
    // Whether a checkout is behind it cannot be told.
    name: 'gate-everywhere',
    skipped: ['acp_create_unreachable', 'acp_update_unreachable', 'acp_complete_unreachable'],
    answer: () => flat(401, 'missing_authorization'),
  },
  {
    name: 'without-a-page',
    passed: JUDGED,
    home: flat(404, 'not_found'),
    answer: shop(open()),
  },
  {
    name: 'busy-acp-json',
    skipped: ['acp_create_unreachable', 'acp_discovery_invalid'],
    answer: (asked) => (asked.path === WELL_KNOWN ? text('', 503) : null),
  },
]

const page404InJson = (method: string, path: string) =>
  json({ statusCode: 404, message: `Cannot ${method} ${path}`, error: 'Not Found' }, 404)

const page = (status: number) => text('<!doctype html><title>Not found</title>', status)

/** Stores that are wrong, each in one way. */
export const GUILTY_ACP: readonly AcpShop[] = [
  {
    name: 'mcp-half',
    gaps: ['acp_tools_missing', 'acp_cancel_tool_missing'],
    answer: shop(besideTools('/api/mcp', FIVE_TOOLS.slice(0, 3)), () => ({
      transports: ['rest', 'mcp'],
    })),
  },
  {
    name: 'mcp-without-cancel',
    gaps: ['acp_cancel_tool_missing'],
    answer: shop(besideTools('/api/mcp', FIVE_TOOLS.slice(0, 4)), () => ({
      transports: ['rest', 'mcp'],
    })),
  },
  { name: 'dead-base', gaps: ['acp_services_missing'], answer: shop(() => null) },
  {
    name: 'dead-base-json',
    gaps: ['acp_services_missing'],
    answer: shop(({ path, method }) => page404InJson(method, path)),
  },
  {
    name: 'dead-base-flat',
    gaps: ['acp_services_missing'],
    answer: shop(() => flat(404, 'not_found')),
  },
  {
    name: 'dead-host',
    gaps: ['acp_services_missing'],
    answer: shop(
      () => null,
      () => ({ api_base_url: 'https://nobody.invalid/acp' }),
    ),
  },
  // One page, or one word, at each address: of all that is not there a 200.
  {
    name: 'page-everywhere',
    gaps: ['acp_services_missing'],
    answer: shop(
      () => page(200),
      () => ({ capabilities: { services: ['checkout', 'carts'] } }),
    ),
  },
  {
    name: 'yes-everywhere',
    gaps: ['acp_services_missing'],
    answer: shop(
      () => json({ status: 'ok' }),
      () => ({ capabilities: { services: ['checkout', 'carts'] } }),
    ),
  },
  {
    name: 'id-everywhere',
    gaps: ['acp_services_missing'],
    answer: shop(() => json({ id: 'r_1', status: 'ok', data: [] })),
  },
  {
    name: 'page-everywhere-unannounced',
    gaps: ['acp_create_unreachable', 'acp_complete_unreachable', 'acp_update_unreachable'],
    answer: ({ path }) => (path === WELL_KNOWN ? null : page(200)),
  },
  {
    name: 'yes-everywhere-unannounced',
    gaps: ['acp_create_unreachable', 'acp_complete_unreachable', 'acp_update_unreachable'],
    answer: ({ path }) => (path === WELL_KNOWN ? null : json({ status: 'ok' })),
  },
  {
    name: 'page-for-complete',
    gaps: ['acp_complete_unreachable'],
    answer: shop((asked) => (operationOf(asked) === 'complete' ? page(200) : open()(asked))),
  },
  {
    name: 'yes-for-update',
    gaps: ['acp_update_unreachable'],
    answer: shop((asked) =>
      operationOf(asked) === 'update' ? json({ status: 'ok' }) : open()(asked),
    ),
  },
  {
    name: 'errors-as-200',
    gaps: ['acp_error_body_invalid'],
    answer: shop(open((_, code) => flat(200, code))),
  },
  {
    name: 'carts-as-page',
    gaps: ['acp_carts_missing'],
    answer: shop(
      (asked) => (asked.path === '/api/carts' ? page(200) : open()(asked)),
      () => ({ capabilities: { services: ['checkout', 'carts'] } }),
    ),
  },
  {
    name: 'no-create',
    gaps: ['acp_create_unreachable'],
    answer: shop((asked) => (operationOf(asked) === 'create' ? page(404) : open()(asked))),
  },
  {
    name: 'create-405',
    gaps: ['acp_create_unreachable'],
    answer: shop((asked) => (operationOf(asked) === 'create' ? text('', 405) : open()(asked))),
  },
  {
    name: 'form-only',
    gaps: ['acp_create_unreachable', 'acp_complete_unreachable', 'acp_update_unreachable'],
    answer: shop((asked) =>
      asked.method === 'POST' && operationOf(asked) ? flat(415, 'form_only') : open()(asked),
    ),
  },
  {
    name: 'no-update',
    gaps: ['acp_update_unreachable'],
    answer: shop((asked) => (operationOf(asked) === 'update' ? page(404) : open()(asked))),
  },
  {
    name: 'no-complete',
    gaps: ['acp_complete_unreachable'],
    answer: shop((asked) => (operationOf(asked) === 'complete' ? page(404) : open()(asked))),
  },
  {
    name: 'closed-no-complete',
    gaps: ['acp_complete_unreachable'],
    answer: shop((asked) => {
      const operation = operationOf(asked)
      return operation === null || operation === 'complete' ? null : flat(401, 'unauthorized')
    }),
  },
  {
    name: 'moved-create',
    gaps: ['acp_create_unreachable'],
    answer: shop((asked) =>
      operationOf(asked) === 'create'
        ? new Response(null, { status: 308, headers: { location: '/v2/checkout_sessions' } })
        : open()(asked),
    ),
  },
  {
    name: 'bare-errors',
    gaps: ['acp_error_body_invalid'],
    answer: shop(open((status) => json({ detail: 'Wrong' }, status))),
  },
  {
    name: 'nested-errors',
    gaps: ['acp_error_type_invalid'],
    answer: shop(open((status, code) => json({ error: { code, message: 'Wrong.' } }, status))),
  },
  {
    name: 'typeless-errors',
    gaps: ['acp_error_type_invalid'],
    answer: shop(open((status, code) => json({ code, message: 'Wrong.' }, status))),
  },
  {
    name: 'text-errors',
    gaps: ['acp_wrong_content_type'],
    answer: shop(
      open((status, code) => {
        const response = flat(status, code)
        response.headers.set('content-type', 'text/plain')
        return response
      }),
    ),
  },
  {
    name: 'old-server',
    gaps: ['acp_version_mismatch'],
    answer: shop(versioned(['2026-01-30'], ['2026-01-30'])),
  },
  {
    name: 'old-server-silent',
    gaps: ['acp_version_mismatch'],
    answer: shop((asked) =>
      operationOf(asked) && asked.version !== '2026-01-30'
        ? flat(400, 'unsupported_api_version')
        : open()(asked),
    ),
  },
  {
    name: 'oldest-refused',
    gaps: ['acp_version_mismatch'],
    answer: shop(
      (asked) =>
        asked.version === '2025-09-29' && operationOf(asked)
          ? flat(400, 'unsupported_api_version')
          : open()(asked),
      () => ({ protocol: versions('2026-04-17', '2025-09-29', '2026-04-17') }),
    ),
  },
  {
    name: 'no-carts',
    gaps: ['acp_carts_missing'],
    answer: shop(open(), () => ({ capabilities: { services: ['checkout', 'carts'] } })),
  },
  {
    name: 'never-cached',
    gaps: ['acp_discovery_not_cacheable'],
    answer: (asked) =>
      asked.path === WELL_KNOWN
        ? json(document(asked.host), 200, { 'cache-control': 'no-store' })
        : open()(asked),
  },
  ...[
    ['upper-case-currency', { supported_currencies: ['USD'] }],
    ['unknown-currency', { supported_currencies: ['usd', 'xyz'] }],
    ['unknown-intervention', { intervention_types: ['3DS'] }],
    ['unknown-service', { services: ['checkout', 'payments'] }],
  ].map(
    ([name, change]): AcpShop => ({
      name: String(name),
      gaps: ['acp_discovery_invalid'],
      answer: shop(open(), () => ({
        capabilities: { services: ['checkout'], ...Object(change) },
      })),
    }),
  ),
  ...[
    ['version-unlisted', versions('2026-04-17', '2026-01-30')],
    ['newest-first', versions('2026-04-17', '2026-04-17', '2026-01-30')],
    ['another-protocol', { ...NEWEST, name: 'ucp' }],
  ].map(
    ([name, protocol]): AcpShop => ({
      name: String(name),
      gaps: ['acp_discovery_invalid'],
      answer: shop(open(), () => ({ protocol })),
    }),
  ),
  {
    name: 'typed-as-text',
    gaps: ['acp_discovery_invalid'],
    answer: (asked) =>
      asked.path === WELL_KNOWN
        ? new Response(JSON.stringify(document(asked.host)), {
            headers: { 'content-type': 'text/plain' },
          })
        : open()(asked),
  },
  {
    name: 'no-acp-json',
    gaps: ['acp_create_unreachable', 'acp_complete_unreachable', 'acp_update_unreachable'],
    answer: ({ path, method }) => (path === WELL_KNOWN ? null : page404InJson(method, path)),
  },
  {
    // Its own way to Stripe, which opens a session for whoever posts to it.
    name: 'stripe-sample',
    gaps: ['acp_create_unreachable', 'acp_complete_unreachable', 'acp_update_unreachable'],
    answer: ({ path, method }) => {
      if (path !== '/api/checkout_sessions') return null
      return method === 'POST' ? json({ id: 'cs_1' }) : text('', 405)
    },
  },
  {
    name: 'no-acp',
    gaps: ['acp_create_unreachable', 'acp_complete_unreachable', 'acp_update_unreachable'],
    answer: () => null,
  },
  {
    // A document of another making names nothing that an agent could call.
    name: 'own-dialect',
    gaps: [
      'acp_create_unreachable',
      'acp_complete_unreachable',
      'acp_update_unreachable',
      'acp_discovery_invalid',
    ],
    answer: ({ path }) =>
      path === WELL_KNOWN
        ? json({ version: '1.0', endpoints: { checkout: '/api/acp/checkout' } })
        : null,
  },
]

/**
 * An address for agents alone, of which only an audit of ACP can say more than that it is there.
 */
export const WITHOUT_PAGE_OR_DOCUMENT: AcpShop = {
  name: 'without-a-page-unannounced',
  home: json({ detail: 'Not Found' }, 404),
  answer: (asked) => json({ detail: operationOf(asked, '') ? 'not_found' : 'Not Found' }, 404),
}
