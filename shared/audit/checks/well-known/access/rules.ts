import type { Presence } from '../../../../web/http/presence.ts'
import { presenceOf } from '../../../../web/http/presence.ts'
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

interface AccessRule extends Pick<Rule, 'id' | 'lostWith'> {
  /** Which agents it is about, and what of theirs it reports. */
  purpose: AiAgent['purpose']
  reports: (access: Found['access'], robots: Presence['is']) => boolean
  /** That the agent does not even get as far hides what this rule judges. */
  needsPage?: true
}

const VENDORS = 'Vendors of AI agents, documentation of their crawlers'

const ALL: readonly AccessRule[] = [
  {
    id: 'agents_refused_despite_robots',
    purpose: 'user',
    reports: ({ is }, robots) => is === 'refused' && robots === 'present',
  },
  {
    id: 'agents_refused',
    purpose: 'user',
    reports: ({ is }, robots) => is === 'refused' && robots !== 'present',
  },
  {
    id: 'agents_challenged',
    purpose: 'user',
    reports: ({ is }) => is === 'challenged',
  },
  {
    id: 'agents_get_less',
    purpose: 'user',
    lostWith: ['agents_refused', 'agents_refused_despite_robots', 'agents_challenged'],
    reports: ({ is }) => is === 'less',
    needsPage: true,
  },
  {
    // They build the index that answers come from; the agent of the moment still reads the page.
    id: 'ai_search_kept_out',
    purpose: 'search',
    reports: () => true,
  },
]

/** What the store's pages answer under the names of AI agents. */
export const accessRules: readonly Rule[] = ALL.map(({ purpose, reports, needsPage, ...about }) =>
  rule({
    ...about,
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
  if (found.length > 0) {
    const isIn = ({ access: { is } }: Case) => is === 'same' || is === 'less'
    const areOut = purpose === 'user' && !cases.some(isIn)
    return gap(detailOf(found, file.is), areOut ? 'kept_out' : undefined)
  }
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
