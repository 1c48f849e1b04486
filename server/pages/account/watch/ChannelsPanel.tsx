import type { JSX } from 'preact'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Moment } from '../../../../shared/view/Moment.tsx'
import { Notice } from '../../../../shared/view/Notice.tsx'
import {
  CHANNEL_EVENTS,
  CHANNEL_KINDS,
  type Channel,
  type ChannelDelivery,
  type ChannelEvent,
  type ChannelTest,
  MAX_CHANNELS,
  type MadeChannel,
  REPORT_EVENTS,
} from '../../../../shared/watch/channel.ts'
import { capital } from '../../../../shared/web/text/capital.ts'
import { isConsentOver } from '../../../watch/channels/consent.ts'
import { useSite } from '../../site.tsx'
import { CheckField, ChoiceField, TextField } from '../../tools/form-fields.tsx'
import { ComingMoment } from './ComingMoment.tsx'
import { type ChannelForm, NEW_CHANNEL_FORM } from './channel-form.ts'
import { CHANNEL_WORDS } from './words.ts'

/** A channel with what was last sent to it. */
export interface ListedChannel extends Channel {
  deliveries: readonly ChannelDelivery[]
}

export interface ChannelsPanelProps {
  domain: string
  channels: readonly ListedChannel[]
  now: Date
  /** Whether the operator has set up a mail server. */
  hasMail: boolean
  /** Whether the key may read what orders show. */
  mayReadReport: boolean
  /** The channel that was just created: its secret is shown once. */
  made?: MadeChannel | undefined
  /** The outcome of the test that was just sent. */
  tested?: { id: string; result: ChannelTest } | undefined
  /** The form that was sent with an error. */
  wrong?: ChannelForm | undefined
}

/** Where alerts go, whether they arrive, and a form for another channel. */
export function ChannelsPanel(props: ChannelsPanelProps): JSX.Element {
  const { domain, channels, now, made, tested } = props
  return (
    <section class="card no-print" id="channels">
      <h2>Where alerts go</h2>
      {made !== undefined && <Made made={made} />}
      {channels.length === 0 ? (
        <Notice kind="warning" title="No alert is sent to anyone yet">
          <p>Incidents are listed on this page alone until you add a channel.</p>
        </Notice>
      ) : (
        <ul class="channels">
          {channels.map((channel) => (
            <li key={channel.id}>
              <ChannelRow
                domain={domain}
                channel={channel}
                now={now}
                tested={tested?.id === channel.id ? tested.result : undefined}
              />
            </li>
          ))}
        </ul>
      )}
      {channels.length < MAX_CHANNELS ? (
        <AddChannel {...props} />
      ) : (
        <p class="quiet">A watch has at most {MAX_CHANNELS} channels. Remove one to add another.</p>
      )}
    </section>
  )
}

/** Servers write their errors in many ways. */
const asSentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.')

/** What is shown once. */
function Made({ made: { kind, target, secret, feed_url } }: { made: MadeChannel }): JSX.Element {
  if (kind === 'mail') {
    return (
      <Notice kind="info" title={`We have asked ${target} whether they want these alerts`}>
        <p>They get a mail with a link. Until they agree there, nothing is sent to them.</p>
      </Notice>
    )
  }
  return (
    <Notice kind="success" title="The channel was added. Send a test to see whether it arrives">
      {secret !== null && (
        <>
          <p>Each message is signed by Standard Webhooks with this secret. It is shown only now.</p>
          <CodeBlock label="Secret" code={secret} />
        </>
      )}
      {feed_url !== null && (
        <>
          <p>
            Anyone who has this address can read the alerts. It is shown only now: add it to your
            reader.
          </p>
          <CodeBlock label="Address of the feed" code={feed_url} />
        </>
      )}
    </Notice>
  )
}

interface ChannelRowProps {
  domain: string
  channel: ListedChannel
  now: Date
  tested: ChannelTest | undefined
}

function ChannelRow({ domain, channel, now, tested }: ChannelRowProps): JSX.Element {
  const { path } = useSite()
  const { id, kind, target, events, state } = channel
  const place = path(`/watches/${domain}/channels/${id}`)
  return (
    <>
      <h3>
        {CHANNEL_WORDS[kind]} {target !== null && <code class="wild">{target}</code>}
      </h3>
      {tested === undefined && <State channel={channel} now={now} />}
      <p class="quiet">Receives: {events.map((event) => EVENT_WORDS[event]).join(', ')}.</p>
      {tested !== undefined && (
        <Notice
          kind={tested.delivered ? 'success' : 'error'}
          title={tested.delivered ? 'The test has arrived' : 'The test has not arrived'}
        >
          {tested.error !== null && <p class="wild">{asSentence(tested.error)}</p>}
        </Notice>
      )}
      <div class="actions">
        {state !== 'unconfirmed' && state !== 'off' && (
          <form method="post" action={`${place}/test#channels`}>
            <button type="submit" class="button button-small">
              Send a test
            </button>
          </form>
        )}
        {state === 'off' && (
          <form method="post" action={`${place}/on`}>
            <button type="submit" class="button button-small">
              Switch on again
            </button>
          </form>
        )}
        <form method="post" action={`${place}/remove`}>
          <button type="submit" class="button button-small">
            Remove<span class="sr-only"> this channel</span>
          </button>
        </form>
      </div>
      <Deliveries channel={channel} now={now} />
    </>
  )
}

function State({ channel, now }: Pick<ChannelRowProps, 'channel' | 'now'>): JSX.Element {
  const { kind, state, last_ok_at, failing_since, last_error, off_since, off_because } = channel
  switch (state) {
    case 'on':
      return (
        <p>
          {last_ok_at !== null ? (
            <>
              Works: something last arrived <Moment at={last_ok_at} now={now} />.
            </>
          ) : kind === 'feed' ? (
            'Readers fetch it when they like.'
          ) : (
            'Nothing has been sent yet.'
          )}
        </p>
      )
    case 'unconfirmed':
      return isConsentOver(channel, now) ? (
        <Notice kind="warning" title="The link in our mail has expired">
          <p>Remove this channel and add the address again: its holder then gets a new link.</p>
        </Notice>
      ) : (
        <p>Waits for the holder of the address to agree, by the link in our mail.</p>
      )
    case 'failing':
      return (
        <Notice kind="warning" title="Alerts do not arrive here at the moment">
          <p class="wild">
            {failing_since !== null && (
              <>
                The first failed <Moment at={failing_since} now={now} />.{' '}
              </>
            )}
            {last_error !== null && `${asSentence(last_error)} `}
            Each is tried again for some days; then the channel is switched off.
          </p>
        </Notice>
      )
    case 'off':
      return (
        <Notice kind="error" title="This channel is switched off: nothing is sent to it">
          <p class="wild">
            {off_because}{' '}
            {off_since !== null && (
              <>
                (<Moment at={off_since} now={now} />)
              </>
            )}
          </p>
        </Notice>
      )
  }
}

const EVENT_WORDS: Record<ChannelEvent, string> = {
  'incident.opened': 'what broke',
  'incident.closed': 'what is well again',
  signal: 'what orders show',
  digest: 'the week in short',
  'access.ending': 'headers that you gave and that end',
  'channel.off': 'channels that are switched off',
}

const DELIVERY_WORDS: Record<ChannelDelivery['state'], string> = {
  waiting: 'Not yet arrived',
  delivered: 'Arrived',
  given_up: 'Did not arrive',
}

function Deliveries({ channel, now }: Pick<ChannelRowProps, 'channel' | 'now'>) {
  const { deliveries } = channel
  if (deliveries.length === 0) return null
  return (
    <details>
      <summary>What was sent last</summary>
      <ul class="open-list">
        {deliveries.map(({ id, title, state, created_at, error, next_at, tries }) => (
          <li key={id}>
            <span class="wild">{title}</span>{' '}
            <span class="quiet">
              {DELIVERY_WORDS[state]}, <Moment at={created_at} now={now} />
              {state !== 'delivered' && error !== null && (
                <span class="wild">. {asSentence(error)}</span>
              )}
              {next_at !== null && <Next at={next_at} now={now} isFirst={tries === 0} />}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Quiet hours delay the first try, and a failed one is followed by another. */
const Next = ({ at, now, isFirst }: { at: string; now: Date; isFirst: boolean }): JSX.Element => (
  <>
    . It is {isFirst ? 'sent' : 'tried again'} <ComingMoment at={at} now={now} />.
  </>
)

function AddChannel(props: ChannelsPanelProps): JSX.Element {
  const { domain, channels, hasMail, mayReadReport, wrong } = props
  const { path } = useSite()
  const form = wrong ?? NEW_CHANNEL_FORM
  const kinds = CHANNEL_KINDS.filter((kind) => kind !== 'mail' || hasMail)
  const events = CHANNEL_EVENTS.filter((event) => mayReadReport || !REPORT_EVENTS.includes(event))
  return (
    <details open={wrong !== undefined || channels.length === 0}>
      <summary>Add a channel</summary>
      <form method="post" action={path(`/watches/${domain}/channels#channels`)} class="watch-form">
        <div class="channel-fields">
          <ChoiceField
            name="kind"
            label="How"
            form={form}
            choices={kinds.map((kind) => [kind, CHANNEL_WORDS[kind]] as const)}
          />
          <TextField
            name="target"
            label="Where to"
            form={form}
            hint={`The URL of an incoming webhook of Slack or Teams, or of your own${
              hasMail ? ', or a mail address' : ''
            }. Leave it empty for a feed.`}
          />
        </div>
        <fieldset aria-describedby={form.eventsError === undefined ? undefined : 'events-error'}>
          <legend>What it receives</legend>
          {form.eventsError !== undefined && (
            <p class="field-error" id="events-error">
              {form.eventsError}
            </p>
          )}
          <div class="watch-checks">
            {events.map((event) => (
              <CheckField
                key={event}
                name={`event_${event}`}
                label={capital(EVENT_WORDS[event])}
                form={form}
              />
            ))}
          </div>
        </fieldset>
        {!hasMail && (
          <p class="quiet">
            Alerts by mail need a mail server, which the operator of this service has not set up.
          </p>
        )}
        <button type="submit" class="button button-primary">
          Add it
        </button>
      </form>
    </details>
  )
}
