import { at, type Change, changed, type Front, gone, nowhere } from './front.ts'

// Official ACP: what its discovery document says, and where its services are.

/** Changes `/.well-known/acp.json`. */
export const inDiscovery = (change: Change): Front =>
  at(/^\/\.well-known\/acp\.json$/, async (asked, ask) => changed(await ask(asked), change))

/** None of the endpoints of the project's own specification: those of official ACP alone. */
export const officialAcpOnly: Front = gone(/^\/acp\/(checkout|products|orders)\//)

/** No ACP of either kind. */
export const withoutAcp: Front = gone(/^\/(acp\/|\.well-known\/acp\.json$)/)

/** Nothing of UCP, neither the official one nor the specification's. */
export const withoutUcp: Front = gone(/^\/(ucp\/|\.well-known\/ucp(\/|$))/)

/** The services under the base address of another host alone. */
export const acpAt = (base: string): Front => {
  const { host, pathname, href } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  const discovery = inDiscovery((document) => ({ ...document, api_base_url: href }))
  return (asked, ask) => {
    if (asked.host !== host) {
      return asked.path.startsWith('/acp/') ? ask(nowhere(asked)) : discovery(asked, ask)
    }
    return asked.path.startsWith(`${prefix}/`)
      ? ask({ ...asked, path: `/acp${asked.path.slice(prefix.length)}` })
      : ask(nowhere(asked))
  }
}
