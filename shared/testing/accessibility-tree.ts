import type { Page } from 'playwright-core'

/** A node of Chromium's accessibility tree, as far as it is read here. */
interface AxNode {
  readonly nodeId: string
  readonly parentId?: string
  readonly ignored: boolean
  readonly role?: { readonly value: string }
  readonly name?: { readonly value: string }
  readonly description?: { readonly value: string }
  readonly childIds?: readonly string[]
  readonly properties?: readonly { readonly name: string; readonly value: { value: unknown } }[]
}

const CONTROLS = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'listbox',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
])

const roleOf = (node: AxNode) => node.role?.value ?? ''
const nameOf = (node: AxNode) => (node.name?.value ?? '').replace(/\s+/g, ' ').trim()

/**
 * What a screen reader would stumble over: Chromium's whole tree is read, as it is given to one.
 * axe reads the elements; it does not notice a name that is said twice, nor a second h1.
 */
export async function treeFaultsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return faultsOfTree(nodes as readonly AxNode[])
}

function faultsOfTree(all: readonly AxNode[]): string[] {
  const byId = new Map(all.map((node) => [node.nodeId, node]))
  const [root] = all
  // Chromium lists them level by level; a person hears them in the order of the document.
  const read = root === undefined ? [] : [root, ...descendants(root, byId)]
  const nodes = read.filter(({ ignored }) => !ignored)
  return [
    ...faultsOfHeadings(nodes),
    ...faultsOfLandmarks(nodes),
    ...nodes
      .filter((node) => roleOf(node) === 'table')
      .flatMap((table) => faultsOfTable(table, byId)),
    ...nodes.flatMap(faultsOfName),
  ]
}

function faultsOfHeadings(nodes: readonly AxNode[]): string[] {
  const headings = nodes
    .filter((node) => roleOf(node) === 'heading')
    .map((node) => ({
      name: nameOf(node),
      level: Number(node.properties?.find(({ name }) => name === 'level')?.value.value),
    }))
  const first = headings.filter(({ level }) => level === 1)
  return [
    ...(first.length === 1 ? [] : [`${first.length} headings of level 1`]),
    ...headings.flatMap(({ name, level }, at) => {
      const before = headings[at - 1]?.level ?? 0
      return level > before + 1 ? [`heading "${name}" of level ${level} after ${before}`] : []
    }),
    ...headings.filter(({ name }) => name === '').map(({ level }) => `empty heading ${level}`),
  ]
}

function faultsOfLandmarks(nodes: readonly AxNode[]): string[] {
  const mains = nodes.filter((node) => roleOf(node) === 'main').length
  const navigations = nodes.filter((node) => roleOf(node) === 'navigation').map(nameOf)
  return [
    ...(mains === 1 ? [] : [`${mains} main landmarks`]),
    ...(new Set(navigations).size === navigations.length
      ? []
      : [`navigations with one name: ${navigations.join(', ')}`]),
  ]
}

function faultsOfTable(table: AxNode, byId: ReadonlyMap<string, AxNode>): string[] {
  const within = descendants(table, byId)
  const hasHeader = within.some((node) => /^(column|row)header$/.test(roleOf(node)))
  return [
    ...(hasHeader ? [] : [`table "${nameOf(table)}" without a header`]),
    ...(nameOf(table) === '' ? ['table without a name'] : []),
  ]
}

function descendants(node: AxNode, byId: ReadonlyMap<string, AxNode>): AxNode[] {
  return (node.childIds ?? []).flatMap((id) => {
    const child = byId.get(id)
    return child === undefined ? [] : [child, ...descendants(child, byId)]
  })
}

function faultsOfName(node: AxNode): string[] {
  if (!CONTROLS.has(roleOf(node))) return []
  const name = nameOf(node)
  const description = (node.description?.value ?? '').trim()
  if (name === '') return [`${roleOf(node)} without a name`]
  if (description === name) return [`${roleOf(node)} "${name}" is described by its name`]
  if (/^(\S.*\S) \1$/.test(name)) return [`${roleOf(node)} "${name}" says its name twice`]
  return []
}
