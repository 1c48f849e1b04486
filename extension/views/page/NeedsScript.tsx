import type { ScriptOnly } from '../../page/audit/page-audit.ts'

const NAMES: Record<ScriptOnly['what'], string> = {
  product: 'Product',
  offer: 'Offer',
  organization: 'Organization',
  snippet: 'Attribution tag',
  title: 'Page title',
  description: 'Description',
  canonical: 'Canonical URL',
}

const SHOWN = 20

/** What an agent without scripts cannot see. */
export function NeedsScript({ needed }: { needed: readonly ScriptOnly[] }) {
  if (needed.length === 0) return null
  return (
    <section class="card">
      <h2>Needs JavaScript</h2>
      <p>
        This is not in the HTML that your server sends. Agents that do not run scripts cannot see
        it.
      </p>
      <dl class="facts">
        {needed.slice(0, SHOWN).map(({ what, text: value }, index) => (
          <div key={index}>
            <dt>{NAMES[what]}</dt>
            <dd class="wild">{value}</dd>
          </div>
        ))}
      </dl>
      {needed.length > SHOWN && <p class="quiet">and {needed.length - SHOWN} more</p>}
    </section>
  )
}
