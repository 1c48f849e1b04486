import type { ComponentChildren } from 'preact'
import type {
  FoundOffer,
  FoundOnPage,
  FoundOrganization,
  FoundProduct,
  FoundSnippet,
} from '../../page/audit/page-audit.ts'

const SHOWN = 10

/** What the page says about products, the store and the tag. Every value is untrusted text. */
export function WhatWasFound({ found }: { found: FoundOnPage }) {
  return (
    <section class="card">
      <h2>What was found</h2>
      <dl class="facts">
        <Fact name="Products" entries={found.products}>
          {(product) => <Product product={product} />}
        </Fact>
        <Fact name="Organization" entries={found.organizations}>
          {(organization) => <Organization organization={organization} />}
        </Fact>
        <Fact name="Attribution tag" entries={found.snippet === null ? [] : [found.snippet]}>
          {(snippet) => <Snippet snippet={snippet} />}
        </Fact>
        <div>
          <dt>JSON-LD</dt>
          <dd>
            Blocks: {found.json_ld_blocks}. Not readable: {found.broken_blocks}.
          </dd>
        </div>
      </dl>
    </section>
  )
}

interface FactProps<Entry> {
  name: string
  entries: readonly Entry[]
  children: (entry: Entry) => ComponentChildren
}

function Fact<Entry>({ name, entries, children }: FactProps<Entry>) {
  return (
    <div>
      <dt>{name}</dt>
      {entries.length === 0 && <dd class="quiet">Not on this page</dd>}
      {entries.slice(0, SHOWN).map((entry, index) => (
        <dd key={index}>{children(entry)}</dd>
      ))}
      {entries.length > SHOWN && <dd class="quiet">and {entries.length - SHOWN} more</dd>}
    </div>
  )
}

function Product({ product }: { product: FoundProduct }) {
  const { name, sku, variants, offers, where, in_served } = product
  const facts = [
    ...(offers.length === 0 ? ['no offer'] : offers.slice(0, 3).map(offerText)),
    ...(offers.length > 3 ? [`and ${offers.length - 3} more`] : []),
    ...(variants > 0 ? [`Variants: ${variants}`] : []),
    ...(sku === null ? [] : [`SKU ${sku}`]),
  ]
  return (
    <>
      <span class="wild">{name ?? 'without a name'}</span>
      <span class="wild quiet">{facts.join(' · ')}</span>
      <Where where={where} inServed={in_served} />
    </>
  )
}

/** An offer as the markup writes it: `24.00 EUR, InStock`. */
function offerText({ price, currency, availability }: FoundOffer): string {
  const money = [price, currency].filter((part) => part !== null).join(' ')
  const state = availability?.replace(/^https?:\/\/schema\.org\//, '') ?? ''
  return [money, state].filter((part) => part !== '').join(', ')
}

function Organization({ organization }: { organization: FoundOrganization }) {
  const { name, types, url, where, in_served } = organization
  return (
    <>
      <span class="wild">{name ?? 'without a name'}</span>
      <span class="wild quiet">
        {[types.join(', '), ...(url === null ? [] : [url])].join(' · ')}
      </span>
      <Where where={where} inServed={in_served} />
    </>
  )
}

function Snippet({ snippet }: { snippet: FoundSnippet }) {
  const { id, src, count, in_head, blocked_by_csp, in_served } = snippet
  return (
    <>
      <span class="wild">{id === null ? 'It has no property id' : `Property ${id}`}</span>
      <span class="wild quiet">{src}</span>
      {count > 1 && <span class="fault">Embedded {count} times. Keep one.</span>}
      {!in_head && <span class="fault">not in the head</span>}
      {blocked_by_csp !== null && (
        <span class="wild fault">Your Content-Security-Policy blocks it: {blocked_by_csp}</span>
      )}
      {!in_served && <span class="tag">only after JavaScript</span>}
    </>
  )
}

function Where({ where, inServed }: { where: string; inServed: boolean }) {
  return (
    <span class="quiet">
      {where} {!inServed && <span class="tag">only after JavaScript</span>}
    </span>
  )
}
