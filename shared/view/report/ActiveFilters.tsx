import type { JSX } from 'preact'
import { type Language, useLanguage } from '../language.ts'
import { Choose } from './Choose.tsx'
import { FILTERS, type Filter, type Picker, type ReportChoice } from './choice.ts'
import { surfaceName } from './SurfaceTable.tsx'

/** The active filters of the report, and links that remove them. Nothing without a filter. */
export function ActiveFilters({ picker }: { picker: Picker }): JSX.Element | null {
  const language = useLanguage()
  const { text } = language
  const active = FILTERS.filter((filter) => picker.choice[filter] !== undefined)
  if (active.length === 0) return null
  return (
    <section class="active-filters" aria-label={text('filters')}>
      <span>{text('filters_only')}</span>
      <ul>
        {active.map((filter) => (
          <li key={filter}>
            <span class="wild">{filterText(filter, picker.choice, language)}</span>
            <Choose picker={picker} change={{ [filter]: undefined }}>
              {text('filter_remove')}
              <span class="sr-only"> {filterText(filter, picker.choice, language)}</span>
            </Choose>
          </li>
        ))}
      </ul>
    </section>
  )
}

function filterText(filter: Filter, choice: ReportChoice, { text }: Language): string {
  const { surface = '', kind = 'click', landing = '', product_id = '' } = choice
  switch (filter) {
    case 'surface':
      return surfaceName(surface, text)
    case 'kind':
      return text(`came_${kind}`)
    case 'landing':
      return text('filter_landing', landing)
    case 'product_id':
      return text('filter_product', product_id)
  }
}
