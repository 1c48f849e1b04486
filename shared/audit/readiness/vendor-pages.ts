import { UCP } from '../../protocols/ucp/versions.ts'

/** A page of a vendor that a requirement rests on, and the day on which it was last read. */
export interface VendorPage {
  url: string
  /** Such as `2026-11-30`. */
  read: string
}

const page = (url: string, read = '2026-11-30'): VendorPage => ({ url, read })

const READ_AGAIN = '2026-12-01'
const OPENAI = 'https://developers.openai.com'
const UCP_GUIDES = 'https://developers.google.com/merchant/ucp'
/** The versions for which Google documents native checkout (…/merchant/ucp/implementation). */
export const GOOGLE_VERSIONS = UCP.all.filter((version) => UCP.of(version).isOnGoogle)
export const NEWEST_ON_GOOGLE = GOOGLE_VERSIONS.at(-1) ?? UCP.newest

const IMPLEMENTATION = `${UCP_GUIDES}/implementation/${NEWEST_ON_GOOGLE}`
const GOOGLE_PAY = 'https://developers.google.com/pay/api/universal-commerce-protocol'

/** Every page that a route rests on. `aisle specs check` says which dates are old. */
export const VENDOR_PAGES = {
  openaiOverview: page(`${OPENAI}/commerce/guides/overview`, READ_AGAIN),
  openaiFeeds: page(`${OPENAI}/commerce/product-feeds/`, READ_AGAIN),
  openaiFields: page(`${OPENAI}/commerce/specs/file-upload/products`),
  openaiCheckout: page(`${OPENAI}/plugins/build/monetization`, READ_AGAIN),
  openaiTools: page(`${OPENAI}/commerce/guides/build-a-plugin`, READ_AGAIN),
  openaiPlugin: page(`${OPENAI}/plugins/guides/product-checkout-conversion-spec`),
  openaiSearch: page('https://help.openai.com/en/articles/12627856-publishers-and-developers-faq'),
  openaiAgent: page('https://help.openai.com/en/articles/11845367-chatgpt-agent-allowlisting'),
  googleProfile: page(`${UCP_GUIDES}/guides/overview/ucp-profile`),
  googleTransport: page(`${UCP_GUIDES}/guides/overview/mcp-transport`, READ_AGAIN),
  googleAccount: page(`${UCP_GUIDES}/guides/overview/merchant-center`),
  googleHub: page(`${UCP_GUIDES}/guides/merchant-center/integration`, READ_AGAIN),
  googleOrders: page(`${IMPLEMENTATION}/order-lifecycle`),
  googleCart: page(`${UCP_GUIDES}/guides/overview/cart-overview`, READ_AGAIN),
  googleCartApi: page(`${IMPLEMENTATION}/cart-api`, READ_AGAIN),
  googlePay: page(`${GOOGLE_PAY}/google-pay-payment-handler`),
  googlePayConfig: page(`${GOOGLE_PAY}/reference/config`),
  googleProductData: page('https://support.google.com/merchants/answer/7052112'),
  googleListings: page('https://support.google.com/merchants/answer/12079604'),
  microsoftCenter: page('https://help.ads.microsoft.com/apex/index/3/en/60048'),
  microsoftFields: page(
    'https://learn.microsoft.com/en-us/advertising/msa-help/hlp_ba_conc_aboutbingmerchantcentercatalogfile',
  ),
  perplexityCrawlers: page(
    'https://docs.perplexity.ai/docs/resources/perplexity-crawlers',
    READ_AGAIN,
  ),
  shopifyCatalog: page('https://help.shopify.com/en/manual/shopify-catalog'),
  amazonCrawler: page('https://developer.amazon.com/amazonbot', READ_AGAIN),
  mastercardFirstLevel: page(
    'https://developer.mastercard.com/merchant-cloud/documentation/tutorials-and-guides/agentic-commerce-guide/21/',
    READ_AGAIN,
  ),
  visaAgents: page('https://developer.visa.com/docs/trusted-agent-protocol', READ_AGAIN),
} satisfies Record<string, VendorPage>
