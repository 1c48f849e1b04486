import type { ComponentChildren, JSX } from 'preact'
import { linksTo } from '../../../../shared/audit/gap/links.ts'
import { useLanguage } from '../../../../shared/view/language.ts'
import { Notice } from '../../../../shared/view/Notice.tsx'
import { WalkView } from '../../../../shared/view/walk/WalkView.tsx'
import { EXPORT_FORMATS, type ExportFormat } from '../../../../shared/walk/export/formats.ts'
import type { Purchase, Transcript } from '../../../../shared/walk/transcript.ts'
import { Link, useSite } from '../../site.tsx'

interface WalkPageProps {
  transcript: Transcript
  isUnderWay: boolean
  /** The path of this page, below which one purchase is shown alone. */
  here: string
  /** The purchase to show alone, from the query. */
  only?: string | undefined
  /** For a text to forward: an address that anyone can open. */
  address?: string | undefined
  /** Shown only to the holder of a key: the buttons, and this below. */
  own?: { share?: ComponentChildren } | undefined
}

/** One walk. A script takes over `#walk` while the walk is under way. */
export function WalkPage(props: WalkPageProps): JSX.Element {
  const { transcript, isUnderWay, here, only, address, own } = props
  const { path, baseUrl } = useSite()
  const { locale } = useLanguage()
  const alone = only === undefined ? null : onlyPurchase(transcript, only)
  const isFollowed = isUnderWay && alone === null && own !== undefined
  const page = path(here)
  return (
    <>
      {alone !== null && (
        <p class="crumbs">
          <Link to={here}>All purchases of this walk</Link>
        </p>
      )}
      {isFollowed && (
        <noscript>
          <ReloadNotice page={page} />
        </noscript>
      )}
      {isUnderWay && !isFollowed && <ReloadNotice page={page} />}
      <div
        id="walk"
        {...(isFollowed
          ? { 'data-follow': page, 'data-base': baseUrl, 'data-locale': locale }
          : {})}
      >
        <WalkView
          transcript={alone ?? transcript}
          isLive={isUnderWay}
          links={linksTo(baseUrl)}
          address={address ?? null}
          pictureHref={(picture) => `${page}/${picture}`}
          aloneHref={alone === null ? (purchase) => aloneHref(page, purchase) : undefined}
        />
      </div>
      {own !== undefined && (
        <>
          <WalkActions here={here} domain={transcript.domain} isUnderWay={isUnderWay} />
          {own.share}
        </>
      )}
    </>
  )
}

const ReloadNotice = ({ page }: { page: string }): JSX.Element => (
  <Notice kind="info" title="This page does not update by itself">
    <p>
      <a href={page}>Reload it</a> to see how far the walk has come.
    </p>
  </Notice>
)

interface WalkActionsProps {
  here: string
  domain: string
  isUnderWay: boolean
}

const FORMAT_NAMES: Record<ExportFormat, string> = {
  json: 'JSON',
  markdown: 'Markdown',
  har: 'HAR, for the network tab of a browser',
  curl: 'cURL commands',
}

/** A running walk can be stopped, a finished one saved; the script swaps the buttons. */
function WalkActions({ here, domain, isUnderWay }: WalkActionsProps): JSX.Element {
  const { path } = useSite()
  return (
    <>
      {isUnderWay && (
        <section class="card no-print" data-when="under-way">
          <h2>Stop it</h2>
          <form method="post" action={path(`${here}/stop`)} class="inline-form">
            <button type="submit" class="button">
              Stop the walk
            </button>
            <p class="quiet">What it opened in your store is cancelled first.</p>
          </form>
        </section>
      )}
      <section class="card no-print" data-when="over" hidden={isUnderWay}>
        <h2>Keep it</h2>
        <p>The whole walk, with every request and answer. Secrets and addresses are masked.</p>
        <ul>
          {EXPORT_FORMATS.map((format) => (
            <li key={format}>
              <Link to={`${here}/export?format=${format}`}>{FORMAT_NAMES[format]}</Link>
            </li>
          ))}
        </ul>
      </section>
      <p class="no-print">
        <Link to={`/walks?domain=${encodeURIComponent(domain)}`}>All walks of {domain}</Link>
      </p>
    </>
  )
}

/** `here?purchase=ucp_rest.cheapest_variant`: the page of one purchase. */
export const aloneHref = (here: string, { dialect, intent }: Purchase): string =>
  `${here}?purchase=${dialect}.${intent}`

/** The walk reduced to this purchase; null if it has no purchase of this name. */
function onlyPurchase(transcript: Transcript, name: string): Transcript | null {
  const routes = transcript.routes.flatMap((route) => {
    const purchases = route.purchases.filter(
      ({ dialect, intent }) => `${dialect}.${intent}` === name,
    )
    return purchases.length === 0 ? [] : [{ ...route, purchases }]
  })
  const { pages: _, ...rest } = transcript
  return routes.length === 0 ? null : { ...rest, routes }
}
