import { NAMED_AGENTS } from '../../../shared/audit/checks/well-known/ai-agents.ts'
import { DIRECTORY_PATH } from '../../../shared/protocols/web-bot-auth.ts'
import {
  html,
  json,
  type OperationCall,
  type Overrides,
  type Reply,
  type StoreRequest,
} from '../http/store-request.ts'
import { officialFault, type StoreFault, storeFault } from './fault.ts'
import { failing } from './overrides.ts'

/** What bot protections let in by default, as search engines. */
const ENGINES = ['Googlebot', 'bingbot']

/** Whether a request bears the name of an agent: one that acts for a person, or a crawler's. */
const isFor = (purpose: 'user' | 'search', { userAgent }: StoreRequest): boolean =>
  NAMED_AGENTS.some(
    (agent) =>
      agent.purpose === purpose &&
      !ENGINES.includes(agent.token) &&
      userAgent.toLowerCase().includes(agent.token.toLowerCase()),
  )

const isShopPage = ({ path }: StoreRequest): boolean =>
  path === '/' || path.startsWith('/products/')

/** A firewall's rule on the User-Agent. */
const forAgents =
  (purpose: 'user' | 'search', answer: Reply): NonNullable<Overrides['reply']> =>
  (reply, request) =>
    isShopPage(request) && isFor(purpose, request) ? answer : reply

const FORBIDDEN = html('<!doctype html><title>Access denied</title><h1>Access denied</h1>', {
  status: 403,
})

const CHALLENGE = html(
  '<!doctype html><title>Just a moment...</title><script>window._cf_chl_opt = {}</script>',
  { status: 403, headers: { 'cf-mitigated': 'challenge' } },
)

/** A firewall's rule on headers that it does not know, below a path. */
const refusesSigned = (below: string): Overrides => ({
  refusal: (right, { signatureAgent, path }) =>
    signatureAgent !== '' && path.startsWith(below) ? FORBIDDEN : right,
})

/** Catalog and carts are something else. */
export const isCheckoutCall = ({ operation }: OperationCall): boolean =>
  operation.endsWith('_checkout')

/** What the store answers to AI agents alone. */
export const AGENT_FAULTS: StoreFault[] = [
  storeFault('agents_refused_despite_robots', { reply: forAgents('user', FORBIDDEN) }),
  storeFault('agents_refused', {
    reply: (reply, request) =>
      request.path === '/robots.txt'
        ? { ...reply, status: 404 }
        : forAgents('user', FORBIDDEN)(reply, request),
  }),
  storeFault('agents_challenged', { reply: forAgents('user', CHALLENGE) }),
  storeFault('agents_get_less', {
    page: (parts, request) => (isFor('user', request) ? { ...parts, jsonLd: [] } : parts),
  }),
  storeFault('signed_agents_refused', refusesSigned('/products/')),
  officialFault('signed_agents_refused', refusesSigned('/')),
  storeFault(
    'ucp_signature_not_asked_for',
    failing('ucpCall')((call) => isCheckoutCall(call) && !call.isSigned, 'unauthorized'),
  ),
  storeFault('signature_directory_unusable', {
    refusal: (right, { path }) =>
      path === DIRECTORY_PATH ? json({ keys: [{ kty: 'OKP', crv: 'Ed25519' }] }) : right,
  }),
  storeFault('ai_search_kept_out', { reply: forAgents('search', FORBIDDEN) }),
]
