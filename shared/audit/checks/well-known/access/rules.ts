import type { Presence } from '../../../../web/presence.ts'
import { presenceOf } from '../../../../web/presence.ts'
import type { AccessAnswer, AccessPage, Evidence } from '../../../evidence.ts'
import { gap, notApplicable, pass, type Rule, rule, skip, type Verdict } from '../../../rule.ts'
import { type AiAgent, NAMED_AGENTS } from '../ai-agents.ts'
import { keptFrom } from '../robots.ts'
import { type Access, accessOn, type Lack, outcomeOf } from './compare.ts'

/** How one agent fares on one page, with the page's answers. */
interface Case {
  page: AccessPage
  agent: AiAgent
  access: Access
}

type Found = Case & { access: Exclude<Access, { is: 'same' | 'unknown' }> }

interface AccessRule extends Pick<Rule, 'passed' | 'severity' | 'label' | 'fix' | 'lostWith'> {
  gap: string
  /** Which agents it is about, and what of theirs it reports. */
  purpose: AiAgent['purpose']
  reports: (access: Found['access'], robots: Presence['is']) => boolean
  /** That the agent does not even get as far hides what this rule judges. */
  needsPage?: true
}

const VENDORS = 'Vendors of AI agents, documentation of their crawlers'

const LOOK_FIRST =
  'First look in the log of your firewall or CDN for requests of these agents from their own addresses. If they get the page, nothing needs to change. If not,'

const ALL: readonly AccessRule[] = [
  {
    gap: 'agents_refused_despite_robots',
    passed: 'agents_admitted_as_robots_says',
    purpose: 'user',
    severity: 'high',
    label: 'robots.txt allows AI agents, but the server refuses them',
    fix: `${LOOK_FIRST} let them through: the block is in the firewall, the CDN or a plugin, not in robots.txt. If you mean to keep them out, say so in robots.txt.`,
    reports: ({ is }, robots) => is === 'refused' && robots === 'present',
  },
  {
    gap: 'agents_refused',
    passed: 'agents_admitted',
    purpose: 'user',
    severity: 'high',
    label: 'The server refuses AI agents',
    fix: `${LOOK_FIRST} let them through: the block is in the firewall, the CDN or a plugin.`,
    reports: ({ is }, robots) => is === 'refused' && robots !== 'present',
  },
  {
    gap: 'agents_challenged',
    passed: 'agents_not_challenged',
    purpose: 'user',
    severity: 'high',
    label: 'AI agents get a bot challenge instead of the page',
    fix: `${LOOK_FIRST} add a rule that skips the challenge for them.`,
    reports: ({ is }) => is === 'challenged',
  },
  {
    gap: 'agents_get_less',
    passed: 'agents_get_the_same',
    purpose: 'user',
    severity: 'high',
    label: 'AI agents get another page than shoppers do',
    fix: 'Send everyone the same page: look for a plugin, a cache or a rule that chooses by User-Agent.',
    lostWith: ['agents_refused', 'agents_refused_despite_robots', 'agents_challenged'],
    reports: ({ is }) => is === 'less',
    needsPage: true,
  },
  {
    // They build the index that answers come from; the agent of the moment still reads the page.
    gap: 'ai_search_kept_out',
    passed: 'ai_search_admitted',
    purpose: 'search',
    severity: 'medium',
    label: 'Crawlers of AI search do not get the page',
    fix: `${LOOK_FIRST} send them the page that a browser gets. Crawlers that only train models may stay blocked.`,
    reports: () => true,
  },
]

/** What the store's pages answer under the names of AI agents. */
export const accessRules: readonly Rule[] = ALL.map(({ purpose, reports, needsPage, ...texts }) =>
  rule({
    ...texts,
    check: 'well_known',
    tool: null,
    authority: VENDORS,
    reads: ['robots', 'access'],
    audit: (seen) => judge(seen, { purpose, reports, needsPage: needsPage === true }),
  }),
)

function judge(
  { robots, access }: Pick<Evidence, 'robots' | 'access'>,
  { purpose, reports, needsPage }: Pick<AccessRule, 'purpose' | 'reports'> & { needsPage: boolean },
): Verdict {
  if (access.not_asked !== null) return notApplicable(access.not_asked)
  const file = presenceOf(robots)
  const cases = access.pages.flatMap((page): Case[] => {
    const unwanted = keptFrom(page.url, robots)
    return accessOn(page).flatMap((each) => {
      const agent = NAMED_AGENTS.find(({ token }) => token === each.token)
      if (agent?.purpose !== purpose) return []
      // One that comes although robots.txt asks it not to, and does not get the page, gets what the
      // store wants.
      const isMeant = unwanted.has(each.token) && each.access.is !== 'same'
      return isMeant ? [] : [{ page, agent, access: each.access }]
    })
  })
  const found = cases.flatMap((each): Found[] => {
    const { access: its } = each
    if (its.is === 'same' || its.is === 'unknown') return []
    return reports(its, file.is) ? [{ ...each, access: its }] : []
  })
  // Without the file it is not known whether a refusal is what the store says it wants.
  const isRefusal = found.some(({ access: { is } }) => is !== 'less')
  if (isRefusal && (file.is === 'unknown' || file.is === 'unreachable')) return skip(file.why)
  if (found.length > 0) return gap(detailOf(found, file.is))
  const shut = access.pages.find(({ browsers }) => browsers.some((each) => !isLetIn(each)))
  if (shut !== undefined) {
    return skip(
      `a browser did not get ${shut.url} from here: ${sayAnswer(shut.browsers.find((each) => !isLetIn(each)))}`,
    )
  }
  for (const { agent, page, access: its } of cases) {
    if (its.is === 'unknown') return skip(`${agent.token} at ${page.url}: ${its.why}`)
    if (needsPage && (its.is === 'refused' || its.is === 'challenged')) {
      return skip(`${agent.token} does not get ${page.url}`)
    }
  }
  if (cases.length === 0) return notApplicable('robots.txt keeps these agents away')
  const names = [...new Set(cases.map(({ agent }) => agent.token))].join(', ')
  const urls = access.pages.map(({ url }) => url).join(' and ')
  return pass(`${names}: asked for ${urls} in their names, from our network.`)
}

const isLetIn = (answer: AccessAnswer): boolean => outcomeOf(answer).is === 'page'

/** One agent in full, then the others by name. */
function detailOf(found: readonly Found[], robots: Presence['is']): string {
  const [first, ...more] = found
  if (first === undefined) return ''
  const { page, agent, access } = first
  const names = (each: Found) =>
    `${each.agent.token} at ${each.page.url} (${sayAccess(each.access)})`
  const sentences = [
    `${page.url}, the ${page.is}, answers a browser with ${sayAnswer(page.browsers[0])}, and ${agent.token} of ${agent.operator} with ${sayAnswer(access.answer)}.`,
    access.lacks.length > 0 ? `${agent.token} lacks ${access.lacks.map(sayLack).join(', ')}.` : '',
    access.is !== 'less' && robots === 'present' ? 'robots.txt lets it read this page.' : '',
    more.length > 0 ? `Also: ${more.map(names).join(', ')}.` : '',
    `A robot that is on no list got ${sayAnswer(page.robot)}.`,
    `Only the User-Agent differed, and our requests came from another network than ${agent.operator}'s. Some firewalls refuse that on purpose and let the real agent in: its log tells.`,
  ]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

const LACKS: Record<Lack, string> = {
  product: 'the product markup',
  price: "the browser's price",
  text: 'most of the text',
}
const sayLack = (lack: Lack): string => LACKS[lack]

function sayAccess({ is, lacks, answer }: Found['access']): string {
  const outcome = outcomeOf(answer)
  if (outcome.is === 'challenged') return `challenge of ${outcome.by}`
  if (outcome.is === 'refused') return String(outcome.status)
  return is === 'less' ? `lacks ${lacks.map(sayLack).join(', ')}` : is
}

/** `200 (5,120 bytes, title "Lamp", product "Lamp", price 20.00 EUR)`. */
function sayAnswer(answer: AccessAnswer | undefined): string {
  if (answer === undefined) return 'nothing'
  const { fetched, content } = answer
  if (fetched.kind === 'not_asked') return fetched.reason
  if (fetched.kind === 'no_answer') return `no answer (${fetched.message})`
  if (content === null) return String(fetched.status)
  const { bytes, title, product, prices, challenge } = content
  const facts = [
    challenge === null ? '' : `challenge of ${challenge}`,
    `${bytes} bytes`,
    title === null ? 'no title' : `title ${JSON.stringify(title)}`,
    product === null ? 'no product' : `product ${JSON.stringify(product)}`,
    prices.length === 0 ? 'no price' : `price ${prices.slice(0, 3).join(', ')}`,
  ]
  return `${fetched.status} (${facts.filter((fact) => fact !== '').join(', ')})`
}
