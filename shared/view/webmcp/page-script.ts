import type { CalledTool, CallOrder, ReadPage } from '../../walk/webmcp/page-answers.ts'

/*
 * What runs in the page itself, in its own world: both functions are sent there as text, so that
 * they use nothing of this file but types. What they answer is the page's word.
 *
 * WebMCP, the draft of 2026-10-20, and Chrome's origin trial: up to Chrome 154 a call takes its
 * input as JSON text, and tools state their schema so; from 160 on they are no plain objects
 * (https://developer.chrome.com/docs/ai/webmcp/updates).
 */

interface Registered {
  name: string
  title?: string | null
  description?: string | null
  inputSchema?: unknown
  annotations?: { readOnlyHint?: boolean } | null
}

interface ModelContext {
  getTools: () => Promise<Registered[]>
  executeTool: (tool: Registered, input: unknown) => Promise<unknown>
}

/** Lists the tools of the page, with what the page says of its product. */
export async function readToolsOfPage(): Promise<ReadPage> {
  const { modelContext } = document as Document & { modelContext?: ModelContext }
  const main = document.querySelector('main') ?? document.body
  const found: ReadPage = {
    tools: null,
    heading: (document.querySelector('h1')?.innerText ?? '').slice(0, 300),
    text: (main?.innerText ?? '').slice(0, 20_000),
    jsonLd: [...document.querySelectorAll('script[type="application/ld+json"]')]
      .slice(0, 20)
      .map(({ textContent }) => (textContent ?? '').slice(0, 100_000)),
  }
  if (typeof modelContext?.getTools !== 'function') return found
  const tools = await modelContext.getTools().catch(() => [])
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 2000) : '')
  found.tools = [...tools].slice(0, 50).map((tool) => {
    const { inputSchema: schema } = tool
    const json = typeof schema === 'string' ? schema : schema ? JSON.stringify(schema) : null
    return {
      name: text(tool.name),
      title: text(tool.title),
      description: text(tool.description),
      schema: json?.slice(0, 50_000) ?? null,
      isReadOnly: tool.annotations?.readOnlyHint === true,
    }
  })
  return found
}

/** Calls a tool, and looks at the page and its basket before and after. */
export async function callToolOfPage(order: CallOrder): Promise<CalledTool> {
  const { modelContext } = document as Document & { modelContext?: ModelContext }
  const names = new RegExp(order.basketNames, 'u')
  const stateOf = async () => {
    const link = [...document.querySelectorAll('a[href]')].find((each) => {
      const said = (each.getAttribute('aria-label') || each.textContent || '').trim().toLowerCase()
      return names.test(said)
    })
    const address = link ? new URL(link.getAttribute('href') ?? '', location.href) : null
    let basket = ''
    if (address?.origin === location.origin) {
      const answer = await fetch(address.href, { signal: AbortSignal.timeout(5000) }).catch(
        () => null,
      )
      const html = answer?.ok ? await answer.text().catch(() => '') : ''
      const page = new DOMParser().parseFromString(html, 'text/html')
      for (const each of page.querySelectorAll('script, style, noscript')) each.remove()
      const fields = [...page.querySelectorAll('input[type="number"]')]
      const values = fields.map((field) => field.getAttribute('value') ?? '')
      const shown = (page.querySelector('main') ?? page.body)?.textContent ?? ''
      basket = `${shown} ${values.join(' ')}`.replace(/\s+/g, ' ').slice(0, 20_000)
    }
    const stored: string[] = []
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) {
        if (/cart|basket|bag|checkout/i.test(key)) stored.push(`${key}=${storage.getItem(key)}`)
      }
    }
    return {
      url: location.href,
      basketLink: (link?.textContent ?? '').replace(/\s+/g, ' ').trim(),
      basket,
      stored: stored.sort().join('\n').slice(0, 20_000),
    }
  }
  const before = await stateOf()
  const called = { name: order.name, input: order.input, before }
  const tools = (await modelContext?.getTools().catch(() => [])) ?? []
  const tool = [...tools].find(({ name }) => name === order.name)
  if (!modelContext || !tool) {
    return { ...called, answer: null, failed: 'It is no longer registered.', after: before }
  }
  let answer: string | null = null
  let failed: string | null = null
  try {
    const input: unknown = JSON.parse(order.input)
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('It did not answer in time.')), order.mostMs)
    })
    // Chrome 154 and the polyfill want text, and refuse an object before anything is done.
    const call = modelContext.executeTool(tool, input).catch((error: unknown) =>
      modelContext.executeTool(tool, order.input).catch(() => {
        throw error
      }),
    )
    const said = await Promise.race([call, late])
    answer = (typeof said === 'string' ? said : (JSON.stringify(said) ?? '')).slice(0, 200_000)
  } catch (error) {
    failed = String(error).slice(0, 300)
  }
  return { ...called, answer, failed, after: await stateOf() }
}
