import type { JSX } from 'preact'
import type { Report } from '../../attribution/report.ts'
import { Bar } from '../Bar.tsx'
import { formatNumber, formatPercent } from '../format.ts'
import { useLanguage } from '../language.ts'

interface FunnelViewProps {
  funnel: Report['funnel']
}

const STEPS = ['viewed', 'initiated', 'completed'] as const
const STEP_NAMES = {
  viewed: 'Products viewed',
  initiated: 'Checkouts started',
  completed: 'Orders',
}

/**
 * From product to order. A step larger than the one before has no rate: not every store reports its
 * product views.
 */
export function FunnelView({ funnel }: FunnelViewProps): JSX.Element {
  const { locale } = useLanguage()
  const most = Math.max(...STEPS.map((step) => funnel[step]))
  return (
    <section class="card">
      <h3>From product to order</h3>
      <table class="funnel">
        <caption class="sr-only">Steps of AI checkouts</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" class="number">
              Count
            </th>
            <th scope="col" class="number">
              % of previous step
            </th>
          </tr>
        </thead>
        <tbody>
          {STEPS.map((step, at) => {
            const before = funnel[STEPS[at - 1] ?? step]
            const hasRate = at > 0 && before > 0 && funnel[step] <= before
            return (
              <tr key={step}>
                <th scope="row">
                  {STEP_NAMES[step]}
                  <Bar part={most === 0 ? 0 : funnel[step] / most} />
                </th>
                <td class="number">{formatNumber(funnel[step], locale)}</td>
                <td class="number">{hasRate && formatPercent(funnel[step] / before, locale)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p class={funnel.failed > 0 ? 'funnel-failed' : 'quiet'}>
        Failed checkouts: {formatNumber(funnel.failed, locale)}
      </p>
    </section>
  )
}
