import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type CDPSession, launch, type Page, type Target } from 'puppeteer-core'
import type { ActOutcome, PageAct } from '../../../shared/walk/pages/act.ts'
import type { PageTree } from '../../../shared/walk/pages/tree.ts'
import type { Resolve } from '../probe/fetch/address.ts'
import {
  type BrowserProxyLimits,
  type BrowserProxyOptions,
  openBrowserProxy,
} from '../probe/fetch/browser-proxy.ts'
import type { TestHosts } from '../probe/fetch/test-hosts.ts'
import { type Elements, isInElement, labelsOf, readTree, selectorOfRef } from './read-tree.ts'

export interface SessionOptions {
  /** The browser's program. */
  path: string
  /** An empty folder, for its profile and everything else that it writes. */
  profile: string
  /** Added to the browser's own name. */
  userAgent: string
  /** Pages may offer tools to agents. */
  offersTools?: boolean
  testHosts: TestHosts
  resolve?: Resolve
  limits?: Partial<BrowserProxyLimits>
  dial?: NonNullable<BrowserProxyOptions['dial']>
}

/** What happened in the browser besides what was asked of it. */
export interface Happened {
  /** The texts of dialogs; each was dismissed. */
  dialogs: string[]
  /** Downloads that pages began; each was refused. */
  downloads: string[]
  /** Addresses that the proxy did not go to. */
  refused: string[]
  crashed: boolean
  /** The limit that the visit reached. */
  over: string | null
}

/** A browser with a profile of its own, on one page. */
export interface BrowserSession {
  /** The process of the browser. */
  pid: number | undefined
  /** Opens an address and waits until the page is quiet. */
  open(url: string): Promise<void>
  read(): Promise<PageTree>
  /** Waits longer than after an act, for what a slow page still fetches. */
  wait(): Promise<void>
  act(act: PageAct): Promise<ActOutcome>
  /** Runs a function in the page, which is sent as text: what it answers is the page's word. */
  inPage<In, Out>(run: (input: In) => Out, input: In): Promise<Awaited<Out>>
  /** What is seen now, as JPEG. */
  picture(): Promise<Uint8Array>
  /** Where an element is in the picture; null if it is not. */
  boxOf(ref: number): Promise<{ x: number; y: number; width: number; height: number } | null>
  happened(): Happened
  close(): Promise<void>
}

export const VIEW = { width: 1280, height: 900 }

/** Milliseconds for one page to load, and for it to become quiet after that. */
const LOAD_MS = 15_000
const QUIET_MS = 6_000
/** Without a request for so long, a page is taken for quiet. */
const IDLE_MS = 400
/** Nodes of a document; one with more is not read. */
const MOST_NODES = 60_000
const MOST_KEPT = 50

/** A document that is too large to be read. */
class TooLarge extends Error {}

/**
 * Opens a browser whose only way to the network is our proxy: names are resolved there, and neither
 * addresses of this machine, nor WebRTC, nor QUIC go past it. It keeps nothing, loads no extension,
 * and saves no file.
 */
export async function openBrowser(options: SessionOptions): Promise<BrowserSession> {
  const { path, profile, userAgent, offersTools = false, ...network } = options
  const proxy = await openBrowserProxy(network)
  const browser = await launch({
    executablePath: path,
    userDataDir: profile,
    // Commands go over a pipe: no port of this machine is opened for them.
    pipe: true,
    // As in a buyer's browser, only a press opens a window.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    acceptInsecureCerts: false,
    defaultViewport: VIEW,
    downloadBehavior: { policy: 'deny' },
    // A page that is held up by a window or a script answers no command.
    protocolTimeout: 30_000,
    // Nothing of our environment: no secret, no proxy of the machine.
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: profile,
      TMPDIR: profile,
      LANG: 'en_US.UTF-8',
    },
    args: [
      `--proxy-server=http://127.0.0.1:${proxy.port}`,
      // Loopback would otherwise go past every proxy.
      '--proxy-bypass-list=<-loopback>',
      // The proxy resolves names: what goes past it finds none, addresses included.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--disable-quic',
      '--disable-component-update',
      '--disable-background-networking',
      '--disable-sync',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      `--ignore-certificate-errors-spki-list=${proxy.keyHash}`,
      // One process for the pages and their frames: less memory, and one tree.
      '--disable-site-isolation-trials',
      '--disable-features=IsolateOrigins,site-per-process,WebBluetooth,WebUSB,DirectSockets,Prerender2,NoStatePrefetch,NetworkTimeServiceQuerying,AutofillServerCommunication,OptimizationHints,MediaRouter',
      '--js-flags=--max-old-space-size=384',
      '--renderer-process-limit=2',
      // Pages offer their tools where a browser has it: it is behind a trial elsewhere.
      ...(offersTools ? ['--enable-features=WebMCP'] : []),
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-pings',
      '--lang=en-US',
      // Chromium refuses a sandbox to root, the user of many containers.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  }).catch(async (error) => {
    await proxy.close()
    throw error
  })
  const page = (await browser.pages())[0] ?? (await browser.newPage())
  return attach(browser, page, { proxy, userAgent })
}

async function attach(
  browser: Browser,
  page: Page,
  { proxy, userAgent }: { proxy: Awaited<ReturnType<typeof openBrowserProxy>>; userAgent: string },
): Promise<BrowserSession> {
  const happened: Omit<Happened, 'over' | 'refused'> = {
    dialogs: [],
    downloads: [],
    crashed: false,
  }
  const note = (list: string[], text: string) => {
    if (list.length < MOST_KEPT) list.push(text.slice(0, 300))
  }
  page.on('dialog', (dialog) => {
    note(happened.dialogs, dialog.message())
    dialog.dismiss().catch(() => {})
  })
  page.on('error', () => {
    happened.crashed = true
  })
  browser.on('disconnected', () => {
    happened.crashed = true
  })
  let status = 0
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame()) {
      status = response.status()
    }
  })
  const cdp = await page.createCDPSession()
  await cdp.send('Page.enable')
  await cdp.send('DOM.enable')
  await cdp.send('Accessibility.enable')
  browser.on('targetcreated', (target) => {
    if (target.type() === 'page' && target !== page.target()) closeWindow(target).catch(() => {})
  })
  cdp.on('Page.downloadWillBegin', ({ url }) => note(happened.downloads, url))
  page.setDefaultTimeout(LOAD_MS)
  await page.setUserAgent({ userAgent: `${await browser.userAgent()} ${userAgent}` })

  let elements: Elements = new Map()
  const settle = async () => {
    await page.waitForNetworkIdle({ idleTime: IDLE_MS, timeout: QUIET_MS }).catch(() => {})
  }
  const read = async (): Promise<PageTree> => {
    const { Nodes: count = 0 } = await page.metrics()
    if (count > MOST_NODES) throw new TooLarge(`The page has ${count} nodes.`)
    const found = await readTree(cdp)
    elements = found.elements
    return { url: page.url(), title: await page.title(), status, nodes: found.nodes }
  }
  return {
    pid: browser.process()?.pid,
    async open(url) {
      await page.goto(url, { waitUntil: 'domcontentloaded', timeout: LOAD_MS }).catch((error) => {
        // A page that never ends is read as far as it came.
        if (!/timeout|ERR_ABORTED/i.test(String(error))) throw error
        return cdp.send('Page.stopLoading')
      })
      await settle()
    },
    async read() {
      let tree = await read()
      for (let tries = 0; tries < 6; tries++) {
        await sleep(150)
        const again = await read()
        const isSame = digestOf(again) === digestOf(tree)
        tree = again
        if (isSame) break
      }
      return tree
    },
    async wait() {
      // What comes of one answer may ask for the next.
      for (let times = 0; times < 2; times++) {
        await page.waitForNetworkIdle({ idleTime: 2 * IDLE_MS, timeout: LOAD_MS }).catch(() => {})
        await sleep(IDLE_MS)
      }
    },
    async act(act) {
      const outcome = await perform(cdp, elements, act)
      await sleep(100)
      await settle()
      return outcome
    },
    inPage: (run, input) => page.evaluate(run as never, input) as never,
    picture: () => page.screenshot({ type: 'jpeg', quality: 45, captureBeyondViewport: false }),
    async boxOf(ref) {
      // A text has quads, and no box of its own.
      const found = await cdp.send('DOM.getContentQuads', { backendNodeId: ref }).catch(() => null)
      const [quad] = found?.quads ?? []
      if (quad === undefined) return null
      const [left = 0, top = 0, right = 0, , , bottom = 0] = quad
      if (top > VIEW.height || left > VIEW.width) return null
      return {
        x: Math.round(left),
        y: Math.round(top),
        width: Math.round(right - left),
        height: Math.round(bottom - top),
      }
    },
    happened() {
      const { refused, over } = proxy.used()
      return { ...structuredClone(happened), refused, over }
    },
    async close() {
      await browser.close().catch(() => {})
      await proxy.close()
    },
  }
}

/**
 * Closes a window that a page opened. It shares a process with ours: a dialog of its own would stop
 * ours, and so would a window that is closed while it still waits for a debugger.
 */
async function closeWindow(target: Target): Promise<void> {
  const window = await target.createCDPSession()
  window.on('Page.javascriptDialogOpening', () => {
    window.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {})
  })
  await Promise.all([window.send('Page.enable'), window.send('Runtime.runIfWaitingForDebugger')])
  await window.send('Page.close')
}

const digestOf = ({ url, nodes }: PageTree): string =>
  `${url} ${nodes.map(({ role, name, value, disabled, checked }) => `${role}|${name}|${value}|${disabled}|${checked}`).join('\n')}`

/** Does one thing as a person would: with the pointer and the keys, where the page shows it. */
async function perform(cdp: CDPSession, elements: Elements, act: PageAct): Promise<ActOutcome> {
  try {
    switch (act.do) {
      case 'press':
        return await press(cdp, elements, act.ref)
      case 'fill':
        return await fill(cdp, act.fields)
      case 'open':
        await cdp.send('Page.navigate', { url: act.url })
        return { is: 'done' }
    }
  } catch (error) {
    return { is: 'gone', why: whyOf(error), left: [] }
  }
}

const whyOf = (error: unknown) => (error instanceof Error ? error.message.slice(0, 200) : '')

/** Fills in each field that is still there: a page may replace some when others change. */
async function fill(
  cdp: CDPSession,
  fields: Extract<PageAct, { do: 'fill' }>['fields'],
): Promise<ActOutcome> {
  const left: number[] = []
  let why = ''
  for (const [at, { ref, text, option }] of fields.entries()) {
    try {
      if (option !== undefined) await choose(cdp, ref, option)
      else await type(cdp, ref, text ?? '')
    } catch (error) {
      left.push(at - fields.length)
      why = whyOf(error)
    }
  }
  return left.length === 0 ? { is: 'done' } : { is: 'gone', why, left }
}

async function press(cdp: CDPSession, elements: Elements, ref: number): Promise<ActOutcome> {
  const targets = [ref, ...labelsOf(ref, elements)]
  let cover: string | null = null
  for (const target of targets) {
    const point = await middleOf(cdp, target)
    if (point === null) continue
    // It asks for a place in the document, and not in the window as all others.
    const { cssVisualViewport: scrolled } = await cdp.send('Page.getLayoutMetrics')
    const hit = await cdp.send('DOM.getNodeForLocation', {
      x: Math.round(point.x + scrolled.pageX),
      y: Math.round(point.y + scrolled.pageY),
      includeUserAgentShadowDOM: false,
    })
    const isIt =
      targets.some((each) => isInElement(hit.backendNodeId, each, elements)) ||
      !elements.has(hit.backendNodeId)
    if (!isIt) {
      cover ??= selectorOfRef(hit.backendNodeId, elements)
      continue
    }
    const mouse = { ...point, button: 'left' as const, clickCount: 1 }
    await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...point })
    await cdp.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...mouse })
    await cdp.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...mouse })
    return { is: 'done' }
  }
  return cover === null ? { is: 'no_place' } : { is: 'covered', by: cover }
}

/** Looks at a moving element, one every 50 ms, until it rests. */
const MOST_LOOKS = 30

/** Scrolls to an element, and waits until it rests: many pages scroll and unfold smoothly. */
async function scrollTo(cdp: CDPSession, ref: number): Promise<void> {
  await cdp.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: ref }).catch(() => {})
  const look = async () =>
    JSON.stringify(await cdp.send('DOM.getContentQuads', { backendNodeId: ref }).catch(() => null))
  let place = await look()
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    await sleep(50)
    const now = await look()
    if (now === place) break
    place = now
  }
}

/** The middle of an element in the window, in whole pixels; null if it takes no room. */
async function middleOf(cdp: CDPSession, ref: number): Promise<{ x: number; y: number } | null> {
  await scrollTo(cdp, ref)
  const found = await cdp.send('DOM.getContentQuads', { backendNodeId: ref }).catch(() => null)
  for (const quad of found?.quads ?? []) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0] = quad
    const point = { x: Math.round((x1 + x2 + x3 + x4) / 4), y: Math.round((y1 + y2 + y3 + y4) / 4) }
    const isSeen = point.x >= 0 && point.y >= 0 && point.x < VIEW.width && point.y < VIEW.height
    if (isSeen && Math.abs(x3 - x1) >= 1 && Math.abs(y3 - y1) >= 1) return point
  }
  return null
}

async function type(cdp: CDPSession, ref: number, text: string): Promise<void> {
  await cdp.send('DOM.scrollIntoViewIfNeeded', { backendNodeId: ref }).catch(() => {})
  await cdp.send('DOM.focus', { backendNodeId: ref })
  await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['selectAll'] })
  await cdp.send('Input.insertText', { text })
  // Forms often look at a field when it is left.
  await call(
    cdp,
    ref,
    'function () { this.dispatchEvent(new Event("change", { bubbles: true })); this.blur?.() }',
  )
}

const choose = (cdp: CDPSession, ref: number, option: string): Promise<void> =>
  call(
    cdp,
    ref,
    'function (value) { this.value = value; for (const type of ["input", "change"]) this.dispatchEvent(new Event(type, { bubbles: true })) }',
    option,
  )

async function call(cdp: CDPSession, ref: number, code: string, value?: string): Promise<void> {
  const { object } = await cdp.send('DOM.resolveNode', { backendNodeId: ref })
  await cdp.send('Runtime.callFunctionOn', {
    ...(object.objectId !== undefined && { objectId: object.objectId }),
    functionDeclaration: code,
    arguments: value === undefined ? [] : [{ value }],
  })
}
