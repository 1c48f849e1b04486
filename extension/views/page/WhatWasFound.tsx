import type { ComponentChildren } from 'preact'
import type {
  FoundOffer,
  FoundOnPage,
  FoundOrganization,
  FoundProduct,
  FoundSnippet,
} from '../../page/audit/page-audit.ts'
import { useApp } from '../app/app-state.ts'

const SHOWN = 10

/** What the page says about products, the store and the tag. Every value is untrusted text. */
export function WhatWasFound({ found }: { found: FoundOnPage }) {
  const { text } = useApp()
  return (
    <section class="card">
      <h2>{text('found_title')}</h2>
      <dl class="facts">
        <Fact name={text('found_products')} entries={found.products}>
          {(product) => <Product product={product} />}
        </Fact>
        <Fact name={text('found_organization')} entries={found.organizations}>
          {(organization) => <Organization organization={organization} />}
        </Fact>
        <Fact name={text('found_snippet')} entries={found.snippet === null ? [] : [found.snippet]}>
          {(snippet) => <Snippet snippet={snippet} />}
        </Fact>
        <div>
          <dt>{text('found_json_ld')}</dt>
          <dd>{text('found_blocks', found.json_ld_blocks, found.broken_blocks)}</dd>
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
  const { text } = useApp()
  return (
    <div>
      <dt>{name}</dt>
      {entries.length === 0 && <dd class="quiet">{text('found_none')}</dd>}
      {entries.slice(0, SHOWN).map((entry, index) => (
        <dd key={index}>{children(entry)}</dd>
      ))}
      {entries.length > SHOWN && (
        <dd class="quiet">{text('found_more', entries.length - SHOWN)}</dd>
      )}
    </div>
  )
}

function Product({ product }: { product: FoundProduct }) {
  const { text } = useApp()
  const { name, sku, variants, offers, where, in_served } = product
  const facts = [
    ...(offers.length === 0 ? [text('found_no_offer')] : offers.slice(0, 3).map(offerText)),
    ...(offers.length > 3 ? [text('found_more', offers.length - 3)] : []),
    ...(variants > 0 ? [text('found_variants', variants)] : []),
    ...(sku === null ? [] : [text('found_sku', sku)]),
  ]
  return (
    <>
      <span class="wild">{name ?? text('found_no_name')}</span>
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
  const { text } = useApp()
  const { name, types, url, where, in_served } = organization
  return (
    <>
      <span class="wild">{name ?? text('found_no_name')}</span>
      <span class="wild quiet">
        {[types.join(', '), ...(url === null ? [] : [url])].join(' · ')}
      </span>
      <Where where={where} inServed={in_served} />
    </>
  )
}

function Snippet({ snippet }: { snippet: FoundSnippet }) {
  const { text } = useApp()
  const { id, src, count, in_head, blocked_by_csp, in_served } = snippet
  return (
    <>
      <span class="wild">
        {id === null ? text('found_snippet_no_id') : text('found_snippet_id', id)}
      </span>
      <span class="wild quiet">{src}</span>
      {count > 1 && <span class="fault">{text('found_snippet_twice', count)}</span>}
      {!in_head && <span class="fault">{text('found_snippet_body')}</span>}
      {blocked_by_csp !== null && (
        <span class="wild fault">{text('found_snippet_blocked', blocked_by_csp)}</span>
      )}
      {!in_served && <span class="tag">{text('found_script_only')}</span>}
    </>
  )
}

function Where({ where, inServed }: { where: string; inServed: boolean }) {
  const { text } = useApp()
  return (
    <span class="quiet">
      {where} {!inServed && <span class="tag">{text('found_script_only')}</span>}
    </span>
  )
}
