import type { JSX } from 'preact'
import { CodeBlock } from '../../../../shared/view/CodeBlock.tsx'
import { Link } from '../../site.tsx'

const CALL = `// Agreed: true. Refused or withdrawn: false, which deletes what is kept.
(window.aisle = window.aisle || []).push(function (aisle) {
  aisle.consent(true)
})`

export function ConsentSteps({ tag }: { tag: string }): JSX.Element {
  return (
    <details>
      <summary>With a consent banner</summary>
      <p>
        As it stands, the tag keeps a visit in the session storage of its tab from the first page
        on, for an order to be joined to. It does not where the browser asks for privacy (Global
        Privacy Control, Do Not Track), or Google's consent mode on the page denies{' '}
        <code>analytics_storage</code>. With <code>data-consent</code> it keeps nothing before the
        visitor agrees. The visit is counted in any case.
      </p>
      <CodeBlock
        label="The tag that waits for consent"
        code={tag.replace('async', 'async data-consent="required"')}
      />
      <p>
        On every page, your banner says what the visitor chose, as soon as it knows. With Google's
        consent mode it need not: an update of <code>analytics_storage</code> says the same.
      </p>
      <CodeBlock label="What the banner calls" code={CALL} />
      <p>
        Tag Manager drops the attribute: take{' '}
        <Link to="/tools/orders/google-tag-manager">the tag of its recipe</Link>, which sets it by a
        script. If nothing may load before consent, set <code>analytics_storage</code> under Consent
        Settings, "Require additional consent for tag to fire". Visitors who agree later than the
        tag is triggered are then not counted.
      </p>
    </details>
  )
}
