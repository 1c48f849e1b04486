import type { Proposed } from './proposal.ts'

/** The script tag of a property as a file: the same for every page of the storefront. */
export function proposeSnippet({ domain, tag }: { domain: string; tag: string }): Proposed {
  return {
    files: [
      {
        path: 'snippet/attribution.html',
        content: `${tag}\n`,
        placement: 'head',
        url: `https://${domain}/`,
        content_type: null,
        replaces: 'Another tag of attribution.js, if there is one',
      },
    ],
    missing: [],
    notes: [
      'Put it into the <head> of every page, by the template that they share, and once.',
      'A Content-Security-Policy has to allow the host of the script in script-src and connect-src.',
    ],
    check_after: [`audit ${domain} again, with the check attribution`],
  }
}
