import type { ComponentChildren, JSX } from 'preact'
import { littleJudged } from '../../../../shared/audit/result/compare.ts'
import { GradeBadge } from '../../../../shared/view/audit/GradeBadge.tsx'
import { HeldNote, SeverityBadge } from '../../../../shared/view/audit/Severity.tsx'
import { safeHref } from '../../../../shared/view/audit/safe-href.ts'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { Notice, type NoticeKind } from '../../../../shared/view/Notice.tsx'
import { ScrollTable } from '../../../../shared/view/ScrollTable.tsx'
import { GapTimeline } from '../../../../shared/view/watch/GapTimeline.tsx'
import { ScoreChart } from '../../../../shared/view/watch/ScoreChart.tsx'
import { keepsFromBuying } from '../../../../shared/watch/status.ts'
import type { CheckRow } from '../../../db/watch/checks.ts'
import { Link, useSite } from '../../site.tsx'
import { ComingMoment } from './ComingMoment.tsx'
import type { OpenGap, WatchView } from './read-watch.ts'
import { StatusPanel } from './StatusPanel.tsx'
import { WatchSettings, type WatchSettingsProps } from './WatchSettings.tsx'
import { lengthOf } from './words.ts'

interface WatchPageProps extends WatchView, Pick<WatchSettingsProps, 'wrong'> {
  now: Date
  mayReadReport: boolean
  /** The channels of the watch. */
  channels: ComponentChildren
}

/** One watched domain: its status, what to do first, and its history. */
export function WatchPage(props: WatchPageProps): JSX.Element {
  const { watch, now, toDo, incidents, days, gaps, looks, isStatusShown } = props
  const { path } = useSite()
  const { domain } = watch
  return (
    <>
      <p class="crumbs">
        <Link to="/watches">Watches</Link>
      </p>
      <h1>{domain}</h1>
      <HowItStands {...props} />
      {toDo.length > 0 && <ToDo toDo={toDo} domain={domain} now={now} />}
      {(looks.length > 0 || incidents.length > 0) && <Incidents incidents={incidents} now={now} />}
      {looks.length > 0 && (
        <section class="card" id="score">
          <h2>Score</h2>
          <ScoreChart days={days} />
        </section>
      )}
      {gaps.length > 0 && (
        <section class="card" id="gaps">
          <h2>Each gap over time</h2>
          <GapTimeline
            gaps={gaps}
            now={now}
            days={days.length}
            hrefOf={({ id }) => path(`/watches/${domain}/incidents/${id}`)}
          />
        </section>
      )}
      {props.channels}
      <WatchSettings watch={watch} mayReadReport={props.mayReadReport} wrong={props.wrong} />
      <StatusPanel domain={domain} isShown={isStatusShown} />
      <PastChecks looks={looks} now={now} />
    </>
  )
}

/** The status in one sentence, and what to do about it. */
function HowItStands(props: WatchPageProps): JSX.Element {
  const { watch, now, mayReadReport } = props
  const { path } = useSite()
  const { domain, score, grade, looked_at, next_at, paused_at, tags } = watch
  const { kind, title, more } = sentenceOf(props)
  return (
    <>
      <Notice kind={kind} title={title}>
        {more !== null && <p class="wild">{more}</p>}
      </Notice>
      <div class="watch-facts">
        {score !== null && (
          <p class="graded">
            <GradeBadge grade={grade} />
            {score} of 100
          </p>
        )}
        <p>
          {looked_at !== null && (
            <>
              Last audited <Moment at={looked_at.toISOString()} now={now} />
              {'. '}
            </>
          )}
          {paused_at === null && (
            <>
              Next audit <ComingMoment at={next_at.toISOString()} now={now} />.
            </>
          )}
        </p>
        {tags.length > 0 && (
          <ul class="badges">
            {tags.map((tag) => (
              <li key={tag} class="tag">
                {tag}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class="actions no-print">
        {paused_at === null && (
          <form method="post" action={path(`/watches/${domain}/look`)}>
            <button type="submit" class="button button-primary">
              Audit now
            </button>
          </form>
        )}
        <Link to={`/audits/${domain}`} class="button">
          See the audit
        </Link>
        {mayReadReport && (
          <Link to={`/report?domain=${domain}`} class="button">
            See the report
          </Link>
        )}
      </div>
    </>
  )
}

interface Sentence {
  kind: NoticeKind
  title: string
  more: string | null
}

function sentenceOf({
  watch,
  status,
  isLate,
  incidents,
  toDo,
  looks,
  now,
}: WatchPageProps): Sentence {
  const { domain, paused_at, why, outcome } = watch
  const open = incidents.filter(({ closed_at }) => closed_at === null)
  const [worst] = open
  const late = isLate
    ? 'The audit that was due has not started in time: the service is behind. If this lasts, tell your operator.'
    : null
  const blocking = toDo.find(({ incident }) => keepsFromBuying(incident))
  switch (status) {
    case 'paused':
      return {
        kind: 'info',
        title: 'This watch is paused: no audits, no alerts',
        more:
          paused_at === null
            ? null
            : `It was paused ${lengthOf(paused_at.toISOString(), now)} ago. Resume it in the settings below.`,
      }
    case 'waiting':
      return {
        kind: 'info',
        title: `The first audit of ${domain} is still to come`,
        more: late ?? 'It runs within a few minutes. Reload this page to see what it found.',
      }
    case 'broken':
      return {
        kind: 'error',
        title:
          open.length === 1 && worst !== undefined
            ? `Something broke ${lengthOf(worst.first_seen_at, now)} ago: ${lowered(worst.label)}`
            : `${open.length} things broke. The worst: ${lowered(worst?.label ?? '')}`,
        more: late,
      }
    case 'blocked':
      return {
        kind: 'error',
        title: `AI agents cannot buy here: ${lowered(blocking?.incident.label ?? '')}`,
        // Where the last audit could not see it, no audit since has closed it.
        more:
          outcome === 'seen'
            ? (late ?? 'It was there at the first audit, so no alert was sent.')
            : (why ?? worst?.detail ?? late),
      }
    case 'unseen':
      return {
        kind: 'warning',
        title:
          outcome === 'failed'
            ? 'The last audit failed on our side. That says nothing about the store'
            : 'We could not see all of the store. That does not prove that anything is broken',
        more: why ?? worst?.detail ?? late,
      }
    case 'fine': {
      const little = littleJudged(looks[0]?.judged ?? null)
      if (little !== null) {
        const { judged, applicable } = little
        return {
          kind: 'warning',
          title: `The last audit judged only ${judged} of the ${applicable} rules that apply, so little is known of this store`,
          more: late ?? 'The audit says why the others could not be judged.',
        }
      }
      return {
        kind: 'success',
        title:
          toDo.length === 0
            ? 'All is well: no audit has found a gap'
            : `Nothing has broken. ${toDo.length === 1 ? 'One gap is' : `${toDo.length} gaps are`} open for which no alert is sent`,
        more: late,
      }
    }
  }
}

/** A label within a sentence; names such as UCP keep their capitals. */
const lowered = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

/** How many are shown with what to do; the others are in the list of gaps. */
const FIRST = 3

function ToDo({
  toDo,
  domain,
  now,
}: Pick<WatchPageProps, 'toDo' | 'now'> & { domain: string }): JSX.Element {
  const first = toDo.slice(0, FIRST)
  const rest = toDo.slice(FIRST)
  return (
    <section class="card" id="to-do">
      <h2>What to do first</h2>
      <ol class="to-do">
        {first.map((gap) => (
          <li key={gap.incident.id}>
            <ToDoItem gap={gap} domain={domain} now={now} />
          </li>
        ))}
      </ol>
      {rest.length > 0 && (
        <details>
          <summary>{rest.length === 1 ? 'One more gap' : `${rest.length} more gaps`}</summary>
          <ul class="open-list">
            {rest.map((gap) => (
              <li key={gap.incident.id}>
                <SeverityBadge severity={gap.incident.severity} />{' '}
                <Link to={`/watches/${domain}/incidents/${gap.incident.id}`}>
                  {gap.incident.label}
                </Link>{' '}
                <Worth gap={gap} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function ToDoItem({
  gap,
  domain,
  now,
}: Pick<WatchPageProps, 'now'> & { gap: OpenGap; domain: string }): JSX.Element {
  const { incident, isNew, remedy, fixUrl } = gap
  const { id, severity, label, fix, first_seen_at, subject, kind } = incident
  const href = safeHref(fixUrl)
  return (
    <>
      <h3>
        <Link to={`/watches/${domain}/incidents/${id}`}>{label}</Link>
      </h3>
      <p class="to-do-about">
        <SeverityBadge severity={severity} />
        <Worth gap={gap} />
        <span class="quiet">
          {isNew ? (
            <>
              Broke <Moment at={first_seen_at} now={now} />
            </>
          ) : incident.known ? (
            'Was there at the first audit'
          ) : (
            <>
              Seen since <Moment at={first_seen_at} now={now} />
            </>
          )}
        </span>
      </p>
      <HeldNote {...gap} />
      {remedy !== null && (
        <p>
          <strong>On {remedy.name}:</strong> {remedy.remedy.steps}
        </p>
      )}
      <p>{fix}</p>
      <p class="to-do-links">
        {href !== null && <a href={href}>Fix it with our tool</a>}
        {kind === 'gap' && (
          <Link to={`/gaps/${encodeURIComponent(subject)}`}>Read about this gap</Link>
        )}
        <Link to={`/watches/${domain}/incidents/${id}`}>What was found, and a ticket to copy</Link>
      </p>
    </>
  )
}

function Worth({ gap }: { gap: OpenGap }): JSX.Element | null {
  const { points } = gap.incident
  if (points === null) return null
  const isLater = gap.held_back && gap.holds_at === null
  return (
    <span
      class="tag"
      title={
        isLater
          ? 'This counts once the score is no longer capped.'
          : 'Closing this gap alone adds at least this much to the score.'
      }
    >
      {points === 0 ? 'under +1' : `${`+${points}`} ${points === 1 ? 'point' : 'points'}`}
      {isLater && ', later'}
    </span>
  )
}

function Incidents({ incidents, now }: Pick<WatchPageProps, 'incidents' | 'now'>): JSX.Element {
  return (
    <section class="card" id="incidents">
      <h2>Incidents</h2>
      {incidents.length === 0 ? (
        <p class="empty">Nothing has broken since the watch began.</p>
      ) : (
        <ScrollTable label="Incidents, open ones first">
          <table>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Severity</th>
                <th scope="col">Began</th>
                <th scope="col">Lasted</th>
              </tr>
            </thead>
            <tbody>
              {incidents.map(({ id, domain, label, severity, first_seen_at, closed_at }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link to={`/watches/${domain}/incidents/${id}`}>{label}</Link>
                  </th>
                  <td>
                    <SeverityBadge severity={severity} />
                  </td>
                  <td>
                    <Moment at={first_seen_at} />
                  </td>
                  <td>
                    {closed_at === null
                      ? `${lengthOf(first_seen_at, now)}, still open`
                      : lengthOf(first_seen_at, closed_at)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollTable>
      )}
    </section>
  )
}

const OUTCOMES: Record<CheckRow['outcome'], string> = {
  seen: 'Seen',
  unseen: 'Could not be seen',
  failed: 'Failed on our side',
}

function PastChecks({ looks, now }: { looks: readonly CheckRow[]; now: Date }): JSX.Element | null {
  if (looks.length === 0) return null
  return (
    <details class="card no-print" id="looks">
      <summary>
        <h2 class="folded-title">The last audits</h2>
      </summary>
      <ScrollTable label="Audits, newest first">
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What came of it</th>
              <th scope="col" class="number">
                Score
              </th>
              <th scope="col" class="number">
                Gaps
              </th>
              <th scope="col" class="number">
                Requests
              </th>
              <th scope="col" class="number">
                Took
              </th>
            </tr>
          </thead>
          <tbody>
            {looks.map(({ slot_at, look, started_at, ended_at, outcome, why, ...row }) => (
              <tr key={`${slot_at.toISOString()} ${look}`}>
                <th scope="row">
                  <Moment at={ended_at.toISOString()} now={now} />
                  {look > 0 && <span class="row-about">to make sure</span>}
                </th>
                <td>
                  {OUTCOMES[outcome]}
                  {why !== null && <span class="row-about why">{why}</span>}
                </td>
                <td class="number">{row.score ?? '–'}</td>
                <td class="number">{outcome === 'seen' ? row.gaps.length : '–'}</td>
                <td class="number">{row.requests}</td>
                <td class="number">
                  {Math.max(1, Math.round((ended_at.getTime() - started_at.getTime()) / 1000))} s
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollTable>
    </details>
  )
}

/** A domain that is not watched, and the form to watch it. */
export function UnwatchedPage({
  domain,
  form,
  hasHistory,
}: {
  domain: string
  form: ComponentChildren
  hasHistory: boolean
}): JSX.Element {
  return (
    <>
      <p class="crumbs">
        <Link to="/watches">Watches</Link>
      </p>
      <h1>{domain}</h1>
      <p class="lead">
        This domain is not watched
        {hasHistory && ' any more. What was seen of it is there again once you watch it'}.
      </p>
      <section class="card">
        <h2>Watch it</h2>
        {form}
      </section>
    </>
  )
}
