import type { ComponentChildren, JSX } from 'preact'
import { firstSteps } from '../../../../shared/audit/gap/first-steps.ts'
import { auditVerdict } from '../../../../shared/audit/gap/verdict.ts'
import { countItems } from '../../../../shared/audit/readiness/summary.ts'
import type { AuditResult } from '../../../../shared/audit/result/result.ts'
import { gapWords, isGap } from '../../../../shared/audit/words.ts'
import { GradeBadge } from '../../../../shared/view/audit/GradeBadge.tsx'
import { PointsChange } from '../../../../shared/view/audit/PointsChange.tsx'
import { SeverityBadge } from '../../../../shared/view/audit/Severity.tsx'
import { formatDate } from '../../../../shared/view/format.ts'
import { Icon } from '../../../../shared/view/Icon.tsx'
import { useLanguage } from '../../../../shared/view/language.ts'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { USUAL_CHOICE } from '../../../../shared/view/report/choice.ts'
import { KpiCards } from '../../../../shared/view/report/KpiCards.tsx'
import { accessNames, type SiteAccess } from '../../../../shared/web/site-access.ts'
import { counted } from '../../../../shared/web/text/english-count.ts'
import { runPath } from '../../runs/start-run.ts'
import { Link, useSite } from '../../site.tsx'
import { AccessNotice } from '../access/GivenAccessPage.tsx'
import { FixesPanel } from '../audit/AuditPage.tsx'
import { DomainForm, type DomainFormProps } from '../DomainForm.tsx'
import { LocalName } from '../LocalName.tsx'
import { STATUS_WORDS } from '../watch/words.ts'
import type { ReadShop } from './read-shop.ts'

interface ShopPageProps extends ReadShop {
  domain: string
  now: Date
  choice: Pick<DomainFormProps, 'domains' | 'canType'>
  /** What the owner gave for it. */
  access: SiteAccess | null
  mayAudit: boolean
}

/** Where who signs in arrives: how the shop stands, and the next thing to do. */
export function ShopPage({
  domain,
  now,
  choice,
  access,
  mayAudit,
  audited,
  sold,
}: ShopPageProps): JSX.Element {
  const { path } = useSite()
  const { dates } = useLanguage()
  const result = audited?.result ?? null
  const verdict = result && auditVerdict(result)
  const setUp = <SetUp {...{ domain, now, audited, sold }} />
  const isSetUp =
    audited?.result != null && audited.watch !== null && sold?.visited != null && sold.hasOrders
  return (
    <>
      <h1>{domain}</h1>
      <LocalName domain={domain} />
      {verdict !== null && <p class="lead">{verdict}</p>}
      {result !== null && verdict !== null && <InChatGpt result={result} />}
      <DomainForm action={path('/shop')} domain={domain} {...choice} />
      {access !== null && (
        <AccessNotice given={access}>
          <Link to={`/access/${domain}`}>Give new ones</Link>
        </AccessNotice>
      )}
      {!isSetUp && setUp}
      {audited?.watch && <Today domain={domain} watch={audited.watch} now={now} />}
      {sold !== null && (sold.visited !== null || sold.hasOrders) && (
        <section>
          <h2>What AI brought in the last 28 days</h2>
          <KpiCards
            report={sold.report}
            picker={{ choice: USUAL_CHOICE }}
            failuresHref={result === null ? undefined : path(`/audits/${domain}`)}
          />
          <p>
            <Link to={`/report?domain=${domain}`}>Surfaces, pages and products</Link>
          </p>
        </section>
      )}
      <div class="answers">
        {result !== null && result.gaps.length > 0 && <First result={result} />}
        {audited?.result && (
          <FixesPanel fixes={audited.fixes}>
            {audited.change === null ? (
              <p>Fix something and audit again: here is what it did to score, visits and orders.</p>
            ) : (
              <p>
                The score since {formatDate(audited.change.since, dates)}:{' '}
                <PointsChange points={audited.change.points} />
                {audited.change.closed.length > 0 &&
                  `. Closed: ${audited.change.closed.join('; ')}.`}
              </p>
            )}
          </FixesPanel>
        )}
      </div>
      {isSetUp && setUp}
      {mayAudit && (
        <p class="quiet">
          {access === null
            ? 'Is the store closed, or does it let strangers do less? '
            : `Audits send ${accessNames(access.kinds, access.headers)}. `}
          <Link to={`/access/${domain}`}>
            {access === null ? 'Give access to it' : 'Change what you gave'}
          </Link>
        </p>
      )}
    </>
  )
}

/** How far the store is on its shortest way into ChatGPT. */
function InChatGpt({ result }: { result: AuditResult }): JSX.Element | null {
  const ways = result.readiness.filter(
    ({ surface, ended }) => surface.startsWith('chatgpt') && ended === undefined,
  )
  const way = ways.find(({ shortest }) => shortest) ?? ways[0]
  if (way === undefined) return null
  const { in_place, seen } = countItems(way)
  return (
    <p>
      Its shortest way into ChatGPT, “{way.label}”,{' '}
      {in_place === seen
        ? 'lacks nothing that can be seen from outside'
        : `lacks ${counted(seen - in_place, 'thing')}`}
      . <Link to={`/audits/${result.domain}#readiness`}>All ways</Link>
    </p>
  )
}

/** The four steps from a stranger's shop to one that is looked after. */
function SetUp({
  domain,
  now,
  audited,
  sold,
}: Pick<ShopPageProps, 'domain' | 'now' | 'audited' | 'sold'>): JSX.Element {
  const { dates } = useLanguage()
  return (
    <ol class="set-up card" aria-label="Set-up">
      {audited !== null && (
        <Step
          title="Audited"
          done={
            audited.result && (
              <>
                <GradeBadge grade={audited.result.grade} /> {audited.result.score} of 100,{' '}
                <Moment at={audited.result.checked_at} now={now} />:{' '}
                <Link to={`/audits/${domain}`}>See the audit</Link>
              </>
            )
          }
        >
          {audited.unowned !== null && (
            <p>
              It was audited without a key,{' '}
              <Moment at={audited.unowned.asked_at.toISOString()} now={now} />:{' '}
              <Link to={runPath(audited.unowned)}>see that audit</Link>.
            </p>
          )}
          <div class="actions">
            {audited.unowned !== null && (
              <Send to={`${runPath(audited.unowned)}/keep`} label="Keep that audit" />
            )}
            <Send to="/audits" domain={domain} label="Audit it now" />
          </div>
        </Step>
      )}
      {sold !== null && (
        <Step
          title="Tag seen"
          done={
            sold.visited && (
              <>
                First visit on {formatDate(sold.visited, dates)}:{' '}
                <Link to={`/properties?domain=${domain}`}>the tag</Link>
              </>
            )
          }
        >
          <p>
            The tag marks visits that come from AI.{' '}
            <Link to={`/properties?domain=${domain}`}>
              {sold.hasProperty ? 'Put it into your pages' : 'Get the tag'}
            </Link>
          </p>
        </Step>
      )}
      {sold !== null && (
        <Step
          title="First order"
          done={
            sold.hasOrders && (
              <>
                Orders arrive: <Link to={`/report?domain=${domain}`}>see the report</Link>
              </>
            )
          }
        >
          <p>
            Orders come from your server only.{' '}
            <Link to={`/tools/orders?domain=${domain}`}>Choose your platform</Link>
          </p>
        </Step>
      )}
      {audited !== null && (
        <Step
          title="Watched"
          done={
            audited.watch && (
              <>
                {STATUS_WORDS[audited.watch.status]}:{' '}
                <Link to={`/watches/${domain}`}>see the watch</Link>
              </>
            )
          }
        >
          <p>Audits it again and again, and sends an alert when something breaks.</p>
          <div class="actions">
            <Send to="/watches" domain={domain} label="Watch it" />
          </div>
        </Step>
      )}
    </ol>
  )
}

interface StepProps {
  title: string
  /** What came of it; nothing while it is to be done. */
  done: ComponentChildren
  /** The next thing to do. */
  children: ComponentChildren
}

function Step({ title, done, children }: StepProps): JSX.Element {
  const isDone = Boolean(done)
  return (
    <li class={isDone ? 'is-done' : undefined}>
      <Icon shape={isDone ? 'check' : 'ring'} />
      <div>
        <h2>
          {title}
          <span class="sr-only">{isDone ? ', done' : ', to do'}</span>
        </h2>
        {isDone ? <p>{done}</p> : children}
      </div>
    </li>
  )
}

/** A button that sends a form. */
function Send({ to, domain, label }: { to: string; domain?: string; label: string }): JSX.Element {
  const { path } = useSite()
  return (
    <form method="post" action={path(to)}>
      {domain !== undefined && <input type="hidden" name="domain" value={domain} />}
      <button type="submit" class="button button-small">
        {label}
      </button>
    </form>
  )
}

interface TodayProps extends Pick<ShopPageProps, 'domain' | 'now'> {
  watch: NonNullable<NonNullable<ReadShop['audited']>['watch']>
}

/** Whether something is broken today. */
function Today({ domain, watch: { broken, quiet, looked_at }, now }: TodayProps): JSX.Element {
  if (broken.length === 0) {
    return (
      <p class="strip">
        {looked_at === null ? (
          'Whether anything is broken is known after the first audit of the watch.'
        ) : (
          <span>
            <strong>Nothing has broken{quiet === 0 ? '.' : ' since the watch began.'}</strong>{' '}
            {quiet > 0 && (
              <>
                <Link to={`/watches/${domain}`}>
                  {quiet === 1
                    ? 'One older or smaller gap is'
                    : `${quiet} older or smaller gaps are`}{' '}
                  open
                </Link>
                , without alerts.{' '}
              </>
            )}
            Last audited <Moment at={looked_at.toISOString()} now={now} />.
          </span>
        )}
      </p>
    )
  }
  return (
    <section class="card">
      <h2>Broken today</h2>
      <ul>
        {broken.map(({ id, severity, label, opened_at }) => (
          <li key={id}>
            <SeverityBadge severity={severity} />{' '}
            <Link to={`/watches/${domain}/incidents/${id}`}>{label}</Link>{' '}
            <span class="quiet">
              <Moment at={opened_at} now={now} />
            </span>
          </li>
        ))}
      </ul>
      {looked_at !== null && (
        <p class="quiet">
          Last audited <Moment at={looked_at.toISOString()} now={now} />.
        </p>
      )}
    </section>
  )
}

/** What to close first, and what that gives. */
function First({ result }: { result: AuditResult }): JSX.Element {
  const { domain, gaps, score, first_steps } = result
  return (
    <section class="card">
      <h2>
        Fix first: {score} → {first_steps?.score ?? score}
      </h2>
      <ol>
        {firstSteps(result, gaps).map(({ gap: { id, severity, label }, before, after }) => (
          <li key={id}>
            <SeverityBadge severity={severity} />{' '}
            <Link to={`/audits/${domain}#gap-${encodeURIComponent(id)}`}>{label}</Link>{' '}
            <span class="tag">
              {before} → {after}
            </span>
            {isGap(id) && <p class="quiet">{gapWords(id).why}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
