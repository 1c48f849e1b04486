import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { CodeBlock } from '../CodeBlock.tsx'
import { ErrorNotice, Notice } from '../Notice.tsx'
import { Field } from './Field.tsx'

test('label, hint and error belong to the input', () => {
  const html = renderToString(
    <Field id="domain" label="Domain" hint="Without https://" error="Write a bare domain.">
      {(attributes) => <input {...attributes} name="domain" />}
    </Field>,
  )
  expect(html).toContain('<label for="domain">')
  expect(html).toMatch(
    /<input id="domain" aria-describedby="domain-hint domain-error" aria-invalid="true"/,
  )
  expect(html).toContain('id="domain-hint"')
  expect(html).toContain('id="domain-error"')
})

test('a field without hint and error points nowhere', () => {
  const html = renderToString(
    <Field id="a" label="A" optional>
      {(attributes) => <input {...attributes} />}
    </Field>,
  )
  expect(html).not.toContain('aria-')
  expect(html).toContain('(optional)')
})

test('errors are announced at once, with the way on and the request', () => {
  const html = renderToString(
    <ErrorNotice
      title="The key was refused"
      message="Check the key."
      requestId="req_1"
      action={{ label: 'Open options', href: '/options' }}
    />,
  )
  expect(html).toMatch(
    /role="alert".*The key was refused.*Check the key\..*Request req_1.*\/options/,
  )
  expect(renderToString(<Notice kind="success" title="Done" />)).toContain('role="status"')
})

test('code is text', () => {
  const html = renderToString(<CodeBlock label="tag" code="<script src=x></script>" />)
  expect(html).toContain('<code>&lt;script src=x>&lt;/script></code>')
  expect(html).not.toContain('<button')
})
