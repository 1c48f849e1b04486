import type { JSX } from 'preact'
import { Link } from '../site.tsx'

const TOOLS = [
  {
    to: '/tools/manifest',
    title: 'Create the manifest',
    text: 'A form that generates the file for /.well-known/ucp: version 1.0 or an official UCP profile.',
  },
  {
    to: '/tools/validate',
    title: 'Check a manifest',
    text: 'By URL or as text: every error with its field, and what agents cannot do with it.',
  },
  {
    to: '/tools/schema',
    title: 'Create product markup',
    text: 'JSON-LD for a product, its offer and your store, as an audit expects it.',
  },
  {
    to: '/tools/feed',
    title: 'Check a product feed',
    text: 'Before its upload: what OpenAI, Google, Microsoft, Meta, Stripe and PayPal would leave out, and why.',
  },
  {
    to: '/tools/robots',
    title: 'Let AI agents in',
    text: 'Your robots.txt, with the AI agents that it keeps out let in.',
  },
  {
    to: '/tools/snippet',
    title: 'Set up the tag',
    text: 'The tag that marks visits from AI surfaces, and a check whether it is live on a page.',
  },
  {
    to: '/tools/orders',
    title: 'Join orders to visits',
    text: 'What each AI surface sells: the code for Shopify, WooCommerce, Next.js and six more.',
  },
  {
    to: '/tools/collectors',
    title: 'Count what AI agents read',
    text: 'They run no script, so your server has to report them: nginx, Caddy, Node, Cloudflare, Vercel and Netlify.',
  },
] as const

export const ToolsPage = (): JSX.Element => (
  <>
    <h1>Tools</h1>
    <p class="lead">They fix the gaps that an audit finds. None of them needs a key.</p>
    <div class="doors">
      {TOOLS.map(({ to, title, text }) => (
        <section key={to} class="card">
          <h2>
            <Link to={to}>{title}</Link>
          </h2>
          <p>{text}</p>
        </section>
      ))}
    </div>
  </>
)
