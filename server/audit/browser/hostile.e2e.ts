import { createSocket } from 'node:dgram'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcp } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { createBrowsers } from './browser.ts'
import { familyOf } from './family.ts'
import { type BrowserSession, openBrowser } from './session.ts'

/** How a page asks for an address. `%` is the address, `^` the same for a WebSocket. */
const WAYS: Record<string, string> = {
  image: '<img src="%">',
  script: '<script src="%"></script>',
  module: '<script type="module">import("%").catch(() => 0)</script>',
  stylesheet:
    '<link rel="stylesheet" href="%"><style>@import "%"; p { background: url("%") }</style><p>a',
  preload:
    '<link rel="preconnect" href="%"><link rel="dns-prefetch" href="%"><link rel="prefetch" href="%"><link rel="preload" as="image" href="%">',
  frame: '<iframe src="%"></iframe><object data="%"></object><embed src="%">',
  sandbox:
    '<iframe sandbox="allow-scripts" srcdoc=\'<script>fetch("%",{mode:"no-cors"})</script>\'></iframe>',
  media: '<video src="%" autoplay></video><audio src="%" autoplay></audio>',
  fetch: '<script>fetch("%",{mode:"no-cors"}).catch(()=>0); navigator.sendBeacon("%","a")</script>',
  xhr: '<script>const x=new XMLHttpRequest();x.open("POST","%");x.send("a")</script>',
  socket: '<script>try{new WebSocket("^")}catch{} new EventSource("%")</script>',
  worker:
    "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('%',{mode:'no-cors'}).catch(()=>0);try{new WebSocket('^')}catch{};try{importScripts('%')}catch{}\"])))</script>",
  form: '<form id="f" method="post" action="%"></form><script>document.getElementById("f").submit()</script>',
  refresh: '<meta http-equiv="refresh" content="0;url=%">',
  location: '<script>location.href="%"</script>',
  redirect:
    '<img src="/redirect?to=%"><iframe src="/redirect?to=%"></iframe><script>fetch("/redirect?to=%").catch(()=>0)</script>',
  window:
    '<script>open("%")</script><a id="a" href="%" target="_blank" ping="%">a</a><script>document.getElementById("a").click()</script>',
  download:
    '<a id="a" href="%" download>a</a><script>document.getElementById("a").click()</script>',
  service: '<script>navigator.serviceWorker.register("/worker.js?to=%").catch(()=>0)</script>',
  transport:
    '<script>try{new WebTransport("%").ready.catch(()=>0)}catch{};const c=new RTCPeerConnection({iceServers:[{urls:"stun:@"},{urls:"turn:@?transport=tcp",username:"a",credential:"b"}]});c.createDataChannel("a");c.createOffer().then((o)=>c.setLocalDescription(o))</script>',
}

let addresses: string[]
let reached: string[]
const dialled: string[] = []
let session: BrowserSession
let pagePort: number
let port: number
const closing: (() => void)[] = []

const PAGES = 'pages.example'

/** The page of a try, and what its redirects and service workers ask for. */
function answer(asked: IncomingMessage, reply: ServerResponse) {
  const url = new URL(asked.url ?? '/', `https://${PAGES}`)
  const to = url.searchParams.get('to') ?? ''
  if (url.pathname === '/redirect') return reply.writeHead(302, { location: to }).end()
  if (url.pathname === '/worker.js') {
    reply.writeHead(200, { 'content-type': 'text/javascript' })
    return reply.end(`fetch(${JSON.stringify(to)},{mode:'no-cors'}).catch(()=>0)`)
  }
  if (url.pathname === '/all') {
    const frames = Object.keys(WAYS).map(
      (name) => `<iframe src="/?way=${name}&to=${encodeURIComponent(to)}"></iframe>`,
    )
    return reply.writeHead(200, { 'content-type': 'text/html' }).end(frames.join(''))
  }
  const way = WAYS[url.searchParams.get('way') ?? ''] ?? PLAIN[url.pathname]
  if (url.pathname === '/endless') {
    reply.writeHead(200, { 'content-type': 'text/html' })
    const more = setInterval(() => reply.write(`<p>${'more '.repeat(5_000)}`), 5)
    return reply.on('close', () => clearInterval(more))
  }
  if (url.pathname === '/file.zip') {
    reply.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' })
    return reply.end('a'.repeat(100_000))
  }
  const bare = to.replace(/^\w+:\/\//, '').replace(/\/.*$/, '')
  const body = (way ?? '')
    .replaceAll('%', to)
    .replaceAll('^', to.replace(/^http/, 'ws'))
    .replaceAll('@', bare)
  return reply
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<!doctype html><title>try</title>${body}`)
}

const PLAIN: Record<string, string> = {
  '/loop': '<script>for(;;);</script>',
  '/memory':
    '<script>const a=[];setInterval(()=>{for(let i=0;i<40;i++)a.push(new Uint8Array(4e6).fill(i))},1)</script>',
  '/dialogs':
    '<h1>Dialogs</h1><script>alert("one");confirm("two");onbeforeunload=()=>"stay"</script>',
  '/windows': '<h1>Windows</h1><script>for(let i=0;i<5;i++)open("/dialogs")</script>',
  '/pressed': '<h1>Pressed</h1><a href="/dialogs" target="_blank">Opens a window</a>',
  '/download':
    '<h1>Download</h1><a id="a" href="/file.zip">a</a><script>document.getElementById("a").click()</script>',
  '/large': `<h1>Large</h1><script>for(let i=0;i<200000;i++)document.body.append(document.createElement("i"))</script>`,
  '/requests':
    '<h1>Requests</h1><script>for(let i=0;i<5000;i++)fetch("/x?"+i,{cache:"no-store"}).catch(()=>0)</script>',
}

describeInBrowser('a browser among hostile pages', () => {
  beforeAll(async () => {
    reached = []
    const here = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
    const canary = createTcp((socket) => {
      reached.push(`tcp ${socket.remoteAddress}`)
      socket.destroy()
    })
    await new Promise<void>((done) => canary.listen(0, '0.0.0.0', done))
    port = (canary.address() as AddressInfo).port
    const udp = createSocket('udp4', () => reached.push('udp'))
    udp.on('message', () => reached.push('udp'))
    await new Promise<void>((done) => udp.bind(port, '0.0.0.0', done))
    const pages = createServer(answer)
    await new Promise<void>((done) => pages.listen(0, '127.0.0.1', done))
    pagePort = (pages.address() as AddressInfo).port
    closing.push(
      () => canary.close(),
      () => udp.close(),
      () => pages.close(),
      () => pages.closeAllConnections(),
    )
    const secret = join(await mkdtemp(join(scratchFolder(), 'aisle-secret-')), 'secret.txt')
    await writeFile(secret, 'the contents of a file')
    addresses = [
      `http://127.0.0.1:${port}/`,
      `https://${here ?? '127.0.0.2'}:${port}/`,
      `http://localhost:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://0x7f000001:${port}/`,
      'https://inside.example.com/',
      'http://rebound.example.com/',
      'http://169.254.169.254/latest/meta-data/',
      `file://${secret}`,
      'chrome://version/',
    ]
    session = await openBrowser({
      path: inject('browserPath') ?? '',
      profile: await mkdtemp(join(inject('profiles'), 'hostile-')),
      userAgent: 'Aisle/test',
      testHosts: [{ pattern: PAGES, origin: `http://127.0.0.1:${pagePort}` }],
      // Names of the public internet that resolve to this machine, alone and beside a public one.
      resolve: async (host) =>
        host === 'rebound.example.com'
          ? [
              { address: '203.0.113.9', family: 4 },
              { address: '127.0.0.1', family: 4 },
            ]
          : [{ address: '10.0.0.7', family: 4 }],
      dial: (target) => {
        dialled.push(`${target.host}:${target.port}`)
        return connect(target)
      },
      limits: { connections: 1_000_000, bytes: 1024 ** 3 },
    })
  })
  afterAll(async () => {
    await session?.close()
    for (const close of closing) close()
  })

  test('asked for private addresses and files in 200 ways, it reaches none', async () => {
    const shown: string[] = []
    let tries = 0
    for (const to of addresses) {
      // Each try is a frame of its own, so that one that leads away leaves the others.
      await session.open(`https://${PAGES}/all?to=${encodeURIComponent(to)}`)
      tries += Object.keys(WAYS).length
      const { nodes } = await session.read()
      const text = nodes.map(({ name }) => name).join(' ')
      if (/the contents of a file|Command Line/.test(text)) shown.push(to)
    }
    expect(tries).toBe(200)
    expect({ shown, reached, dialled }).toEqual({ shown: [], reached: [], dialled: [] })
    // The canary does answer who comes another way.
    connect(port, '127.0.0.1').on('error', () => {})
    await eventually(() => reached.length).toBeGreaterThan(0)
  })

  test.each([
    ['/dialogs', { dialogs: ['one', 'two'] }],
    ['/windows', { dialogs: [] }],
    ['/download', { downloads: [`https://${PAGES}/file.zip`] }],
  ])('%s neither stops it nor stays', async (path, expected) => {
    await using(async (run) => {
      const seen = await run(path)
      expect(seen).toMatchObject({ done: { happened: expected } })
    })
  })

  test('a window with dialogs, opened by a press, does not stop the page', async () => {
    await session.open(`https://${PAGES}/pressed`)
    const link = (await session.read()).nodes.find(({ role }) => role === 'link')
    expect(await session.act({ do: 'press', ref: link?.ref ?? -1 })).toEqual({ is: 'done' })
    expect((await session.read()).nodes.map(({ name }) => name)).toContain('Pressed')
    expect(session.happened()).toMatchObject({ crashed: false })
  })

  test.each([
    ['/endless', { mostMs: 90_000 }, /^(done|failed|memory)$/],
    ['/requests', { mostMs: 90_000 }, /^(done|time)$/],
    ['/loop', { mostMs: 8_000 }, /^time$/],
    ['/large', { mostMs: 60_000 }, /^failed$/],
    ['/memory', { mostMs: 60_000, mostBytes: 500 * 1024 * 1024 }, /^(memory|failed)$/],
  ])('%s is given up in its bounds, and nothing of it stays', async (path, bounds, expected) => {
    await using(async (run) => {
      const seen = await run(path)
      expect('done' in seen ? 'done' : seen.unseen).toMatch(expected)
      const left = (await familyOf(process.pid)).filter(({ pid }) => pid !== process.pid)
      expect(left.length).toBeLessThanOrEqual(others)
    }, bounds)
  })
})

/** Our processes besides the browsers of a test. */
let others = 0

async function using(
  what: (
    run: (path: string) => ReturnType<ReturnType<typeof createBrowsers>['run']>,
  ) => Promise<void>,
  bounds: { mostMs?: number; mostBytes?: number } = {},
) {
  others = (await familyOf(process.pid)).length - 1
  const browsers = createBrowsers({
    path: inject('browserPath'),
    userAgent: 'Aisle/test',
    testHosts: [{ pattern: PAGES, origin: `http://127.0.0.1:${pagePort}` }],
    ...bounds,
  })
  try {
    await what((path) => browsers.run('visit', { url: `https://${PAGES}${path}` }))
  } finally {
    await browsers.close()
  }
}
