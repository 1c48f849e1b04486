import type { Context } from 'hono'
import type { JSX } from 'preact'
import { ErrorNotice } from '../../shared/view/Notice.tsx'
import type { ServerEnv } from '../http/env.ts'
import { answerError, toApiError } from '../http/errors.ts'
import { acceptsHtml } from './accepts-html.ts'
import { renderPage } from './render-page.tsx'
import type { PageDeps } from './site.tsx'
import { Link, type PageSite } from './site.tsx'

/** Shows any error as a page: with the message, status and headers of the API's answer. */
export const answerErrorPage = ({ log }: Pick<PageDeps, 'log'>, site: PageSite) => {
  const answerJson = answerError(log)
  return (error: Error, c: Context<ServerEnv>): Response => {
    const json = answerJson(error, c)
    if (!acceptsHtml(c)) return json
    const { status, message, extras } = toApiError(error)
    const title = TITLES[status] ?? 'Something went wrong'
    return renderPage(
      c,
      site,
      { title, status, headers: extras.headers ?? {} },
      <>
        <h1>{title}</h1>
        <ErrorNotice title={message} requestId={c.var.requestId} />
        <WayOn />
      </>,
    )
  }
}

const WayOn = (): JSX.Element => (
  <p>
    Go back, open the <Link to="/">start page</Link>, or read the <Link to="/help">help</Link>.
  </p>
)

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  413: 'Too large',
  415: 'This form cannot be read',
  429: 'Too many requests',
  503: 'The service is busy',
}
