import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

// Draws the PNG files of icon.svg. Run it by hand after a change: npx node extension/icon/draw.ts

const SIZES = [16, 32, 48, 128]

const here = (path: string) => new URL(path, import.meta.url)
const svg = readFileSync(here('icon.svg'), 'utf8')
mkdirSync(here('../public/icons'), { recursive: true })

const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/lib/chromium/chromium',
  chromiumSandbox: process.getuid?.() !== 0,
})
for (const size of SIZES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`)
  const png = await page.screenshot({ omitBackground: true })
  writeFileSync(here(`../public/icons/${size}.png`), png)
}
await browser.close()
writeFileSync(here('icon.sha256'), `${hash('sha256', svg)}\n`)
