import type { JSX, TargetedSubmitEvent } from 'preact'
import {
  GRANULARITIES,
  type Granularity,
  TOUCHES,
  type TouchChoice,
} from '../../attribution/report.ts'
import { capital } from '../../web/text/capital.ts'
import { Field } from './Field.tsx'

export interface RangeValues {
  /** Days in the store's time zone, both included. */
  start: string
  end: string
  granularity: Granularity
  compare: boolean
  /** Null leaves the choice to the report. */
  currency: string | null
}

interface RangePreset {
  label: string
  href: string
  isCurrent?: boolean | undefined
  onPick?: (() => void) | undefined
}

export interface RangeFormProps extends RangeValues {
  /**
   * The target of the form, by GET: `start`, `end`, `granularity`, `compare=previous`, `currency`,
   * `touch`.
   */
  action: string
  presets: readonly RangePreset[]
  /** The currencies to choose from; only offered if there are two. */
  currencies?: readonly string[] | undefined
  /** For which visit orders of two count; left out where none has two. */
  touch?: TouchChoice | undefined
  /** Further parameters to keep, such as `metric`. */
  hidden?: Readonly<Record<string, string>> | undefined
  /** Called instead of the GET. */
  onRange?: ((values: RangeValues) => void) | undefined
}

/** Which period the report covers. Works without JavaScript. */
export function RangeForm(props: RangeFormProps): JSX.Element {
  const { action, presets, currencies = [], hidden = {}, onRange } = props
  return (
    <div class="range">
      {presets.length > 0 && (
        <nav aria-label="Preset periods">
          <ul class="presets">
            {presets.map((preset) => (
              <li key={preset.label}>
                <Preset {...preset} />
              </li>
            ))}
          </ul>
        </nav>
      )}
      <details class="range-more" open={!presets.some(({ isCurrent }) => isCurrent)}>
        <summary>Another period{currencies.length > 1 && ' or currency'}</summary>
        <form
          class="range-form"
          method="get"
          action={action}
          {...(onRange === undefined
            ? {}
            : {
                onSubmit: (event: TargetedSubmitEvent<HTMLFormElement>) => {
                  event.preventDefault()
                  onRange(valuesOf(new FormData(event.currentTarget)))
                },
              })}
        >
          {Object.entries(hidden).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Field id="range-start" label="From">
            {(attributes) => (
              <input {...attributes} type="date" name="start" defaultValue={props.start} required />
            )}
          </Field>
          <Field id="range-end" label="To">
            {(attributes) => (
              <input {...attributes} type="date" name="end" defaultValue={props.end} required />
            )}
          </Field>
          <Field id="range-granularity" label="By">
            {(attributes) => (
              <select {...attributes} name="granularity">
                {GRANULARITIES.map((each) => (
                  <option key={each} value={each} selected={each === props.granularity}>
                    {capital(each)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {currencies.length > 1 && (
            <Field id="range-currency" label="Currency">
              {(attributes) => (
                <select {...attributes} name="currency">
                  {currencies.map((each) => (
                    <option key={each} value={each} selected={each === props.currency}>
                      {each}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {props.touch !== undefined && (
            <Field id="range-touch" label="Orders count for">
              {(attributes) => (
                <select {...attributes} name="touch">
                  {TOUCHES.map((each) => (
                    <option key={each} value={each} selected={each === props.touch}>
                      {`Their ${each} visit`}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          <label class="check">
            <input type="checkbox" name="compare" value="previous" defaultChecked={props.compare} />
            Compare with the previous period
          </label>
          <button type="submit" class="button button-primary">
            Show
          </button>
        </form>
      </details>
    </div>
  )
}

const Preset = ({ label, href, isCurrent, onPick }: RangePreset): JSX.Element => (
  <a
    href={href}
    {...(isCurrent ? { 'aria-current': 'true' as const } : {})}
    {...(onPick === undefined
      ? {}
      : {
          onClick: (event: Event) => {
            event.preventDefault()
            onPick()
          },
        })}
  >
    {label}
  </a>
)

function valuesOf(form: FormData): RangeValues {
  const granularity = GRANULARITIES.find((each) => each === form.get('granularity')) ?? 'day'
  const currency = form.get('currency')
  return {
    start: String(form.get('start') ?? ''),
    end: String(form.get('end') ?? ''),
    granularity,
    compare: form.get('compare') !== null,
    currency: typeof currency === 'string' && currency !== '' ? currency : null,
  }
}
