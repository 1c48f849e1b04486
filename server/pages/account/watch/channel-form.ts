import { CHANNEL_EVENTS } from '../../../../shared/watch/channel.ts'
import { inRequestWords } from '../../../http/validation.ts'
import { NewChannel } from '../../../watch/channels/new-channel.ts'
import { type FormState, formRecord, readValues } from '../../tools/form-fields.tsx'

const EVENT_FIELDS = CHANNEL_EVENTS.map((event) => `event_${event}` as const)
const FIELDS = ['kind', 'target', ...EVENT_FIELDS] as const
type ChannelField = (typeof FIELDS)[number]

/** With the URL of a webhook, anyone can post there. */
export const CHANNEL_FIELDS = { shown: ['kind', ...EVENT_FIELDS], secret: ['target'] }

/** The values of the form that adds a channel, and its errors. */
export interface ChannelForm extends FormState<ChannelField> {
  /** The error of all events together. */
  eventsError?: string | undefined
}

/** All events are chosen. */
export const NEW_CHANNEL_FORM: ChannelForm = {
  values: formRecord(FIELDS, (name) =>
    name === 'kind' ? 'slack' : name === 'target' ? '' : 'yes',
  ),
  errors: {},
}

/** The channel that a form asks for, or the form with errors. */
export function readNewChannel(get: (name: string) => string | null) {
  const values = readValues(FIELDS, get)
  const { kind, target } = values
  const read = NewChannel.safeParse(
    {
      kind,
      ...(target !== '' && { target }),
      events: CHANNEL_EVENTS.filter((event) => values[`event_${event}`] === 'yes'),
    },
    { error: inRequestWords },
  )
  if (read.success) return { asked: read.data, values }
  const errors: Partial<Record<ChannelField, string>> = {}
  let eventsError: string | undefined
  for (const { path, message } of read.error.issues) {
    if (path[0] === 'events') eventsError = 'Choose at least one thing that it receives.'
    else errors[path[0] === 'kind' ? 'kind' : 'target'] ??= message
  }
  return { form: { values, errors, eventsError } }
}

/** The form again, with why the channel could not be created. */
export const refusedForm = (values: ChannelForm['values'], message: string): ChannelForm => ({
  values,
  errors: { target: message },
})
