import type { JSX } from 'preact'
import { Link } from '../site.tsx'
import { DomainForm, type DomainFormProps } from './DomainForm.tsx'

export interface ChooseDomainProps extends Pick<DomainFormProps, 'action' | 'domains' | 'canType'> {
  title: string
}

/** Before a domain is chosen. */
export function ChooseDomain({ title, ...form }: ChooseDomainProps): JSX.Element {
  return (
    <>
      <h1>{title}</h1>
      {form.canType || form.domains.length > 0 ? (
        <>
          <p class="lead">Which domain?</p>
          <DomainForm domain="" {...form} />
        </>
      ) : (
        <p class="lead">
          Your key does not cover any domain. Ask your operator for a key that covers yours:{' '}
          <Link to="/help">how to get one</Link>.
        </p>
      )}
    </>
  )
}
