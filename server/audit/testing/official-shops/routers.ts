import type { Asked, Front } from './front.ts'

// What routers of frameworks answer of their own accord, byte for byte: to a method that a path has
// no handler for, and to a path that they do not know. Those of Express 4.22.3 and 5.3.0, Fastify
// 5.12.8, Koa 3.3.0 with @koa/router 15.7.0, hapi 21.4.10, Hono 4.13.19, FastAPI 0.142.2 (Starlette
// 1.7.0), Flask 3.1.3 (Werkzeug 3.1.9) and Django 5.2.17 were measured. Those of the others are
// read in their sources, which are named beside them.

/** A framework that serves in production. `allow` names the methods that the path has. */
export interface Router {
  wrongMethod(asked: Asked, allow: readonly string[]): Response
  notFound(asked: Asked): Response
}

const text = (status: number, body: string, type: string, headers: HeadersInit = {}) =>
  new Response(body, { status, headers: { 'content-type': type, ...headers } })

const HTML = 'text/html; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'
const JSON_UTF8 = 'application/json; charset=utf-8'

const isOptions = ({ method }: Asked) => method === 'OPTIONS'
const wantsJson = ({ headers }: Asked) => /^[^,]*[/+]json/.test(headers.get('accept') ?? '')

/** 404 for both: the router looks for method and path at once. */
const knowsNoMethods = (notFound: Router['notFound']): Router => ({
  notFound,
  wrongMethod: notFound,
})

const expressPage = ({ method, path }: Asked) =>
  text(
    404,
    `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${method} ${path}</pre>\n</body>\n</html>\n`,
    HTML,
    {
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'x-powered-by': 'Express',
    },
  )

const express = (optionsType: string, headers: HeadersInit = {}): Router => ({
  notFound: expressPage,
  wrongMethod: (asked, allow) =>
    isOptions(asked)
      ? text(200, allow.join(', '), optionsType, {
          allow: allow.join(', '),
          'x-powered-by': 'Express',
          ...headers,
        })
      : expressPage(asked),
})

const koaMissing = () => text(404, 'Not Found', PLAIN)

const flaskPage = (status: number, name: string, sentence: string, headers: HeadersInit = {}) =>
  text(
    status,
    `<!doctype html>\n<html lang=en>\n<title>${status} ${name}</title>\n<h1>${name}</h1>\n<p>${sentence}</p>\n`,
    HTML,
    headers,
  )

/** Boot 3 and 4, DefaultErrorAttributes without message and trace, which are off by default. */
const springError = ({ path }: Asked, status: number, error: string, headers: HeadersInit = {}) =>
  text(
    status,
    JSON.stringify({ timestamp: '2026-06-01T12:00:00.000+00:00', status, error, path }),
    'application/json',
    headers,
  )

/**
 * Rails 8.1, PublicExceptions: JSON to who asks for it, else public/404.html (its drawing left
 * out).
 */
const railsMissing = (asked: Asked) =>
  wantsJson(asked)
    ? text(404, '{"status":404,"error":"Not Found"}', JSON_UTF8)
    : text(
        404,
        `<!doctype html>\n\n<html lang="en">\n\n  <head>\n\n    <title>The page you were looking for doesn't exist (404 Not found)</title>\n\n  </head>\n\n  <body>\n  </body>\n\n</html>\n`,
        HTML,
      )

/**
 * Laravel 12, the handler's prepareJsonResponse, and Symfony's HtmlErrorRenderer without its style.
 */
const laravelError = (
  asked: Asked,
  status: number,
  name: string,
  message: string,
  headers: HeadersInit = {},
) =>
  wantsJson(asked)
    ? text(status, JSON.stringify({ message }, null, 4), 'application/json', {
        'cache-control': 'no-cache, private',
        ...headers,
      })
    : text(
        status,
        `<!DOCTYPE html>\n<html lang="en">\n<head>\n    <meta charset="UTF-8" />\n    <title>An Error Occurred: ${name}</title>\n</head>\n<body>\n<div class="container">\n    <h1>Oops! An Error Occurred</h1>\n</div>\n</body>\n</html>`,
        HTML,
        headers,
      )

/** Go 1.22 and later, http.Error: a line of text. */
const goError = (status: number, sentence: string, headers: HeadersInit = {}) =>
  text(status, `${sentence}\n`, PLAIN, { 'x-content-type-options': 'nosniff', ...headers })

const nginxPage = (status: string) =>
  text(
    Number.parseInt(status, 10),
    `<html>\r\n<head><title>${status}</title></head>\r\n<body>\r\n<center><h1>${status}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
    'text/html',
    { server: 'nginx' },
  )

const djangoPage = `\n<!doctype html>\n<html lang="en">\n<head>\n  <title>Not Found</title>\n</head>\n<body>\n  <h1>Not Found</h1><p>The requested resource was not found on this server.</p>\n</body>\n</html>\n`

export const ROUTERS = {
  'express-4': express(HTML),
  'express-5': express('text/plain', { 'x-content-type-options': 'nosniff' }),
  fastify: knowsNoMethods(({ method, path }) =>
    text(
      404,
      JSON.stringify({
        message: `Route ${method}:${path} not found`,
        error: 'Not Found',
        statusCode: 404,
      }),
      JSON_UTF8,
    ),
  ),
  hapi: knowsNoMethods(() =>
    text(404, '{"statusCode":404,"error":"Not Found","message":"Not Found"}', JSON_UTF8, {
      'cache-control': 'no-cache',
    }),
  ),
  hono: knowsNoMethods(() => text(404, '404 Not Found', 'text/plain; charset=UTF-8')),
  koa: knowsNoMethods(koaMissing),
  // With `allowedMethods()`, which is often left out.
  'koa-allowed-methods': {
    notFound: koaMissing,
    wrongMethod: (asked, allow) =>
      text(isOptions(asked) ? 200 : 405, isOptions(asked) ? '' : 'Method Not Allowed', PLAIN, {
        allow: allow.join(', '),
      }),
  },
  fastapi: {
    notFound: () => text(404, '{"detail":"Not Found"}', 'application/json'),
    wrongMethod: (_, allow) =>
      text(405, '{"detail":"Method Not Allowed"}', 'application/json', { allow: allow.join(', ') }),
  },
  flask: {
    notFound: () =>
      flaskPage(
        404,
        'Not Found',
        'The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.',
      ),
    wrongMethod: (asked, allow) => {
      const headers = { allow: ['OPTIONS', ...allow].join(', ') }
      return isOptions(asked)
        ? text(200, '', HTML, headers)
        : flaskPage(
            405,
            'Method Not Allowed',
            'The method is not allowed for the requested URL.',
            headers,
          )
    },
  },
  // A view with `require_POST`: no body at all.
  django: {
    notFound: () => text(404, djangoPage, HTML),
    wrongMethod: (_, allow) => text(405, '', HTML, { allow: allow.join(', ') }),
  },
  rails: knowsNoMethods(railsMissing),
  'spring-boot': {
    notFound: (asked) => springError(asked, 404, 'Not Found'),
    // RequestMappingInfoHandlerMapping's HttpOptionsHandler.
    wrongMethod: (asked, allow) =>
      isOptions(asked)
        ? new Response(null, { headers: { allow: [...allow, 'OPTIONS'].join(',') } })
        : springError(asked, 405, 'Method Not Allowed', { allow: allow.join(', ') }),
  },
  laravel: {
    notFound: (asked) =>
      laravelError(asked, 404, 'Not Found', `The route ${asked.path.slice(1)} could not be found.`),
    // AbstractRouteCollection::getRouteForMethods.
    wrongMethod: (asked, allow) =>
      isOptions(asked)
        ? text(200, '', HTML, { allow: allow.join(',') })
        : laravelError(
            asked,
            405,
            'Method Not Allowed',
            `The ${asked.method} method is not supported for route ${asked.path.slice(1)}. Supported methods: ${allow.join(', ')}.`,
            { allow: allow.join(', ') },
          ),
  },
  // net/http's ServeMux: `findHandler`.
  go: {
    notFound: () => goError(404, '404 page not found'),
    wrongMethod: (_, allow) => goError(405, 'Method Not Allowed', { allow: allow.join(', ') }),
  },
  // `error_page` of a server or CDN that stands before the store (ngx_http_special_response.c).
  nginx: {
    notFound: () => nginxPage('404 Not Found'),
    wrongMethod: () => nginxPage('405 Not Allowed'),
  },
} satisfies Record<string, Router>
export type RouterName = keyof typeof ROUTERS

const ID = '[^/]+'

/** Every address of a service, and the methods that it has. */
const ROUTES = [
  { path: '/ucp/v1/(checkout-sessions|carts)', methods: ['POST'] },
  { path: `/ucp/v1/(checkout-sessions|carts)/${ID}`, methods: ['GET', 'PUT'] },
  { path: `/ucp/v1/(checkout-sessions|carts)/${ID}/(complete|cancel)`, methods: ['POST'] },
  { path: '/ucp/v1/catalog/(search|lookup|product)', methods: ['POST'] },
  { path: `/ucp/v1/orders/${ID}`, methods: ['GET'] },
  { path: '/(ucp|acp)/mcp', methods: ['POST'] },
  { path: '/acp/(checkout_sessions|carts)', methods: ['POST'] },
  { path: `/acp/checkout_sessions/${ID}`, methods: ['GET', 'POST'] },
  { path: `/acp/carts/${ID}`, methods: ['GET', 'PUT'] },
  { path: `/acp/(checkout_sessions|carts)/${ID}/(complete|cancel)`, methods: ['POST'] },
  { path: '/acp/checkout/create', methods: ['POST'] },
  { path: `/acp/checkout/${ID}/update`, methods: ['PATCH'] },
  { path: `/acp/checkout/${ID}/complete`, methods: ['POST'] },
].map(({ path, methods }) => ({ path: new RegExp(`^${path}$`), methods }))

/**
 * The store as an application of a framework: what it has no handler for, the framework answers.
 */
export const routedBy =
  (name: RouterName): Front =>
  async (asked, ask) => {
    const router: Router = ROUTERS[name]
    const route = ROUTES.find(({ path }) => path.test(asked.path))
    if (route !== undefined && !route.methods.includes(asked.method)) {
      return router.wrongMethod(asked, route.methods)
    }
    const answer = await ask(asked)
    // The store's own page says that it has nothing there; its services speak JSON.
    const isPage = !/json/.test(answer.headers.get('content-type') ?? '')
    return answer.status === 404 && isPage ? router.notFound(asked) : answer
  }
