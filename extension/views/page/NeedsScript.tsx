import type { ScriptOnly } from '../../page/audit/page-audit.ts'
import type { MessageKey } from '../../texts/messages.ts'
import { useApp } from '../app/app-state.ts'

const NAMES: Record<ScriptOnly['what'], MessageKey> = {
  product: 'script_product',
  offer: 'script_offer',
  organization: 'script_organization',
  snippet: 'script_snippet',
  title: 'script_title_element',
  description: 'script_description',
  canonical: 'script_canonical',
}

const SHOWN = 20

/** What an agent without scripts cannot see. */
export function NeedsScript({ needed }: { needed: readonly ScriptOnly[] }) {
  const { text } = useApp()
  if (needed.length === 0) return null
  return (
    <section class="card">
      <h2>{text('script_title')}</h2>
      <p>{text('script_text')}</p>
      <dl class="facts">
        {needed.slice(0, SHOWN).map(({ what, text: value }, index) => (
          <div key={index}>
            <dt>{text(NAMES[what])}</dt>
            <dd class="wild">{value}</dd>
          </div>
        ))}
      </dl>
      {needed.length > SHOWN && <p class="quiet">{text('found_more', needed.length - SHOWN)}</p>}
    </section>
  )
}
