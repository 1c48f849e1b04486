import type { PageControls } from '../../../markup/control.ts'
import type { Page } from '../../../markup/page.ts'
import { mainProduct } from '../../../markup/products.ts'
import type { PageStage } from '../../../walk/pages/deciding.ts'
import { PAGE_FINDINGS, type PageFindingId } from '../../../walk/pages/findings.ts'
import type { PagesSeen } from '../../../walk/pages/pages-seen.ts'
import { TOOL_FINDINGS, type ToolFindingId } from '../../../walk/webmcp/findings.ts'
import {
  gap,
  notApplicable,
  notLookedAt,
  pass,
  type Rule,
  type RuleDefinition,
  rule,
  skip,
  type Verdict,
} from '../../rule.ts'
import type { GapId } from '../../words.ts'
import { cut, judgePages, unlessOptional } from '../pages.ts'

const NO_WALK = 'only a walk through the pages shows it, and none was made'

const WCAG = 'WCAG 2.2, 4.1.2 Name, Role, Value'
const WEBMCP = 'WebMCP, tools of a page; UCP, Catalog'
const CAPTCHA = 'W3C, Inaccessibility of CAPTCHA'

interface WalkedRule {
  id: (typeof PAGE_FINDINGS)[PageFindingId][2]
  authority: string
  /** It has passed once the walk came past this stage; null: at the last step alone. */
  past: PageStage | null
  lostWith?: readonly GapId[]
}

const STAGES: readonly PageStage[] = ['product', 'basket', 'checkout']

/** What a walk through pages says of some of its findings. */
function judgeFindings(
  seen: PagesSeen | null,
  { id: gapId, past }: Pick<WalkedRule, 'id' | 'past'>,
): Verdict {
  if (seen === null) return notLookedAt(NO_WALK)
  const found = seen.findings.filter(({ id }) => PAGE_FINDINGS[id][2] === gapId)
  if (found.length > 0) {
    const said = found.map(({ id, detail, url, element }) => {
      const at = element === '' ? url : `${url}, ${element}`
      return `${PAGE_FINDINGS[id][1]}. ${detail} (${at})`
    })
    return gap(said.join(' '))
  }
  if (seen.unseen !== null) return skip(seen.unseen.replace(/\.$/, ''))
  const furthest = Math.max(-1, ...seen.stages.map((stage) => STAGES.indexOf(stage)))
  const isPast = past !== null && furthest > STAGES.indexOf(past)
  return seen.reached || isPast ? pass() : skip('the walk through the pages did not get that far')
}

const walked = ({ id, authority, lostWith = [], past }: WalkedRule): Rule =>
  rule({
    id,
    check: 'pages',
    tool: null,
    authority,
    reads: ['pagesWalk'],
    lostWith,
    audit: ({ pagesWalk }) => judgeFindings(pagesWalk, { id, past }),
  })

type ToolGap = (typeof TOOL_FINDINGS)[ToolFindingId][1]

/** What a walk says of the tools that the product page offers to agents. */
function judgeTools(seen: PagesSeen | null, gapId: ToolGap, byCalls: boolean): Verdict {
  if (seen === null) return notLookedAt(NO_WALK)
  const { tools } = seen
  const unseen = tools === null ? (seen.unseen ?? 'the walk did not look at them') : tools.unseen
  if (tools === null || unseen !== null) return skip((unseen ?? '').replace(/\.$/, ''))
  if (tools.offered === 0) return notApplicable('the product page offers no tools to agents')
  const found = tools.findings.filter(({ id }) => TOOL_FINDINGS[id][1] === gapId)
  if (found.length > 0) {
    const said = found.map(({ id, tool, detail }) => `${tool}: ${TOOL_FINDINGS[id][0]}. ${detail}`)
    return gap(cut(said.join(' ')))
  }
  return byCalls && tools.called === 0
    ? notApplicable('no tool of the product page that says that it only reads could be called')
    : pass()
}

/** `byCalls`: only a call shows it. */
const ofTools = (id: ToolGap, byCalls: boolean): Rule =>
  rule({
    id,
    check: 'pages',
    tool: null,
    authority: WEBMCP,
    reads: ['pagesWalk'],
    audit: ({ pagesWalk }) => judgeTools(pagesWalk, id, byCalls),
  })

/** Nothing is asked of stores whose pages offer no tools. */
const toolRules: readonly Rule[] = [
  ofTools('pages_tools_unclear', false),
  ofTools('pages_tools_fail', true),
  ofTools('pages_tools_differ', true),
  ofTools('pages_tools_change', true),
]

/** What ends a walk on the product's page, and before the checkout. */
const ON_PRODUCT = ['pages_walled', 'pages_options_not_operable', 'pages_add_fails'] as const
const BEFORE_CHECKOUT = [...ON_PRODUCT, 'pages_basket_differs', 'pages_checkout_not_found'] as const

/** What an agent with a browser needs on its way from a product to the last step before paying. */
const PAGES_WALKED: readonly WalkedRule[] = [
  {
    id: 'pages_walled',
    authority: CAPTCHA,
    past: null,
  },
  {
    id: 'pages_interrupted',
    authority: 'WCAG 2.2, 3.2.5 Change on Request',
    past: null,
  },
  {
    id: 'pages_product_unclear',
    authority: 'WCAG 2.2, 1.3.1 Info and Relationships',
    past: 'product',
    lostWith: ON_PRODUCT,
  },
  {
    id: 'pages_choices_unnamed',
    authority: WCAG,
    past: 'product',
    lostWith: ON_PRODUCT,
  },
  {
    id: 'pages_options_not_operable',
    authority: WCAG,
    past: 'product',
    lostWith: ['pages_walled'],
  },
  {
    id: 'pages_add_fails',
    authority: WCAG,
    past: 'basket',
    lostWith: ['pages_walled', 'pages_options_not_operable'],
  },
  {
    id: 'pages_basket_differs',
    authority: 'Google Merchant Center, product data specification',
    past: null,
    lostWith: ON_PRODUCT,
  },
  {
    id: 'pages_checkout_not_found',
    authority: WCAG,
    past: 'basket',
    lostWith: ON_PRODUCT,
  },
  {
    id: 'pages_account_required',
    authority: 'WCAG 2.2, 3.3.8 Accessible Authentication',
    past: null,
    lostWith: BEFORE_CHECKOUT,
  },
  {
    id: 'pages_form_unclear',
    authority: 'WCAG 2.2, 1.3.5 Identify Input Purpose',
    past: null,
    lostWith: [...BEFORE_CHECKOUT, 'pages_account_required'],
  },
  {
    id: 'pages_form_stops',
    authority: 'WCAG 2.2, 3.3.2 Labels or Instructions',
    past: null,
    lostWith: [...BEFORE_CHECKOUT, 'pages_account_required'],
  },
  {
    id: 'pages_total_missing',
    authority: 'WCAG 2.2, 1.3.1 Info and Relationships',
    past: null,
    lostWith: [...BEFORE_CHECKOUT, 'pages_account_required', 'pages_form_stops'],
  },
]

/** On the HTML of product pages; in the extension, on the page as it is shown. */
const IN_HTML = {
  check: 'pages',
  tool: null,
  reads: ['productPages'],
  lostWith: ['https_missing', 'product_pages_dead'],
} as const

const inHtml = (
  about: Pick<RuleDefinition<'productPages'>, 'id' | 'authority'>,
  faultsOf: (controls: PageControls) => readonly string[],
): Rule =>
  rule({
    ...IN_HTML,
    ...about,
    audit: ({ productPages }) =>
      judgePages(
        productPages,
        (page, { rendered }) => faultsOf((rendered ?? page).controls),
        'no product page to judge',
        'gap',
      ),
  })

/** What the HTML of a product page shows without a walk. */
export const htmlPagesRules: readonly Rule[] = [
  inHtml({ id: 'pages_buttons_unnamed', authority: WCAG }, (controls) =>
    controls.unnamed_buttons.map((tag) => `${tag} has no name`),
  ),
  inHtml({ id: 'pages_links_unnamed', authority: 'WCAG 2.2, 2.4.4 Link Purpose' }, (controls) =>
    controls.unnamed_links.map((tag) => `${tag} has no name`),
  ),
  inHtml({ id: 'pages_fields_unnamed', authority: WCAG }, (controls) =>
    controls.unnamed_fields.map((tag) => `${tag} has no label`),
  ),
  inHtml(
    {
      id: 'pages_autocomplete_missing',
      authority: 'WCAG 2.2, 1.3.5 Identify Input Purpose',
    },
    (controls) => controls.without_autocomplete.map((tag) => `${tag} has no autocomplete`),
  ),
  rule({
    ...IN_HTML,
    id: 'pages_variants_scripted',
    lostWith: ['product_schema_missing'],
    authority: 'WCAG 2.2, 1.3.1 Info and Relationships',
    audit: ({ productPages }) => {
      const none = 'no product page describes variants'
      const faultsOf = (page: Page) =>
        page.scripted_choices?.map(
          ({ name, values }) => `${name} (${values.slice(0, 3).join(', ')}) is in a script alone`,
        ) ?? (mainProduct(page)?.variants.length ? [] : null)
      // Of a page that was read in part, the rest may have them.
      return unlessOptional(
        judgePages(productPages, (page, { rendered }) => faultsOf(rendered ?? page), none),
        none,
      )
    },
  }),
]

export const pagesRules: readonly Rule[] = [
  ...PAGES_WALKED.map(walked),
  ...toolRules,
  ...htmlPagesRules,
]
