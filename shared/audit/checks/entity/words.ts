import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules of `entity`. Every example is the HTML of the home page.

const ldJson = (node: string): string => `<script type="application/ld+json">\n${node}\n</script>`

export const entityWords = {
  brand_name_inconsistent: {
    passed: 'brand_name_consistent',
    severity: 'medium',
    label: 'The home page gives the store different names',
    fix: 'Use one name in WebSite.name, Organization.name and og:site_name; list other spellings as alternateName.',
    passes: 'One name for the store on the home page',
    meaning:
      'The home page names the store in several places (WebSite, Organization, og:site_name), and two of the names have nothing in common. Differences in spelling, legal forms and names in alternateName are accepted.',
    why: 'Agents combine what they read about a store to decide who it is. Two names look like two stores, and neither is fully trusted.',
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
    passed: 'organization_present',
    // Not critical: Google requires no property, and recommends the home page for it.
    severity: 'medium',
    label: 'The home page has no Organization markup',
    fix: 'Put an Organization (for a store: OnlineStore) with name, url, logo and sameAs on the home page.',
    passes: 'The home page says who runs the store',
    meaning: 'The home page has no markup that says which organization runs the store.',
    why: 'Agents use it to connect the domain with a brand, its logo and its profiles elsewhere. Without it they guess, or pick another store with the same name.',
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
  organization_name_missing: {
    passed: 'organization_name_present',
    severity: 'low',
    label: 'The Organization has no name',
    fix: "Add the store's name to the Organization on the home page.",
    passes: 'The organization has a name',
    meaning: 'The home page describes an Organization that has a logo or an address, but no name.',
    why: 'Without a name the markup speaks of nobody. AI surfaces then name the store by its domain, or by what others call it.',
    language: 'html',
    before: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "logo": "https://shop.example/media/logo.png" }`,
    ),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "logo": "https://shop.example/media/logo.png" }`,
    ),
  },
  organization_url_mismatch: {
    passed: 'organization_url_matches',
    severity: 'low',
    label: 'The url of the Organization is another site',
    fix: "Set the Organization's url to the address of this home page.",
    passes: 'The organization links to this store',
    meaning: 'The url of the Organization is on a different site from the home page.',
    why: 'The markup then says that this store belongs to someone else. Often it is the address of a staging site or of an agency.',
    language: 'html',
    before: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "url": "https://borealis.agency.test/" }`,
    ),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "url": "https://shop.example/" }`,
    ),
  },
  organization_logo_invalid: {
    passed: 'organization_logo_valid',
    severity: 'low',
    label: "The Organization's logo is missing or is not an absolute https URL",
    fix: "Set the Organization's logo to the absolute https URL of an image.",
    passes: 'The organization has a logo',
    meaning: 'The Organization has no logo, or the address of its logo is relative or not https.',
    why: 'AI surfaces show the logo next to the offer, on their own pages. They cannot load an address that works only on yours.',
    language: 'html',
    before: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "logo": "/media/logo.png" }`,
    ),
    after: ldJson(
      `{ "@context": "https://schema.org", "@type": "OnlineStore", "name": "Borealis", "logo": "https://shop.example/media/logo.png" }`,
    ),
  },
  organization_same_as_invalid: {
    passed: 'organization_same_as_valid',
    severity: 'low',
    label: "The Organization's sameAs has invalid entries",
    fix: 'List only absolute URLs of profiles on other sites in sameAs, and remove empty entries.',
    passes: 'Organization links that can be followed',
    meaning:
      'sameAs contains an empty entry, an entry that is not a URL, or the address of the store itself. Themes leave such entries if a profile is not filled in.',
    why: 'sameAs links to profiles on other sites that confirm who you are. Broken entries confirm nothing and make the others less credible.',
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
    passed: 'organization_names_agree',
    severity: 'medium',
    label: 'The home page describes Organizations with different names',
    fix: 'Describe the store as one Organization, and refer to it by @id elsewhere.',
    passes: 'One organization, with one name',
    meaning:
      'The markup of the home page has two Organizations with names that have nothing in common, often one from the theme and one from a plugin.',
    why: 'An agent cannot know which of them is the store. It may cite the wrong one, or neither.',
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
} satisfies RuleWords
