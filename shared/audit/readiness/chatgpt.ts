import { jsonOf } from '../../web/http/presence.ts'
import { field, shown } from '../../web/json/json.ts'
import { counted } from '../../web/text/english-count.ts'
import { officialOf, stepState, whyMissing } from '../checks/acp/steps.ts'
import type { AcpSeen, UcpSeen } from '../evidence.ts'
import { inOpenaiFeed } from './feed-rows.ts'
import {
  byHand,
  type ItemSeen,
  inPlace,
  missing,
  ofRows,
  type Route,
  reasonsOf,
  requirement,
  unseen,
} from './requirement.ts'
import { livePages, mayBeRead, openDoor } from './store-pages.ts'
import { VENDOR_PAGES } from './vendor-pages.ts'

/** What ChatGPT's product search needs of a store's feed. */
export const CHATGPT_SEARCH: Route = {
  surface: 'chatgpt_search',
  label: 'Found in ChatGPT, by a product feed',
  vendor: 'chatgpt',
  about: 'ChatGPT shows your products with prices, and leads buyers to your store.',
  requirements: [
    inOpenaiFeed(
      {
        id: 'openai_feed',
        page: VENDOR_PAGES.openaiFeeds,
        label: 'A product feed for OpenAI',
        fix: 'Write a feed with the fields of OpenAI’s reference, one row for each variant.',
      },
      ({ url, tally }) => inPlace(`${url} has ${counted(tally.rows, 'row')}.`),
    ),
    inOpenaiFeed(
      {
        id: 'search_eligible',
        page: VENDOR_PAGES.openaiFields,
        label: 'Products that may be shown',
        fix: 'Set is_eligible_search to true for each product that ChatGPT may show.',
      },
      (feed) => {
        const { rows, opt_ins } = feed.tally
        const shown = `${ofRows(opt_ins.search, rows, feed)} may be shown`
        return opt_ins.search === 0
          ? missing(`${shown}: is_eligible_search is false in all others.`)
          : inPlace(`${shown}.`)
      },
    ),
    inOpenaiFeed(
      {
        id: 'search_fields',
        page: VENDOR_PAGES.openaiFields,
        label: 'The nine required fields',
        fix: 'Give each row item_id, title, description, url, image_url, brand, seller_name, availability and price, with an id of its own.',
      },
      (feed) => {
        const { search, search_ready } = feed.tally.opt_ins
        if (search === 0) return unseen('No row may be shown.')
        const qualify = `${ofRows(search_ready, search, feed)} that may be shown qualify`
        return search_ready === search
          ? inPlace(`${qualify}.`)
          : missing(`${qualify}. In the feed: ${reasonsOf(feed, 'openai')}.`)
      },
    ),
    mayBeRead(['OAI-SearchBot'], VENDOR_PAGES.openaiSearch),
    byHand({
      id: 'openai_onboarding',
      label: 'Verified business and upload',
      fix: 'Claim your business, verify your identity, choose countries and currencies, and upload the feed: a file, an address or SFTP.',
      where: 'OpenAI Business Hub, Products',
      page: VENDOR_PAGES.openaiFeeds,
    }),
  ],
}

/** What an agent in ChatGPT's browser needs of the pages that people buy on. */
export const CHATGPT_BROWSER: Route = {
  surface: 'chatgpt_browser',
  label: 'Bought on your site by ChatGPT’s browser',
  vendor: 'chatgpt',
  about: 'An agent opens your pages and checks out as a person would; nothing is to be built.',
  requirements: [
    openDoor(VENDOR_PAGES.openaiOverview),
    livePages(VENDOR_PAGES.openaiOverview),
    byHand({
      id: 'agent_let_in',
      label: 'The firewall lets the agent in',
      fix: 'Allow requests that ChatGPT’s agent signs (Signature-Agent: "https://chatgpt.com").',
      where: 'your CDN or firewall: bot rules',
      page: VENDOR_PAGES.openaiAgent,
    }),
    byHand({
      id: 'agent_can_check_out',
      label: 'A checkout that an agent can finish',
      fix: 'Buy something as a guest with the keyboard alone: every field needs a name.',
      where: 'your store, in a private window',
      page: VENDOR_PAGES.openaiOverview,
    }),
  ],
}

/** What a plugin that ends on the store's own checkout needs. */
export const CHATGPT_EXTERNAL: Route = {
  surface: 'chatgpt_external_checkout',
  label: 'Plugin in ChatGPT, checkout on your site',
  vendor: 'chatgpt',
  about: 'ChatGPT asks your plugin for products and prices; buying leads to your own checkout.',
  requirements: [
    openDoor(VENDOR_PAGES.openaiCheckout),
    byHand({
      id: 'basket_link',
      label: 'A link that opens the right basket',
      fix: 'Let the plugin lead to a checkout that already holds what the buyer chose.',
      where: 'aisle walk, or the link in a private window',
      page: VENDOR_PAGES.openaiCheckout,
    }),
    byHand({
      id: 'plugin_tools',
      label: 'Tools that answer price and stock',
      fix: 'Build an MCP server whose tools say what is for sale now; OpenAI advises against a page in a frame for commerce.',
      where: 'your plugin’s MCP server',
      page: VENDOR_PAGES.openaiTools,
    }),
    byHand({
      id: 'plugin_approved',
      label: 'An approved plugin for physical goods',
      fix: 'Submit the plugin; so far OpenAI approves those for physical goods alone.',
      where: 'your developer account at OpenAI',
      page: VENDOR_PAGES.openaiCheckout,
    }),
  ],
}

const WIDGET = 'ui://widget/checkout-session.html'

/** The contract of OpenAI's product checkout plugins (beta). */
export const CHATGPT_PLUGIN: Route = {
  surface: 'chatgpt_plugin',
  label: 'Plugin in ChatGPT, opened from a product',
  vendor: 'chatgpt',
  about:
    'ChatGPT opens your plugin beside a product of your feed. Beta, for approved partners; OpenAI’s newer guide advises tools without a widget.',
  requirements: [
    requirement({
      id: 'plugin_tool',
      label: 'The tool checkout_session',
      fix: `Give your MCP server a tool checkout_session whose _meta.ui.resourceUri is ${WIDGET}.`,
      page: VENDOR_PAGES.openaiPlugin,
      check: 'well_known',
      reads: ['ucp'],
      judge: ({ ucp }) => toolOf(ucp),
    }),
    inOpenaiFeed(
      {
        id: 'plugin_feed',
        label: 'A product feed for OpenAI',
        fix: 'Deliver a feed first: the plugin is opened from its products.',
        page: VENDOR_PAGES.openaiPlugin,
      },
      ({ url, tally }) => inPlace(`${url} has ${counted(tally.rows, 'row')}.`),
    ),
    byHand({
      id: 'plugin_access',
      label: 'Access to the beta',
      fix: 'Apply with OpenAI’s form for merchants.',
      where: 'the form on OpenAI’s page',
      page: VENDOR_PAGES.openaiPlugin,
    }),
  ],
}

/** Whether the MCP service that is known has the tool; the plugin's may be another one. */
function toolOf({ mcp }: UcpSeen): ItemSeen {
  if (mcp === null) return unseen('No MCP service is known; a plugin’s address is not published.')
  const tools = field(field(jsonOf(mcp.tools), 'result'), 'tools')
  const tool = (Array.isArray(tools) ? tools : []).find(
    (each) => field(each, 'name') === 'checkout_session',
  )
  if (tool === undefined) {
    return unseen(`${mcp.endpoint} has no tool checkout_session; the plugin’s may be elsewhere.`)
  }
  const uri = field(field(field(tool, '_meta'), 'ui'), 'resourceUri')
  return uri === WIDGET
    ? inPlace(`${mcp.endpoint} has checkout_session with the widget.`)
    : missing(`The resourceUri of checkout_session is ${shown(uri)}, expected "${WIDGET}".`)
}

/** Whether official ACP answers; the addresses of the specification's own dialect do not count. */
function acpOf(acp: AcpSeen): ItemSeen {
  const operations = officialOf(acp)
  if (acp.official === null || operations === undefined) {
    return acp.doubt === null
      ? missing('Nothing of official ACP was found: neither acp.json nor an address that answers.')
      : unseen(`${acp.doubt}.`)
  }
  const { base } = acp.official
  const why = whyMissing(acp)
  if (why !== null) return missing(`${why}.`)
  const state = stepState(operations, 'create')
  if (state.is === 'alive') return inPlace(`${base} answers.`)
  return state.is === 'dead' ? missing(`${state.why}.`) : unseen(`${state.why}.`)
}

/** What a store may still have for a program that is no more. */
export const CHATGPT_CHECKOUT: Route = {
  surface: 'chatgpt_checkout',
  label: 'Checkout inside ChatGPT',
  vendor: 'chatgpt',
  about: 'Buyers paid inside ChatGPT, and the order came to you over ACP.',
  ended:
    'It ended in March 2026, as the trade press reported. OpenAI’s guide leads to the feed and to browser use or a plugin instead.',
  requirements: [
    inOpenaiFeed(
      {
        id: 'checkout_eligible',
        label: 'Products that opt in to checkout',
        fix: 'Leave is_eligible_checkout as it is: nothing reads it today.',
        page: VENDOR_PAGES.openaiOverview,
      },
      (feed) => {
        const { rows, opt_ins } = feed.tally
        const opted = `${ofRows(opt_ins.checkout, rows, feed)} opt in`
        return opt_ins.checkout > 0 ? inPlace(`${opted}.`) : missing(`${opted}.`)
      },
    ),
    requirement({
      id: 'acp_service',
      label: 'Checkout over official ACP',
      fix: 'Keep it for other agents that speak ACP; ChatGPT no longer asks for it.',
      page: VENDOR_PAGES.openaiOverview,
      check: 'acp',
      reads: ['acp'],
      judge: ({ acp }) => acpOf(acp),
    }),
  ],
}
