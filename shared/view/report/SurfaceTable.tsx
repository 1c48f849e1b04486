import type { JSX } from 'preact'
import { KINDS } from '../../attribution/classify/visit.ts'
import type { Report, SurfaceRow, Verification } from '../../attribution/report.ts'
import { surfaceName } from '../../attribution/surfaces.ts'
import { formatNumber } from '../format.ts'
import { useLanguage } from '../language.ts'
import type { Picker } from './choice.ts'
import { FigureTable, isNothing, sortedBy } from './FigureTable.tsx'
import { CHART_METRICS, wholeOf } from './figures.ts'

interface SurfaceTableProps {
  report: Pick<
    Report,
    'by_surface' | 'verification' | 'currency' | 'revenue_by_currency' | 'summary' | 'previous'
  >
  picker: Picker
}

/** AI surfaces and their sum, sorted by the chosen figure. */
export function SurfaceTable({ report, picker }: SurfaceTableProps): JSX.Element {
  const { locale } = useLanguage()
  const { sort, surface } = picker.choice
  const proofs = new Map(Object.entries(report.verification ?? {}))
  const without = Object.entries(report.by_surface)
    .filter(([, row]) => surface === undefined && isNothing(row))
    .map(([id]) => surfaceName(id))
  const rows = Object.entries(report.by_surface)
    // In a report of one surface the others are empty.
    .filter(([id, row]) => (surface === undefined ? !isNothing(row) : id === surface))
    .map(([id, row]) => ({
      id,
      name: surfaceName(id),
      // Of all surfaces it would be the most words of the page: a click on one shows it.
      about: surface === undefined ? undefined : aboutOf(row, proofs.get(id), locale),
      row,
      ...(surface === undefined && { filter: { surface: id } }),
    }))
  return (
    <FigureTable
      id="surfaces"
      title="AI surfaces"
      caption="Sessions, orders and revenue by AI surface"
      subject="Surface"
      rows={sortedBy(rows, sort)}
      columns={['sessions', 'orders', 'conversion', 'order_value', 'revenue']}
      currency={report.currency}
      picker={picker}
      sort={sort}
      sorts={CHART_METRICS}
      whole={wholeOf(report)}
      {...(surface === undefined && { sumName: 'All AI' })}
    >
      {without.length > 0 && (
        <p class="quiet">Nothing in this period from {without.sort().join(', ')}.</p>
      )}
    </FigureTable>
  )
}

const CAME: Record<keyof SurfaceRow['kind'], string> = {
  referral: 'clicked a link',
  agent: 'by an agent',
  protocol: 'over a protocol',
}

/** How its sessions came, and of how many agents it is proved whose they are. */
function aboutOf(
  { kind }: SurfaceRow,
  verification: Verification | undefined,
  locale: string,
): string | undefined {
  const came = KINDS.filter((each) => kind[each] > 0).map(
    (each) => `${formatNumber(kind[each], locale)} ${CAME[each]}`,
  )
  const { signature, platform, address, claimed } = verification ?? NO_AGENTS
  const verified = signature.sessions + platform.sessions + address.sessions
  const agents =
    verified + claimed.sessions === 0
      ? []
      : [
          `${formatNumber(verified, locale)} verified and ${formatNumber(claimed.sessions, locale)} claimed`,
        ]
  const parts = [came.join(', '), ...agents].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join('; ')
}

const NOTHING = { sessions: 0, orders: 0 }
const NO_AGENTS: Verification = {
  ...{ signature: NOTHING, platform: NOTHING },
  ...{ address: NOTHING, claimed: NOTHING },
}
