import type { JSX } from 'preact'
import { CHECK_NAMES, SEVERITIES } from '../../../../shared/audit/vocabulary.ts'
import { wordsOf } from '../../../../shared/view/audit/check-names.ts'
import { CHECK_PERIODS } from '../../../../shared/watch/period.ts'
import { capital } from '../../../../shared/web/text/capital.ts'
import type { WatchRow } from '../../../db/watch/watches.ts'
import { useSite } from '../../site.tsx'
import { CheckField, ChoiceField, TextField } from '../../tools/form-fields.tsx'
import { type WatchSettingsForm, watchFormOf } from './form.ts'
import { PERIOD_WORDS } from './words.ts'

export interface WatchSettingsProps {
  watch: WatchRow
  /** Whether the key may read what orders show. */
  mayReadReport: boolean
  /** The form that was sent with an error. */
  wrong?: WatchSettingsForm | undefined
}

const FROM_WORDS = {
  critical: 'Critical only',
  high: 'High and critical',
  medium: 'Medium and worse',
  low: 'All of them',
} as const

/** The settings of a watch, with forms that change, pause and delete it. */
export function WatchSettings({ watch, mayReadReport, wrong }: WatchSettingsProps): JSX.Element {
  const { path } = useSite()
  const { domain, period, severity, quiet_hours, time_zone, paused_at } = watch
  const form = wrong ?? watchFormOf(watch)
  const place = path(`/watches/${domain}`)
  const checkError = form.errors.check_well_known
  return (
    <section class="card no-print" id="settings">
      <h2>Settings</h2>
      <p>
        Audited {PERIOD_WORDS[period]}. Alerts are about gaps of severity{' '}
        {capital(severity).toLowerCase()}
        {severity === 'critical' ? '' : ' and worse'}
        {quiet_hours === null
          ? ', at any time of day.'
          : `, but not between ${quiet_hours.from} and ${quiet_hours.to} (${time_zone}).`}
      </p>
      <details open={wrong !== undefined}>
        <summary>Change the settings</summary>
        <form method="post" action={`${place}/change#settings`} class="watch-form">
          <div class="field-row">
            <ChoiceField
              name="period"
              label="How often to audit"
              form={form}
              choices={CHECK_PERIODS.map((each) => [each, PERIOD_WORDS[each]] as const)}
            />
            <ChoiceField
              name="severity"
              label="Which gaps to alert about"
              form={form}
              choices={SEVERITIES.map((each) => [each, FROM_WORDS[each]] as const)}
            />
          </div>
          <div class="field-row">
            <TextField name="quiet_from" label="No alerts from" form={form} hint="Such as 22:00" />
            <TextField name="quiet_to" label="until" form={form} hint="Such as 07:00" />
            <TextField
              name="time_zone"
              label="Time zone"
              form={form}
              hint="Such as Europe/Berlin"
              required
            />
          </div>
          <TextField
            name="tags"
            label="Tags"
            form={form}
            hint="Words of your own, separated by commas, such as client A, fashion"
          />
          <fieldset>
            <legend>What to check</legend>
            <div class="watch-checks">
              {CHECK_NAMES.map((name) => (
                <CheckField
                  key={name}
                  name={`check_${name}`}
                  label={capital(wordsOf(name))}
                  form={form}
                />
              ))}
            </div>
            {checkError !== undefined && <p class="field-error">{checkError}</p>}
            <CheckField
              name="walk"
              label="Try whole purchases as well, up to the payment. This opens a cart in your store with each audit and cancels it."
              form={form}
            />
          </fieldset>
          {mayReadReport && (
            <CheckField
              name="with_report"
              label="Alerts and digests may say what orders show, such as revenue."
              form={form}
            />
          )}
          <button type="submit" class="button button-primary">
            Save
          </button>
        </form>
      </details>
      <form method="post" action={`${place}/pause`} class="inline-form">
        <input type="hidden" name="paused" value={paused_at === null ? 'yes' : 'no'} />
        <button type="submit" class="button">
          {paused_at === null ? 'Pause this watch' : 'Resume this watch'}
        </button>
        <p class="quiet">
          {paused_at === null
            ? 'No audits and no alerts until you resume it.'
            : 'The first audit runs right away.'}
        </p>
      </form>
      <details>
        <summary>Delete this watch</summary>
        <form method="post" action={`${place}/delete`}>
          <p>
            {domain} is no longer audited, its channels are removed and its public status page goes.
            Its history stays and is there again if you watch it again.
          </p>
          <label class="check field">
            <input type="checkbox" name="sure" value="yes" required />
            Yes, stop watching {domain}
          </label>
          <button type="submit" class="button">
            Delete the watch
          </button>
        </form>
      </details>
    </section>
  )
}
