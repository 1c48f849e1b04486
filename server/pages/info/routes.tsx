import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ServerEnv } from '../../http/env.ts'
import { answerKept, KEPT_SHORTLY, keepTextLater } from '../../http/kept-text.ts'
import type { OpenApiDocument } from '../../routes/openapi/openapi.ts'
import type { KeptPages } from '../kept-pages.tsx'
import type { PageDeps } from '../site.tsx'
import { siteOf } from '../site.tsx'
import { DecisionSubjectPage, DecisionsPage } from './DecisionsPage.tsx'
import { bySubject } from './decisions.ts'
import { HelpPage } from './HelpPage.tsx'
import { llmsText } from './llms-text.ts'
import { OperatorHelpPage } from './OperatorHelpPage.tsx'
import { StartPage } from './StartPage.tsx'
import { WhatIsKept } from './WhatIsKept.tsx'

const TEXT = { ...KEPT_SHORTLY, 'Content-Type': 'text/plain; charset=utf-8' }

/** What the service is, how to use it, and the same for programs. */
export function infoRoutes(
  deps: Pick<
    PageDeps,
    'baseUrl' | 'assets' | 'decisions' | 'extension' | 'help' | 'retentionMonths' | 'localShops'
  >,
  { answer }: KeptPages,
  document: () => OpenApiDocument,
) {
  const { baseUrl, decisions, extension, help, retentionMonths, localShops } = deps
  const subjects = bySubject(decisions)
  const site = siteOf(deps)
  // Unspecified: crawlers may read everything but the API and what needs a key.
  const robots = `User-agent: *\n${[
    '/api/',
    '/shop',
    '/access',
    '/report',
    '/fetches',
    '/audits',
    '/watches',
    '/walks',
    '/properties',
    '/runs',
    '/keys',
    '/share',
    '/sign-in',
  ]
    .map((path) => `Disallow: ${site.path(path)}\n`)
    .join('')}`

  const answerText = (make: () => string) => {
    const kept = keepTextLater(make)
    return (c: Context) => answerKept(c, kept(), TEXT)
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/', (c) =>
    answer(
      c,
      {
        title: 'Aisle',
        description: 'Checks whether AI agents can find, understand and buy from a store.',
        current: '/',
      },
      () => <StartPage hasExtension={extension.length > 0} hasLocalShops={localShops !== null} />,
    ),
  )
  app.get('/help', (c) =>
    answer(
      c,
      {
        title: 'Help',
        description: 'Which page answers what, how to begin, and how to get a key.',
        current: '/help',
      },
      () => <HelpPage help={help} />,
    ),
  )
  app.get('/help/kept', (c) =>
    answer(
      c,
      {
        title: 'What is kept',
        description: 'What this service stores of visitors, buyers and you, and for how long.',
        current: '/help/kept',
      },
      () => <WhatIsKept retentionMonths={retentionMonths} />,
    ),
  )
  app.get('/help/operator', (c) =>
    answer(
      c,
      {
        title: 'Running this service',
        description: 'Keys for others, health, and where the manual is.',
        scripts: ['copy.js'],
        current: '/help/operator',
      },
      () => <OperatorHelpPage />,
    ),
  )
  app.get('/decisions', (c) =>
    answer(
      c,
      {
        title: 'Decisions',
        description: 'What Aisle does where the specification leaves things open, and why.',
        current: '/decisions',
      },
      () => <DecisionsPage subjects={subjects} />,
    ),
  )
  app.get('/decisions/:subject', (c) => {
    const subject = subjects.find(({ id }) => id === c.req.param('subject'))
    if (subject === undefined) return c.notFound()
    return answer(
      c,
      {
        title: subject.title,
        description: 'What Aisle does here where the specification leaves things open, and why.',
        current: `/decisions/${subject.id}`,
      },
      () => <DecisionSubjectPage subject={subject} />,
    )
  })
  app.get(
    '/llms.txt',
    answerText(() => llmsText(document(), baseUrl)),
  )
  app.get(
    '/robots.txt',
    answerText(() => robots),
  )
  return app
}
