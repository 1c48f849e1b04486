import * as z from 'zod'
import { cardNumberIn } from '../commerce/card-number.ts'
import { Domain } from '../web/address/domain.ts'
import { WALK_DIALECTS } from './dialect.ts'
import { INTENT_IDS, INTENTS, WALK_MODES } from './intents.ts'

// Unspecified: a secret of a walk has 4 to 4,000 visible ASCII characters without quotes, commas
// and backslashes. With that length it can be recognised, and left out, in any answer of the store.
const secret = (space: '' | ' ', what: string) =>
  z
    .string()
    .regex(
      new RegExp(`^(?=\\S.*\\S$)[${space}!#-+\\--[\\]-~]{4,4000}$`),
      `${what} has 4 to 4,000 characters, without quotes, commas, backslashes and line breaks.`,
    )

// Spec, Authentication 8: "Raw card numbers are never stored or handled".
const Token = secret('', 'A token').refine(
  (token) => !cardNumberIn(token),
  'Send a token of your test PSP, not the number of a card.',
)

/** Whether an address is that of a page of this store: at its domain or a name below it. */
function isPageOf(domain: string, address: string): boolean {
  const url = URL.parse(address)
  const base = domain.replace(/^www\./, '')
  return url !== null && (url.hostname === base || url.hostname.endsWith(`.${base}`))
}

/**
 * Body of `POST /api/walk`. Tokens and the agent's key are used for this walk and stored nowhere;
 * messages about the body do not repeat them.
 */
export const WalkRequest = z
  .strictObject({
    domain: Domain,
    mode: z
      .enum(WALK_MODES)
      .optional()
      .describe(
        '`look` (when left out) pays nothing, and cancels what it opens. `sandbox` pays with the tokens of `payment`',
      ),
    intents: z
      .array(z.enum(INTENT_IDS))
      .min(1, 'Name at least one intent, or leave intents out.')
      .optional()
      .describe('What to buy, or try. Left out: all that can be seen in the mode'),
    dialects: z
      .array(z.enum(WALK_DIALECTS))
      .min(1, 'Name at least one dialect, or leave dialects out.')
      .optional()
      .describe('The protocols to buy over. Left out: all that the store speaks'),
    item: z
      .string()
      .trim()
      .regex(
        /^\P{Cc}{1,200}$/u,
        'An item is the id of a product or a variant, with 1 to 200 characters.',
      )
      .optional()
      .describe(
        'The id of what to buy, as the store knows it. Left out: the cheapest in its lists',
      ),
    pages: z
      .boolean()
      .optional()
      .describe(
        'True: a browser also walks through the pages of the store, up to the last step before paying',
      ),
    product_url: z
      .url({ protocol: /^https?$/, error: 'Send the whole address of a product page.' })
      .max(2_000)
      .optional()
      .describe(
        'The product page on which the walk through pages begins. Left out: one that an audit has read, or that is found',
      ),
    payment: z
      .strictObject({
        good: Token.describe('A token that is charged'),
        declined: Token.optional().describe('A token that is declined'),
        challenged: Token.optional().describe('A token for which the buyer is asked to confirm'),
      })
      .optional()
      .describe('Tokens of your test PSP, for mode sandbox. They are not stored'),
    agent_key: secret(' ', 'An agent key')
      .optional()
      .describe('What the store wants of agents in Authorization. It is not stored'),
  })
  .superRefine(({ domain, mode = 'look', intents = [], payment, pages, product_url }, context) => {
    const refuse = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    if (product_url !== undefined) {
      if (pages !== true) refuse(['product_url'], 'Send pages as true as well, or leave this out.')
      else if (!isPageOf(domain, product_url)) {
        refuse(['product_url'], `A product page of ${domain} is at ${domain}, or below it.`)
      }
    }
    if (mode === 'sandbox') {
      if (payment === undefined)
        refuse(['payment'], 'Send a token of your test PSP as payment.good, or use mode look.')
      return
    }
    if (payment !== undefined) {
      refuse(['payment'], 'Mode look pays nothing. Leave payment out, or use mode sandbox.')
    }
    const paying = INTENTS.filter((intent) => intent.mode === 'sandbox')
    for (const [at, id] of intents.entries()) {
      if (!paying.some((intent) => intent.id === id)) continue
      refuse(['intents', at], `${id} has to pay. Use mode sandbox for it.`)
    }
  })
export type WalkRequest = z.infer<typeof WalkRequest>
