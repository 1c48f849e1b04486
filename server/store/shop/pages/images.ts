import type { Article } from '../../db/tables.ts'
import { escapeXml } from '../xml-text.ts'

export const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160">
<rect width="160" height="160" rx="32" fill="#1f6b4a"/>
<path d="M24 120 68 48l20 32 14-20 34 60z" fill="#fbfcfa"/>
<circle cx="112" cy="40" r="12" fill="#f2c14e"/>
</svg>
`

/** A drawing in place of a photograph: a landscape in its own colours, with the product's name. */
export function pictureOf({ id, name, brand }: Article): string {
  const number = Number(id.replace(/\D/g, ''))
  const hue = (number * 47) % 360
  const peak = 400 + ((number * 31) % 240)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" role="img">
<title>${escapeXml(name)}</title>
<rect width="800" height="600" fill="hsl(${hue} 42% 88%)"/>
<circle cx="${860 - peak}" cy="150" r="56" fill="hsl(${(hue + 40) % 360} 80% 72%)"/>
<path d="M0 460 180 300 320 400 ${peak} 190 800 430V600H0z" fill="hsl(${hue} 34% 52%)"/>
<path d="M0 520 260 420 520 500 800 440V600H0z" fill="hsl(${hue} 38% 34%)"/>
<text x="40" y="545" font-family="sans-serif" font-size="38" font-weight="700" fill="#fff">${escapeXml(name)}</text>
<text x="40" y="580" font-family="sans-serif" font-size="24" fill="#fff">${escapeXml(brand)}</text>
</svg>
`
}
