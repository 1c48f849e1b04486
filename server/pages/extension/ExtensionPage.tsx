import type { JSX } from 'preact'
import { formatNumber } from '../../../shared/view/format.ts'
import { useLanguage } from '../../../shared/view/language.ts'
import { Link } from '../site.tsx'
import type { Browser, PackedExtension } from './packed.ts'

const WORDS: Record<Browser, { name: string; install: JSX.Element }> = {
  chrome: {
    name: 'Chrome',
    install: (
      <ol>
        <li>Unpack the file into a folder that stays where it is.</li>
        <li>
          Open <code>chrome://extensions</code> and turn on “Developer mode”.
        </li>
        <li>Choose “Load unpacked”, and the folder.</li>
      </ol>
    ),
  },
  firefox: {
    name: 'Firefox',
    install: (
      <ol>
        <li>
          Open <code>about:debugging#/runtime/this-firefox</code>.
        </li>
        <li>Choose “Load Temporary Add-on…”, and the file. Firefox removes it when it closes.</li>
      </ol>
    ),
  },
}

/** Where the packed extension is downloaded, and how it is installed. */
export function ExtensionPage({ packed }: { packed: readonly PackedExtension[] }): JSX.Element {
  const { locale } = useLanguage()
  return (
    <article class="prose">
      <h1>Browser extension</h1>
      <p class="lead">
        It audits the page of a store that is open in your browser, and shows manifests, history and
        the report.
      </p>
      <p>
        The open page is audited without a server. For the rest, enter the address of this service
        and <Link to="/help">a key</Link> in the extension's settings.{' '}
        <Link to="/extension/privacy">What it keeps and sends</Link>.
      </p>
      {packed.map(({ browser, file, version, bytes }) => (
        <section key={browser}>
          <h2 id={browser}>{WORDS[browser].name}</h2>
          <p>
            <Link class="button button-primary" to={`/extension/${file}`}>
              Download for {WORDS[browser].name}
            </Link>{' '}
            Version {version}, {formatNumber(Math.ceil(bytes / 1000), locale)} kB.
          </p>
          {WORDS[browser].install}
        </section>
      ))}
    </article>
  )
}
