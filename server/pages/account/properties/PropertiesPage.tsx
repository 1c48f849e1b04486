import type { JSX } from 'preact'
import {
  LOOKBACK_DAYS,
  MOST_LOOKBACK_DAYS,
  type Property,
  testVisitOf,
} from '../../../../shared/attribution/property.ts'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { formatDate } from '../../../../shared/view/format.ts'
import { useLanguage } from '../../../../shared/view/language.ts'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { isLoopback } from '../../../../shared/web/address/loopback.ts'
import { counted } from '../../../../shared/web/text/english-count.ts'
import type { TurnedAway } from '../../../attribution/beacon/days.ts'
import { Link, useSite } from '../../site.tsx'
import { AreaField, TextField } from '../../tools/form-fields.tsx'
import { LoopbackNotice } from '../../tools/snippet/LoopbackNotice.tsx'
import { DomainForm, type DomainFormProps } from '../DomainForm.tsx'
import { EMPTY_FORM, type PropertyForm } from './form.ts'
import { tellTurnedAway } from './turned-away.ts'

/** A property, and the day of its first visit in UTC; null before. */
interface ShownProperty extends Property {
  visited: string | null
  turned_away: TurnedAway | null
}

export interface PropertiesPageProps {
  domain: string
  properties: readonly ShownProperty[]
  choice: Pick<DomainFormProps, 'domains' | 'canType'>
  /** Whether the key may create, change and delete. */
  canWrite: boolean
  /** The form that was sent with an error; without an id, that of a new property. */
  wrong?: { id: string | null; form: PropertyForm } | undefined
}

export function PropertiesPage(props: PropertiesPageProps): JSX.Element {
  const { domain, properties, choice, canWrite, wrong } = props
  const { path } = useSite()
  const isFirst = properties.length === 0
  return (
    <>
      <h1>Properties of {domain}</h1>
      <p class="lead">
        A property is a storefront that has the tag in its pages. The tag marks visits from AI
        surfaces as their own channel.
      </p>
      <DomainForm action={path('/properties')} domain={domain} {...choice} />
      {properties.map((property) => (
        <PropertyCard
          key={property.id}
          property={property}
          canWrite={canWrite}
          form={wrong?.id === property.id ? wrong.form : null}
        />
      ))}
      {canWrite ? (
        <NewProperty {...{ domain, isFirst }} wrong={wrong?.id === null ? wrong.form : null} />
      ) : (
        isFirst && (
          <p>
            There is no property yet, and your key may not create one. Ask your operator for a key
            with the scope <code>report:write</code>.
          </p>
        )
      )}
    </>
  )
}

function PropertyCard(props: {
  property: ShownProperty
  canWrite: boolean
  form: PropertyForm | null
}): JSX.Element {
  const { property, canWrite, form } = props
  const { id, domain, origins, currency, time_zone, lookback_days, tag } = property
  const { path } = useSite()
  return (
    <section class="card" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <code>{id}</code>
      </h2>
      <Visits property={property} />
      <CodeBlock label="Its tag, for the head of every page" code={tag} />
      <LoopbackNotice isHere={origins.some((origin) => isLoopback(origin))} />
      <p>
        <Link to={`/tools/snippet?id=${id}&domain=${domain}`}>
          Where to put it, and a check of the page
        </Link>
        {' · '}
        <Link to={`/tools/orders?domain=${domain}`}>How orders are joined to visits</Link>
      </p>
      <p class="quiet">
        Pages of {origins.join(', ')} may report.{' '}
        {currency === null
          ? 'A value without a currency counts in that of most orders.'
          : `A value without a currency counts in ${currency}.`}{' '}
        Days are counted in the time zone {time_zone}. An order counts for{' '}
        {counted(lookback_days, 'day')} after its visit.
      </p>
      {canWrite && (
        <>
          <details open={form !== null}>
            <summary>Change it</summary>
            <form method="post" action={path('/properties/change')}>
              <Named domain={domain} id={id} />
              <PropertyFields
                prefix={id}
                form={
                  form ?? {
                    values: {
                      origins: origins.join('\n'),
                      currency: currency ?? '',
                      // Saved as UTC or as one day, a property without the setting would no longer
                      // have that of an older one.
                      time_zone: time_zone === 'UTC' ? '' : time_zone,
                      lookback_days: lookback_days === LOOKBACK_DAYS ? '' : String(lookback_days),
                    },
                    errors: {},
                  }
                }
              />
              <button type="submit" class="button">
                Save
              </button>
            </form>
          </details>
          <details>
            <summary>Delete it</summary>
            <form method="post" action={path('/properties/delete')}>
              <Named domain={domain} id={id} />
              <p>
                Its tag reports nothing any more. What was reported before stays in the report of{' '}
                {domain}.
              </p>
              <button type="submit" class="button">
                Delete this property
              </button>
            </form>
          </details>
        </>
      )}
    </section>
  )
}

/** One click makes a property: what can be set has a default, and is folded. */
function NewProperty(props: {
  domain: string
  isFirst: boolean
  wrong: PropertyForm | null
}): JSX.Element {
  const { domain, isFirst, wrong } = props
  const { path } = useSite()
  const form = (
    <form method="post" action={path('/properties')}>
      <input type="hidden" name="domain" value={domain} />
      <details open={wrong !== null}>
        <summary>Its pages, currency, time zone and days</summary>
        <PropertyFields prefix="new" form={wrong ?? EMPTY_FORM} />
      </details>
      <button type="submit" class="button button-primary">
        Create it
      </button>
    </form>
  )
  if (isFirst) {
    return (
      <section class="card">
        <h2>Create the first property</h2>
        <p>You get its tag, one line for the head of every page.</p>
        {form}
      </section>
    )
  }
  return (
    <details class="card" open={wrong !== null}>
      <summary>Create another property</summary>
      {form}
    </details>
  )
}

const Named = ({ domain, id }: { domain: string; id: string }): JSX.Element => (
  <>
    <input type="hidden" name="domain" value={domain} />
    <input type="hidden" name="id" value={id} />
  </>
)

function PropertyFields({ prefix, form }: { prefix: string; form: PropertyForm }): JSX.Element {
  return (
    <>
      <AreaField
        id={`${prefix}-origins`}
        name="origins"
        label="Where its pages are"
        rows={3}
        form={form}
        hint="One origin per line, such as https://shop.example or https://*.shop.example; http://localhost:3000 to try it on your machine. Left empty for a new property: the domain and its subdomains."
      />
      <TextField
        id={`${prefix}-currency`}
        name="currency"
        label="Currency of values that name none"
        form={form}
        hint="Such as USD. Left empty: that of most orders."
      />
      <TextField
        id={`${prefix}-time-zone`}
        name="time_zone"
        label="Time zone of its days"
        form={form}
        hint="Such as Europe/Berlin or America/New_York. Left empty: UTC for a new property; otherwise it stays as it is. Days that were counted before a change stay."
      />
      <TextField
        id={`${prefix}-lookback-days`}
        name="lookback_days"
        label="Days for which an order counts after its visit"
        form={form}
        hint={`From 1 to ${MOST_LOOKBACK_DAYS}, such as 7; the tag then says so as well. More than 1 keeps a cookie for as long, after consent alone. Left empty: 1 for a new property; otherwise it stays as it is.`}
      />
    </>
  )
}

/** Until the first visit arrives, the page polls (`properties.js`). */
function Visits({ property }: { property: ShownProperty }): JSX.Element {
  const { id, domain, visited, turned_away } = property
  const { path } = useSite()
  const { dates } = useLanguage()
  if (visited !== null) {
    return (
      <Notice
        kind="success"
        title={`The tag works: it has reported visits since ${formatDate(visited, dates)}`}
      />
    )
  }
  const test = testVisitOf(property)
  const told = turned_away && tellTurnedAway(turned_away)
  return (
    <div
      aria-live="polite"
      data-waiting={path(`/properties/visits?domain=${domain}&id=${id}`)}
      data-check={path(`/properties/check?domain=${domain}&id=${id}`)}
    >
      <Notice kind="info" title="Waiting for the first visit from an AI surface">
        <p>
          Once the tag is in your pages, open{' '}
          <a href={test} target="_blank" rel="noopener">
            your store as if from ChatGPT
          </a>{' '}
          in a new tab: this page turns green. If nothing arrives within a minute,{' '}
          <Link to={`/tools/snippet?id=${id}&domain=${domain}`}>check the page</Link>: a consent
          banner, a Content-Security-Policy or an ad blocker may keep the tag from running.
        </p>
        <div data-checked>
          {told !== null && (
            <>
              <p>
                <strong>{told.title}.</strong>
              </p>
              {told.points.map((point) => (
                <p key={point}>{point}</p>
              ))}
            </>
          )}
        </div>
        <noscript>
          <p>
            <Link to={`/properties?domain=${domain}`}>Check again</Link>
          </p>
        </noscript>
      </Notice>
      <div data-arrived hidden>
        <Notice kind="success" title="The tag works: the first visit was reported">
          <p>
            Next, <Link to={`/tools/orders?domain=${domain}`}>join your orders to visits</Link>, so
            that <Link to={`/report?domain=${domain}`}>the report</Link> shows revenue as well.
          </p>
        </Notice>
      </div>
    </div>
  )
}
