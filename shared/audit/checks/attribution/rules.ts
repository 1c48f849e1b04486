import type { Page, Script } from '../../../markup/page.ts'
import { blockingConnection, blockingDirective } from '../../../web/http/csp.ts'
import { shown } from '../../../web/json/json.ts'
import type { PageSeen } from '../../evidence.ts'
import { gap, pass, type Rule, type RuleDefinition, rule, skip, type Verdict } from '../../rule.ts'
import { WITHOUT_HOME_PAGE } from '../lost-with.ts'
import { describeTruncated, whenHomeRead } from '../pages.ts'

const SPEC = 'Specification, What the service does, 6'

/** One script element that loads the snippet. `url` is absolute. */
export interface Snippet {
  script: Script
  url: URL
}

/** The snippet's script elements, which end in its file name wherever it is served from. */
export const snippetsOf = (page: Page): Snippet[] =>
  page.scripts.flatMap((script) => {
    const url = URL.parse(script.src, page.url)
    return url?.pathname.endsWith('/attribution.js') ? [{ script, url }] : []
  })

/** Whether its address has an id, and none of the placeholders of the tag in the rule's `fix`. */
const isFilledIn = ({ url }: Snippet): boolean =>
  /^(?!property_id$)[^<>]+$/.test(url.searchParams.get('id')?.trim() ?? '') &&
  !/%7Bcdn_url%7D/i.test(url.pathname)

/** Nothing is wrong with what was read of the page; the rest may hold another script or policy. */
const passIfWhole = (page: Page): Verdict =>
  page.truncated === null ? pass() : skip(describeTruncated(page))

/** Judges the snippet; a page without it has a gap of its own, and is skipped here. */
const whenPresent = (
  home: PageSeen,
  audit: (first: Snippet, all: readonly Snippet[], page: Page) => Verdict,
): Verdict =>
  whenHomeRead(home, (page) => {
    const all = snippetsOf(page)
    const [first] = all
    return first === undefined ? skip('the tag is not in the HTML') : audit(first, all, page)
  })

/**
 * The directive of a policy that keeps the snippet from its work, and the host that it does not
 * allow: the one the snippet is loaded from, or the one that it reports visits to, with `fetch`
 * (`snippet/attribution.ts` has the same address).
 */
export function blockedBy(
  policy: string,
  { script, url }: Snippet,
  page: Page,
): { directive: string; origin: string } | null {
  const { nonce, integrity, endpoint } = script
  const loading = blockingDirective(policy, { url: url.href, nonce, integrity }, page.url)
  if (loading !== null) return { directive: loading, origin: url.origin }
  const target = URL.parse(endpoint || url.href.replace(/[^/]*\?/, 'sessions?'), page.url)
  const sending = target && blockingConnection(policy, target.href, page.url)
  return sending === null ? null : { directive: sending, origin: target?.origin ?? '' }
}

/** The policies of the header and of `<meta>`, each of which must allow the snippet. */
function policiesOf({ fetched }: PageSeen, page: Page): { policy: string; where: string }[] {
  const header = fetched.kind === 'answer' ? fetched.headers['content-security-policy'] : undefined
  return [
    ...(header === undefined
      ? []
      : [{ policy: header, where: 'the Content-Security-Policy header' }]),
    ...page.meta
      .filter(({ key }) => key === 'content-security-policy')
      .map(({ content }) => ({ policy: content, where: '<meta http-equiv>' })),
  ]
}

/** All rules of this check read only the home page; the snippet tool fixes them. */
const snippetRule = (about: Pick<RuleDefinition<'homePage'>, 'id' | 'lostWith' | 'audit'>): Rule =>
  rule({ check: 'attribution', tool: 'snippet', authority: SPEC, reads: ['homePage'], ...about })

/** Whether the snippet of the spec is on the home page and can run there. */
export const attributionRules: readonly Rule[] = [
  snippetRule({
    // Spec, What the service does, 6: the snippet is placed in the storefront's head. Without it,
    // visits from AI surfaces look like direct traffic.
    id: 'dark_traffic_untracked',
    lostWith: WITHOUT_HOME_PAGE,
    audit: ({ homePage }) =>
      whenHomeRead(homePage, (page) => {
        if (snippetsOf(page).length > 0) return pass()
        const [late] = homePage.rendered === undefined ? [] : snippetsOf(homePage.rendered)
        if (late !== undefined) return pass(`another script adds ${late.url.href} to the page`)
        if (page.truncated !== null) return skip(describeTruncated(page))
        return gap(
          `${page.url} loads no script named attribution.js in its HTML. A tag manager may add it later, which cannot be seen from outside.`,
        )
      }),
  }),
  snippetRule({
    // The tag was copied from documentation, with its placeholders or without.
    id: 'snippet_without_id',
    lostWith: ['dark_traffic_untracked'],
    audit: ({ homePage }) =>
      whenPresent(homePage, (_, all, page) => {
        const nameless = all.find((each) => !isFilledIn(each))
        if (nameless === undefined) return passIfWhole(page)
        return gap(
          `src is ${shown(nameless.script.src)}, expected attribution.js?id= and the id of your property, such as prop_8aF3kQ2mZx71LrT0vWnY.`,
        )
      }),
  }),
  snippetRule({
    // Theme and tag manager both load it.
    id: 'snippet_duplicated',
    lostWith: ['dark_traffic_untracked'],
    audit: ({ homePage }) =>
      whenPresent(homePage, (_, all, page) =>
        all.length === 1
          ? passIfWhole(page)
          : gap(
              `${page.url} loads it ${all.length} times, expected once: ${all
                .slice(0, 3)
                .map(({ script }) => shown(script.src))
                .join(', ')}.`,
            ),
      ),
  }),
  snippetRule({
    // Spec, What the service does, 6: "placed in the storefront <head>".
    id: 'snippet_not_in_head',
    lostWith: ['dark_traffic_untracked'],
    audit: ({ homePage }) =>
      whenPresent(homePage, (first, all, page) =>
        all.some(({ script }) => script.in_head)
          ? pass()
          : gap(`${shown(first.script.src)} is in the body of ${page.url}, expected in <head>.`),
      ),
  }),
  snippetRule({
    // The browser reports it only in the console, so that shops do not notice: the snippet just
    // stays silent.
    id: 'snippet_blocked_by_csp',
    lostWith: ['dark_traffic_untracked'],
    audit: ({ homePage }) =>
      whenPresent(homePage, (first, _, page) => {
        for (const { policy, where } of policiesOf(homePage, page)) {
          const blocked = blockedBy(policy, first, page)
          if (blocked === null) continue
          const { directive, origin } = blocked
          return gap(
            `${where} of ${page.url} says ${shown(directive)}, which does not allow ${origin}.`,
          )
        }
        return passIfWhole(page)
      }),
  }),
]
