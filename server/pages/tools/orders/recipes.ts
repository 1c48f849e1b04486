/** A file of a recipe: its name at the store, and its path below `code/`. */
interface RecipeFile {
  name: string
  code: string
}

interface RecipeStep {
  title: string
  /** Backticks mark code. */
  text: string
  files?: readonly RecipeFile[]
  /** What the service offers to download. */
  download?: string
}

/**
 * How far the code of a page was run. `tested`: all of it, from the visit to the report. `in_part`:
 * `how` says what. `untested`: it was written from the platform's documents.
 */
export type Proof =
  | { is: 'tested' | 'in_part'; file: string; test: string; how: string }
  | { is: 'untested'; how: string }

export interface Recipe {
  /** In the address of its page. */
  id: string
  platform: string
  /** The versions that it is written for. */
  versions: string
  summary: string
  proof: Proof
  steps: readonly RecipeStep[]
  /** Where to look while trying it, between the visit and the report. */
  look: string
  /** What it does not cover. */
  limits?: string
  sources: readonly { title: string; url: string }[]
}

/** The tests of the recipes. */
const SHOPS = 'server/pages/tools/orders/recipes.e2e.ts'

/** While the tag may keep a visit, the cookie has it too. */
const TAG_AND_COOKIE: readonly RecipeFile[] = [
  { name: 'The tag, in the head', code: 'page/tag.html' },
  { name: 'After the tag', code: 'page/visit-cookie.html' },
]

/** How long the cookie lasts. */
const LOOKBACK =
  'for a day, or for as many as your property looks back: its tag then says `data-lookback="7"`, and an order later than that is not joined'

/** For all that read the cookie. */
const COOKIE_LIMITS =
  'A checkout on another host of your store than the landing gets the cookie only with the line for it in the script, without its `//`. A refusal takes that cookie in the tab of the visit; from other tabs it is gone within a day.'

/** For all that ask the page for the visit, which the tag keeps in session storage. */
const PAGE_LIMITS =
  'The page knows the visit in the tab and on the host where it landed: an order in a second tab, or in a checkout on another host of your store, is not joined. The cookie of the recipe for a Node server reaches both.'

const PAGE: RecipeStep = {
  title: 'Add the tag, and a script after it',
  text: `Put both into the template that every page shares. While the tag may keep a visit, it is also in the cookie \`aisle_visit\`, which your server gets with each request, ${LOOKBACK}. Without consent there is no cookie, and the order is not joined.`,
  files: TAG_AND_COOKIE,
}

const TAG_ALONE: RecipeStep = {
  title: 'Add the tag to the storefront',
  text: 'In the head of every page.',
  files: [{ name: 'The tag, in the head', code: 'page/tag.html' }],
}

const KEY: RecipeStep = {
  title: 'Give your server the address and the key',
  text: 'Set `AISLE_URL` and `AISLE_KEY` in the environment of your server. The key needs the scope `report:write` for your domain. It must never be in a page.',
  files: [{ name: '.env', code: 'page/env.txt' }],
}

const INSTALL: RecipeStep = {
  title: 'Install aisle-node',
  text: 'It sends reports in the background, tries again when it has to, and has no dependencies. It consists of ES modules: in CommonJS, `require` takes it from Node 20.19 on, and a dynamic import before that. It is not on the npm registry: keep the file in your repository.',
  files: [{ name: 'Shell', code: 'page/install.sh' }],
}

export const RECIPES: readonly Recipe[] = [
  {
    id: 'shopify',
    platform: 'Shopify',
    versions:
      'Online Store themes, the Ajax API of the cart, and the webhook orders/paid (Admin API 2026-04)',
    summary:
      'The theme writes the visit into the cart, Shopify copies it to the order, and a small server of yours receives paid orders by a webhook and reports them.',
    proof: {
      is: 'in_part',
      file: SHOPS,
      test: 'Shopify: the cart gets the visit, and a signed webhook reports the order',
      how: 'Its code runs in our tests in a browser and in Node, with a cart of ours and webhooks signed as Shopify signs them. It has not been run in a Shopify store.',
    },
    steps: [
      {
        title: 'Add the tag to the theme',
        text: `Online Store, Themes, Edit code, \`layout/theme.liquid\`: put all three just before \`</head>\`. The second keeps the visit in the cookie \`aisle_visit\`, with the same consent as the tag, ${LOOKBACK}. The third writes it into the cart as an attribute, and takes it out when consent is withdrawn.`,
        files: [...TAG_AND_COOKIE, { name: 'After both', code: 'shopify/theme.html' }],
      },
      INSTALL,
      KEY,
      {
        title: 'Receive the webhook',
        text: 'Run this on a server with a public https address, with the client secret of your app, or the secret that the page of webhooks shows, as `SHOPIFY_SECRET`. Shopify may deliver a webhook twice; the order counts once. Where the channel of an order is a number, its name is in `Order.attribution`: with `SHOPIFY_ADMIN_URL` (`https://your-store.myshopify.com/admin/api/2026-07/graphql.json`) and `SHOPIFY_ADMIN_TOKEN`, which may read orders, it is asked for.',
        files: [{ name: 'server.js', code: 'shopify/server.js' }],
      },
      {
        title: 'Register the webhook',
        text: 'Settings, Notifications, Webhooks: create one for "Order payment" and one for "Refund create" in JSON, with the address of your server and the path `/webhooks/shopify`.',
      },
      {
        title: 'Or all of it as an app of your own',
        text: 'In place of the theme and the page of webhooks: a theme embed that asks the Customer Privacy API, a web pixel that also tells your server which checkout a visit went into after "Buy it now", and the webhooks, as files for the command line of Shopify. Shopify’s published schemas take them; they have not been run in a store. README.md says how it is deployed.',
        download: '/aisle-shopify.zip',
      },
    ],
    look: 'In the admin, the order shows `aisle_visit` under "Additional details".',
    limits:
      'Buttons that skip the cart ("Buy it now", Shop Pay on a product page) may start a checkout without its attributes: such orders are reported where the pixel of the app told its visit since your server was started, or where the order itself says that an assistant brought the buyer (`referring_site`, or `landing_site`), and otherwise not. Orders that are bought in an assistant through the agentic storefronts of Shopify (Copilot, Gemini, Perplexity) never see the theme and have no visit: they are reported where the channel of the order, its `source_name` or `Order.attribution`, names the assistant. Shopify does not document these names: compare them with your own orders. All refunds are reported; one of an order that was not is kept, and not counted.',
    sources: [
      { title: 'Cart API', url: 'https://shopify.dev/docs/api/ajax/reference/cart' },
      {
        title: 'Webhooks: verify deliveries',
        url: 'https://shopify.dev/docs/apps/build/webhooks/subscribe/https',
      },
      {
        title: 'Order attribution',
        url: 'https://shopify.dev/docs/apps/build/sales-channels/order-attribution',
      },
    ],
  },
  {
    id: 'woocommerce',
    platform: 'WooCommerce',
    versions:
      'WooCommerce 8.2 or later, WordPress 6.5 or later, PHP 7.4 or later; the classic checkout and the block',
    summary:
      'A plugin adds the tag, notes the visit on the order, and reports orders, failed payments and refunds in the background. It also publishes your products for agents, and shows score and revenue in the admin.',
    proof: {
      is: 'tested',
      file: 'server/connectors/woocommerce/shop.e2e.ts',
      test: 'connects in one screen, joins an order and its refund, and leaves nothing behind',
      how: 'We installed it in WordPress 7.1 with WooCommerce 11.0: a visit, an order in the checkout block and one in the classic checkout, a refund, the cart of an agent, and the removal. The same with WooCommerce 9.4 and 8.2, in the classic checkout alone.',
    },
    steps: [
      {
        title: 'Install the plugin',
        text: 'Download it, and upload it in your WordPress: Plugins, Add New, Upload Plugin. Activate it.',
        download: '/aisle-woocommerce.zip',
      },
      {
        title: 'Connect it',
        text: 'WooCommerce, Aisle: enter the address of this service and a key for a plugin in a store (`audit`, `report:read`, `report:write`). The plugin finds your property, or creates it.',
      },
    ],
    look: 'An order on hold, as by bank transfer, is reported once you set it to processing. WooCommerce, Status, Scheduled Actions lists `aisle_report`. What waits for Aisle is said on every page of the admin; what was refused is in WooCommerce, Status, Logs, under `aisle`.',
    limits:
      'Not joined to a visit: an order that you create in the admin, one that is reported more than two days late, renewals of a subscription, and orders behind a cache that takes cookies from the checkout or in a checkout on another host of your store.',
    sources: [
      {
        title: 'Hooks of the checkout block, in its source',
        url: 'https://github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/src/StoreApi/Routes/V1/Checkout.php',
      },
      {
        title: 'What WooCommerce Subscriptions copies to renewals, in its source',
        url: 'https://github.com/Automattic/woocommerce-subscriptions-core/blob/trunk/includes/class-wc-subscriptions-data-copier.php',
      },
      {
        title: 'How AI Storefront for WooCommerce names agents',
        url: 'https://github.com/Automattic/woocommerce-ai-storefront/blob/main/docs/engineering/ATTRIBUTION.md',
      },
      { title: 'Action Scheduler', url: 'https://actionscheduler.org/api/' },
    ],
  },
  {
    id: 'magento',
    platform: 'Magento',
    versions: 'Magento Open Source and Adobe Commerce 2.4.4 or later, PHP 8.1 or later',
    summary:
      'A small module notes the visit of each order in a table of its own, and a cron job reports those that are paid.',
    proof: {
      is: 'untested',
      how: 'The code was written from the source and the documents of Magento, and PHP parses it. We have not run it in a store: try it in a staging store first.',
    },
    steps: [
      {
        title: 'Add the tag',
        text: 'Content, Design, Configuration, your store view, HTML Head, Scripts and Style Sheets: the tag, and after it this script. While the tag may keep a visit, it is also in the cookie `aisle_visit`, for a day or as long as your property looks back.',
        files: TAG_AND_COOKIE,
      },
      {
        title: 'Add the module',
        text: 'Put these files into `app/code/Aisle/Orders`.',
        files: [
          { name: 'registration.php', code: 'magento/registration.php' },
          { name: 'etc/module.xml', code: 'magento/etc/module.xml' },
          { name: 'etc/db_schema.xml', code: 'magento/etc/db_schema.xml' },
          { name: 'etc/events.xml', code: 'magento/etc/events.xml' },
          { name: 'etc/crontab.xml', code: 'magento/etc/crontab.xml' },
          { name: 'etc/csp_whitelist.xml', code: 'magento/etc/csp_whitelist.xml' },
          { name: 'Observer/KeepVisit.php', code: 'magento/Observer/KeepVisit.php' },
          { name: 'Cron/ReportOrders.php', code: 'magento/Cron/ReportOrders.php' },
        ],
      },
      {
        title: 'Add the key, and switch the module on',
        text: "In `app/etc/env.php`: `'aisle' => ['key' => 'aisle_live_…'],`. The key needs the scope `report:write` for your domain. Then `bin/magento module:enable Aisle_Orders` and `bin/magento setup:upgrade`.",
      },
    ],
    look: 'The table `aisle_visit` has a row for the order; `is_reported` becomes 1 within five minutes after it is paid. What failed is in `var/log/system.log`.',
    limits: `Orders that a payment provider places later, in a request of its own, have no visit. The payment page runs no inline scripts from 2.4.7 on, so the visit is the one of the pages before it. ${COOKIE_LIMITS}`,
    sources: [
      {
        title: 'Events and observers',
        url: 'https://developer.adobe.com/commerce/php/development/components/events-and-observers/',
      },
      {
        title: 'Content security policies',
        url: 'https://developer.adobe.com/commerce/php/development/security/content-security-policies/',
      },
    ],
  },
  {
    id: 'prestashop',
    platform: 'PrestaShop',
    versions: 'PrestaShop 8 and 9',
    summary:
      'A small module adds the tag, notes the visit of each cart, and reports the order once its payment is confirmed, after the buyer has the answer.',
    proof: {
      is: 'untested',
      how: 'The code was written from the documents of PrestaShop, and PHP parses it. We have not run it in a store: try it in a staging store first.',
    },
    steps: [
      {
        title: 'Add the module',
        text: 'Put both files into `modules/aisle`, and install "Aisle" in the module manager. A cart that its buyer saves later without a visit, after a day or without consent, loses what was noted.',
        files: [
          { name: 'modules/aisle/aisle.php', code: 'prestashop/aisle.php' },
          { name: 'modules/aisle/aisle-visit.html', code: 'page/visit-cookie.html' },
        ],
      },
      {
        title: 'Add the key',
        text: "In `config/defines_custom.inc.php`: `<?php define('AISLE_KEY', 'aisle_live_…');`. The key needs the scope `report:write` for your domain.",
      },
    ],
    look: 'The table `ps_aisle_visit` has a row for the cart; `is_reported` is 1 after the payment. What failed is in Advanced Parameters, Logs.',
    limits: `Where PHP does not run as FPM, the report is sent before the answer ends, and may take five seconds if Aisle does not answer. ${COOKIE_LIMITS}`,
    sources: [
      {
        title: 'Hook actionPaymentConfirmation',
        url: 'https://devdocs.prestashop-project.org/9/modules/concepts/hooks/list-of-hooks/actionpaymentconfirmation',
      },
      {
        title: 'Hook actionCartSave',
        url: 'https://devdocs.prestashop-project.org/9/modules/concepts/hooks/list-of-hooks/actioncartsave',
      },
    ],
  },
  {
    id: 'medusa',
    platform: 'Medusa',
    versions: 'Medusa 2.3 or later; run with 2.21.2',
    summary:
      'A plugin reports orders, refunds, cancellations and failed checkouts from a table of its own, and publishes your products for agents. The storefront writes the visit into the cart.',
    proof: {
      is: 'tested',
      file: 'server/connectors/medusa/shop.e2e.ts',
      test: 'joins an order and its refund, and a cancellation',
      how: 'We installed it in Medusa 2.21.2: a visit, an order, its refund, cancellations, an item that ran out, and the catalog; and checkouts with the service away, slow and refusing, and Medusa killed meanwhile. It was not run with older versions, nor with a payment provider that declines.',
    },
    steps: [
      {
        title: 'Install the plugin',
        text: 'Download it into the folder of your Medusa server, and run `npm install ./aisle-medusa.tgz`. Keep the file in your repository: it is not on the npm registry.',
        download: '/aisle-medusa.tgz',
      },
      KEY,
      {
        title: 'Configure it',
        text: "Put this file next to your `medusa-config`, name it there with `plugins: [require('./aisle')]`, and run `npx medusa db:migrate`: the plugin has the table `aisle_report`.",
        files: [{ name: 'aisle.js', code: 'medusa/aisle.js' }],
      },
      TAG_ALONE,
      {
        title: 'Send the visit with the cart',
        text: 'Where the storefront has the cart, before it is completed. Medusa keeps the other metadata, and copies it to the order. Without consent there is no visit, and the order is not reported.',
        files: [{ name: 'storefront.js', code: 'medusa/storefront.js' }],
      },
      {
        title: 'Lead agents to the catalog',
        text: 'Agents ask the host of your storefront for `/.well-known/ucp`: let it pass that path on to the same path of your Medusa server.',
      },
    ],
    look: 'The metadata of the order has `aisle_visit`. The table `aisle_report` has a row, whose `outcome` becomes `sent`; what is wrong is in the log of Medusa, after `Aisle:`.',
    limits: `An order counts when it is placed; one that is cancelled is refunded with what was not paid. What is over two days late is not counted. A checkout that a payment provider completes is reported as any other. ${PAGE_LIMITS}`,
    sources: [
      {
        title: 'Plugins',
        url: 'https://docs.medusajs.com/learn/fundamentals/plugins/create',
      },
      {
        title: 'Events of payments',
        url: 'https://docs.medusajs.com/resources/commerce-modules/payment/events',
      },
      {
        title: 'Update a cart',
        url: 'https://docs.medusajs.com/resources/references/types/HttpTypes/interfaces/types.HttpTypes.StoreUpdateCart',
      },
    ],
  },
  {
    id: 'vendure',
    platform: 'Vendure',
    versions: 'Vendure 3.3 or later; run with 3.7.3',
    summary:
      'A plugin reports orders, refunds, cancellations and declined payments by the job queue, and publishes your products for agents. The storefront writes the visit into the order.',
    proof: {
      is: 'tested',
      file: 'server/connectors/vendure/shop.e2e.ts',
      test: 'joins an order and its refund, and a cancellation',
      how: 'We installed it in Vendure 3.7.3 on Postgres: a visit, an order, its refund, cancellations, a declined payment, and the catalog; and checkouts with the service away, slow and refusing, and server and worker killed meanwhile. It was not run with older versions, nor with the BullMQ job queue.',
    },
    steps: [
      {
        title: 'Install the plugin',
        text: 'Download it into the folder of your Vendure server, and run `npm install ./aisle-vendure.tgz`. Keep the file in your repository: it is not on the npm registry.',
        download: '/aisle-vendure.tgz',
      },
      KEY,
      {
        title: 'Configure it',
        text: "Put this file next to your `vendure-config`, and add `require('./aisle')` to its `plugins`, which need a job queue and a scheduler: `DefaultJobQueuePlugin` and `DefaultSchedulerPlugin` are such. Make and run a migration: the plugin has the table `aisle_report`, and the custom field `aisleVisit` of orders.",
        files: [{ name: 'aisle.js', code: 'vendure/aisle.js' }],
      },
      TAG_ALONE,
      {
        title: 'Send the visit with the order',
        text: 'Where the storefront has an active order, before it is paid; `shopApi` is your own call of the Shop API. Without consent there is no visit, and the order is not reported.',
        files: [{ name: 'storefront.js', code: 'vendure/storefront.js' }],
      },
      {
        title: 'Lead agents to the catalog',
        text: 'Agents ask the host of your storefront for `/.well-known/ucp`: let it pass that path on to the same path of your Vendure server.',
      },
    ],
    look: 'The custom field `aisleVisit` of the order is set. The table `aisle_report` has a row, whose `outcome` becomes `sent`; what is wrong is in the log of server and worker, under `Aisle`.',
    limits: `An order counts when it is placed; of one that is cancelled, what was not paid is a refund, and what was paid comes back by a refund of its own, once it is settled. What is over two days late is not counted. ${PAGE_LIMITS}`,
    sources: [
      { title: 'Events', url: 'https://docs.vendure.io/guides/developer-guide/events/' },
      {
        title: 'Scheduled tasks',
        url: 'https://docs.vendure.io/guides/developer-guide/scheduled-tasks/',
      },
    ],
  },
  {
    id: 'nextjs',
    platform: 'Next.js',
    versions: 'Next.js 15.1 or later with the App Router; run with 16.4.6',
    summary:
      'The page sends the visit with the order, and the route handler reports it after the answer.',
    proof: {
      is: 'tested',
      file: SHOPS,
      test: 'Next.js: an order is joined to the visit that a surface brought',
      how: 'The code below was run by our test with Next.js 16.4.6, built by "next build", on 2026-11-28: a visit in a browser, an order, and the order in the report. The test installs Next.js, so it runs when we ask for it, not with every change.',
    },
    steps: [
      {
        title: 'Add the tag to the layout',
        text: 'In the root layout, so that it is in the HTML of every page.',
        files: [{ name: 'app/layout.js', code: 'nextjs/app/layout.js' }],
      },
      {
        title: 'Send the visit with the order',
        text: 'As the header `Aisle-Visit`, from the component that places the order. Nothing more is stored for it. Without consent the tag keeps no visit, and the order is not joined.',
        files: [{ name: 'app/checkout/buy-button.js', code: 'nextjs/app/checkout/buy-button.js' }],
      },
      INSTALL,
      KEY,
      {
        title: 'Report the order',
        text: '`after` runs when the buyer has the answer, and keeps a serverless function alive until the report is sent.',
        files: [
          { name: 'aisle.js', code: 'nextjs/aisle.js' },
          { name: 'app/api/orders/route.js', code: 'nextjs/app/api/orders/route.js' },
        ],
      },
    ],
    look: 'In the network panel of the browser, the request to `/api/orders` has the header `Aisle-Visit`.',
    limits: `${PAGE_LIMITS} Where orders are paid at Stripe, report them from its webhook instead: see the recipe for Stripe Checkout.`,
    sources: [
      { title: 'after', url: 'https://nextjs.org/docs/app/api-reference/functions/after' },
      {
        title: 'Route handlers',
        url: 'https://nextjs.org/docs/app/api-reference/file-conventions/route',
      },
    ],
  },
  {
    id: 'node',
    platform: 'Node server',
    versions:
      'Node 20 or later, with any framework: Express, Fastify, Hono, Koa, or none as shown here',
    summary:
      'A cookie says which visit an order belongs to, and aisle-node reports it in the background.',
    proof: {
      is: 'tested',
      file: SHOPS,
      test: 'Node: an order is joined to the visit that a surface brought',
      how: 'The code below runs in our tests: a visit in a browser, an order in a store on a Node server, and the order in the report.',
    },
    steps: [
      PAGE,
      INSTALL,
      KEY,
      {
        title: 'Report the order',
        text: '`visitIdOf` takes the request of any framework, and a parsed form. `report` returns immediately and never throws.',
        files: [{ name: 'server.js', code: 'node/server.js' }],
      },
    ],
    look: 'In the network panel of the browser, the request that places the order has the cookie `aisle_visit`.',
    limits: COOKIE_LIMITS,
    sources: [],
  },
  {
    id: 'stripe',
    platform: 'Stripe Checkout',
    versions: 'Stripe API 2026-10-28 (stripe-node 23.1.0), Checkout Sessions',
    summary:
      'The visit goes to Stripe as metadata of the Checkout Session, and comes back with the webhook that says that the order is paid.',
    proof: {
      is: 'in_part',
      file: SHOPS,
      test: 'Stripe: the visit comes back with the signed webhook',
      how: 'The code below runs in our tests with the library of Stripe and webhooks signed as Stripe signs them, against a stand-in for its API. It has not been run against Stripe itself.',
    },
    steps: [
      PAGE,
      INSTALL,
      {
        ...KEY,
        text: `${KEY.text} Stripe's own are \`STRIPE_SECRET_KEY\` and \`STRIPE_WEBHOOK_SECRET\`.`,
      },
      {
        title: 'Send the visit to Stripe, and report what is paid',
        text: 'Stripe keeps the metadata with the session. It may deliver a webhook twice; the order counts once.',
        files: [{ name: 'server.js', code: 'stripe/server.js' }],
      },
      {
        title: 'Register the webhook',
        text: 'In the dashboard of Stripe, under Webhooks: the address of your server and the path `/webhooks/stripe`, with the events `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `refund.created` and `refund.updated`.',
      },
    ],
    look: 'In the dashboard of Stripe, the payment shows `aisle_visit` in the metadata of its Checkout Session.',
    limits: `Payment Links and the Pricing Table make their sessions without your server. Orders that agents place through the Agentic Commerce Suite of Stripe come with the same event and without a visit: they are reported over ACP. Which assistant bought is known by its Stripe profile, once you have put that into \`AGENTS\`. A refund of an order that was not reported is kept, and not counted. ${COOKIE_LIMITS}`,
    sources: [
      {
        title: 'Create a Checkout Session',
        url: 'https://docs.stripe.com/api/checkout/sessions/create',
      },
      { title: 'Webhook signatures', url: 'https://docs.stripe.com/webhooks' },
      {
        title: 'Handle orders from agents',
        url: 'https://docs.stripe.com/agentic-commerce/sellers/use-cases/retail/checkout/orders',
      },
      { title: 'Currencies: special cases', url: 'https://docs.stripe.com/currencies' },
    ],
  },
  {
    id: 'google-tag-manager',
    platform: 'Google Tag Manager',
    versions: 'A web container, with tags of the type Custom HTML',
    summary:
      'The container loads the tag and writes the cookie that your server reads. The order itself is reported by your server: a key must not be in a container.',
    proof: {
      is: 'in_part',
      file: SHOPS,
      test: 'Google Tag Manager: what a container inserts writes the cookie',
      how: 'The code below runs in our tests in a browser, inserted into the page as a container does it, without the container itself.',
    },
    steps: [
      {
        title: 'Load the tag',
        text: 'Create a tag of the type Custom HTML with the trigger "Initialization - All Pages". If you can change the templates of your store, put the tag there instead: a container misses the first moments of a visit, and an audit cannot see it.',
        files: [{ name: 'Custom HTML: Aisle', code: 'gtm/tag.html' }],
      },
      {
        title: 'Tell your server which visit it is',
        text: 'A second tag of the type Custom HTML with the same trigger. While the tag may keep a visit, it is also in the cookie `aisle_visit` for a day.',
        files: [{ name: 'Custom HTML: Aisle visit', code: 'page/visit-cookie.html' }],
      },
      {
        title: 'Report the order from your server',
        text: 'See the recipe for the platform of your server: WooCommerce, Magento, PrestaShop, Next.js, Node, or plain HTML for the call alone. Leave out its tag and its script for the page.',
      },
    ],
    look: 'In the preview of Tag Manager both tags have fired; in the developer tools of the browser, the store has a cookie `aisle_visit`.',
    limits: COOKIE_LIMITS,
    sources: [
      {
        title: 'Custom tags',
        url: 'https://support.google.com/tagmanager/answer/6107167',
      },
      {
        title: 'Data attributes are dropped',
        url: 'https://github.com/umami-software/umami/issues/430',
      },
    ],
  },
  {
    id: 'html',
    platform: 'Plain HTML',
    versions: 'Any page with a form, and any server that can make an HTTP request',
    summary:
      'A hidden field takes the visit to your server with the order, and your server makes one call.',
    proof: {
      is: 'tested',
      file: SHOPS,
      test: 'Plain HTML: the form carries the visit, and one call reports the order',
      how: 'The code below runs in our tests: a visit in a browser, the form, the call with curl, and the order in the report.',
    },
    steps: [
      PAGE,
      {
        title: 'Add a field to the form',
        text: 'It is filled in from the cookie when the form is sent, and stays empty for visitors whom no AI surface sent.',
        files: [{ name: 'checkout.html', code: 'html/checkout.html' }],
      },
      KEY,
      {
        title: 'Report the order from your server',
        text: 'After the buyer has the answer, if the field `aisle_visit` is not empty. Pass it on only if it consists of 8 to 64 letters, digits, `-` and `_`. The value is in the smallest unit: 4999 is 49.99.',
        files: [{ name: 'With curl', code: 'html/report.sh' }],
      },
    ],
    look: 'In the network panel of the browser, the request that sends the form has `aisle_visit` in it.',
    limits: COOKIE_LIMITS,
    sources: [],
  },
]

export const findRecipe = (id: string): Recipe | null =>
  RECIPES.find((recipe) => recipe.id === id) ?? null
