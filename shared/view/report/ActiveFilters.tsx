import type { JSX } from 'preact'
import { surfaceName } from '../../attribution/surfaces.ts'
import { capital } from '../../web/text/capital.ts'
import { Choose } from './Choose.tsx'
import { FILTERS, type Filter, type Picker, type ReportChoice } from './choice.ts'

/** The active filters of the report, and links that remove them. Nothing without a filter. */
export function ActiveFilters({ picker }: { picker: Picker }): JSX.Element | null {
  const active = FILTERS.filter((filter) => picker.choice[filter] !== undefined)
  if (active.length === 0) return null
  return (
    <section class="active-filters" aria-label="Filters">
      <span>Only</span>
      <ul>
        {active.map((filter) => (
          <li key={filter}>
            <span class="wild">{filterText(filter, picker.choice)}</span>
            <Choose picker={picker} change={{ [filter]: undefined }}>
              Remove
              <span class="sr-only"> {filterText(filter, picker.choice)}</span>
            </Choose>
          </li>
        ))}
      </ul>
    </section>
  )
}

function filterText(filter: Filter, choice: ReportChoice): string {
  const { surface = '', kind = 'click', landing = '', product_id = '' } = choice
  switch (filter) {
    case 'surface':
      return surfaceName(surface)
    case 'kind':
      return capital(kind)
    case 'landing':
      return `Landing page ${landing}`
    case 'product_id':
      return `Product ${product_id}`
  }
}
