import type { JSX } from 'preact'
import { Link } from '../site.tsx'

const TOOLS = [
  {
    to: '/tools/manifest',
    title: 'Make the manifest',
    text: 'A form that makes the file for /.well-known/ucp, in both of its languages.',
  },
  {
    to: '/tools/validate',
    title: 'Check a manifest',
    text: 'By its address or as text: every error with its field, and what agents will not do.',
  },
  {
    to: '/tools/schema',
    title: 'Make product markup',
    text: 'JSON-LD of a product, its offer and your shop, as an audit wants it.',
  },
  {
    to: '/tools/snippet',
    title: 'Set up the snippet',
    text: 'The tag that tells visits from AI surfaces apart, and whether it is live on a page.',
  },
] as const

export const ToolsPage = (): JSX.Element => (
  <>
    <h1>Tools</h1>
    <p class="lead">What the gaps of an audit link to. None of them needs a key.</p>
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
