import type { GapDocs } from '../../gap-doc.ts'

// Data: the pages of the gaps of `entity`. Every example is the HTML of the home page.

const ldJson = (node: string): string => `<script type="application/ld+json">\n${node}\n</script>`

export const entityDocs: GapDocs = {
  brand_name_inconsistent: {
    meaning:
      'The home page names the shop in several places (WebSite, Organization, og:site_name), and two of the names have nothing in common. Spellings, legal forms and alternateName are allowed for.',
    why: 'Agents decide who a shop is by joining what is said about it. Two names are two shops, and neither gets all of the trust.',
    language: 'html',
    before: `<meta property="og:site_name" content="Nordwind Trading">
${ldJson(`{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "url": "https://shop.example/" }`)}`,
    after: `<meta property="og:site_name" content="Borealis">
${ldJson(`{
  "@context": "https://schema.org",
  "@type": "OnlineStore",
  "name": "Borealis",
  "legalName": "Nordwind Trading Ltd",
  "url": "https://shop.example/"
}`)}`,
  },
  organization_missing: {
    meaning: 'The home page has no markup that says which organization runs the shop.',
    why: 'It is how agents join the domain with a brand, its logo and its profiles elsewhere. Without it they guess, or take another shop of that name.',
    language: 'html',
    before: '<title>Borealis: boots for wet hills</title>',
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "OnlineStore",
  "name": "Borealis",
  "url": "https://shop.example/",
  "logo": "https://shop.example/media/logo.png",
  "sameAs": ["https://social.example/borealis"]
}`),
  },
  organization_url_mismatch: {
    meaning: 'The url of the Organization is on another site than the home page that states it.',
    why: 'The markup then says that this shop belongs to somebody else. Often it is the address of a staging site or of an agency.',
    language: 'html',
    before: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "url": "https://borealis.agency.test/" }`,
    ),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "url": "https://shop.example/" }`,
    ),
  },
  organization_logo_invalid: {
    meaning: 'The Organization has no logo, or one whose address is relative or not https.',
    why: 'Surfaces show the logo beside the offer, from their own pages. An address that works only on yours gives them nothing to show.',
    language: 'html',
    before: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "logo": "/media/logo.png" }`,
    ),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "logo": "https://shop.example/media/logo.png" }`,
    ),
  },
  organization_same_as_invalid: {
    meaning:
      'sameAs holds an empty entry, something that is no address, or the address of the shop itself. Themes leave such entries where a profile was not filled in.',
    why: 'sameAs exists to lead to profiles elsewhere that confirm who you are. Broken entries lead nowhere and make the others less believable.',
    language: 'html',
    before: ldJson(`{
  "@context": "https://schema.org",
  "@type": "OnlineStore",
  "name": "Borealis",
  "sameAs": ["", "@borealis", "https://shop.example/"]
}`),
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "OnlineStore",
  "name": "Borealis",
  "sameAs": ["https://social.example/borealis"]
}`),
  },
  organization_names_conflict: {
    meaning:
      'The markup of the home page has two Organizations with names that have nothing in common, often one from the theme and one from a plugin.',
    why: 'An agent cannot know which of them is the shop. It may cite the wrong one, or neither.',
    language: 'html',
    before: `${ldJson(`{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis" }`)}
${ldJson(`{ "@context": "https://schema.org", "@type": "Organization", "name": "Nordwind Trading" }`)}`,
    after: ldJson(`{
  "@context": "https://schema.org",
  "@type": "OnlineStore",
  "name": "Borealis",
  "parentOrganization": { "@type": "Organization", "name": "Nordwind Trading" }
}`),
  },
}
