import type { Answer } from '../../shared/web/http/fetched.ts'
import { type Cookies, cookieOf, keepCookies } from './probe/fetch/cookies.ts'
import { BODY_CAPS } from './probe/fetch/request.ts'
import type { FetchSession } from './probe/fetch/session.ts'

/** How a door was opened, as the cookie to send from then on; or why it was not. */
type DoorOpened = { cookie: string } | { why: string }

interface Door {
  domain: string
  password: string
  /** Names to which the password may be sent. */
  hosts: readonly string[]
}

/** WooCommerce marks the page that it shows before a store is launched. */
const COMING_SOON = 'woo-coming-soon-page'

/** Its private link leaves the key of the link in this cookie (ComingSoonRequestHandler.php). */
const SHARE_COOKIE = 'woo-share'

/**
 * Enters the password of a page that a store shows before it is opened, as a visitor does: fills
 * its form in, keeps the cookies that come back, and looks whether the door is open then. The
 * password goes to the site's own hosts alone.
 */
export async function openPreviewDoor(
  session: Pick<FetchSession, 'request'>,
  { domain, password, hosts }: Door,
): Promise<DoorOpened> {
  const cookies: Cookies = new Map()
  const isHome = (url: URL) => url.protocol === 'https:' && hosts.includes(url.host)
  const askHome = async (): Promise<Answer | null> => {
    const answer = await session.request({
      url: `https://${domain}/`,
      maxBytes: BODY_CAPS.manifest,
      headers: { accept: 'text/html,*/*;q=0.1', ...cookieOf(cookies) },
    })
    if (answer.kind !== 'answer' || !isHome(new URL(answer.final_url))) return null
    keepCookies(cookies, answer.headers)
    return answer
  }
  const first = await askHome()
  if (first === null) return { why: 'the home page did not answer' }
  const form = findPasswordForm(first)
  if (form !== null) {
    if (!isHome(form.action)) return { why: 'its form leads to another host' }
    const answer = await session.request({
      method: 'POST',
      url: form.action.href,
      maxBytes: BODY_CAPS.manifest,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...cookieOf(cookies) },
      jsonText: new URLSearchParams([...form.hidden, [form.field, password]]).toString(),
    })
    if (answer.kind === 'answer') keepCookies(cookies, answer.headers)
  } else if (first.body.includes(COMING_SOON)) {
    cookies.set(SHARE_COOKIE, encodeURIComponent(password))
  } else return { why: 'the home page asks for no password, so that it was not entered' }
  const then = await askHome()
  const isOpen =
    then !== null && findPasswordForm(then) === null && !then.body.includes(COMING_SOON)
  const { cookie } = cookieOf(cookies)
  return isOpen && cookie !== undefined ? { cookie } : { why: 'the store did not accept it' }
}

/** A form that asks for one password and for nothing else. */
interface PasswordForm {
  action: URL
  /** The name of its field for the password. */
  field: string
  hidden: [name: string, value: string][]
}

/** An opening tag, as far as a form needs it. Its length is bounded: time stays linear. */
const TAG = /<(\/?form|input)\b([^<>]{0,2000})>/gi
const ATTRIBUTE = /([^\s"'<>/=]{1,100})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g

/** What a form may have besides its password and still not be one to sign in with. */
const SILENT = new Set(['hidden', 'submit', 'button', 'image', 'checkbox', 'reset'])

function findPasswordForm({ body, final_url }: Answer): PasswordForm | null {
  let form: (PasswordForm & { asksMore: boolean }) | null = null
  for (const [, tag = '', attributes = ''] of body.matchAll(TAG)) {
    const said = attributesIn(attributes)
    const kind = tag.toLowerCase()
    if (kind === 'form') {
      const action = URL.parse(said.action ?? '', final_url)
      const isPost = said.method?.toLowerCase() === 'post'
      form = action && isPost ? { action, field: '', hidden: [], asksMore: false } : null
    } else if (kind === '/form') {
      if (form !== null && form.field !== '' && !form.asksMore) return form
      form = null
    } else if (form !== null) {
      const { name = '', value = '' } = said
      const type = said.type?.toLowerCase() ?? 'text'
      if (type === 'password' && form.field === '' && name !== '') form.field = name
      else if (!SILENT.has(type)) form.asksMore = true
      else if (type === 'hidden' && name !== '') form.hidden.push([name, value])
    }
  }
  return null
}

const attributesIn = (text: string): Record<string, string | undefined> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decoded(double ?? single ?? bare ?? ''),
    ]),
  )

const ENTITIES: Record<string, string> = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' }

const decoded = (text: string): string =>
  text.replace(/&(amp|quot|#39|lt|gt);/g, (_, name: string) => ENTITIES[name] ?? '')
