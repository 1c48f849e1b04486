/** How the visitor came to this page. */
export interface Landing {
  referrer: string
  /** The URL that was navigated to, whatever a router has made of it since. */
  url: URL
  /** Whether the navigation had a `#:~:text=`, which the page itself cannot see. */
  textFragment: boolean
  /** Not by reload and not by the back button, which bring nobody new. */
  arrived: boolean
}

export function readLanding({ document, location, performance }: Window): Landing {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const name = navigation ? navigation.name : location.href
  return {
    referrer: document.referrer,
    url: new URL(name),
    textFragment: name.includes(':~:text='),
    arrived: !navigation || !/^(reload|back)/.test(navigation.type),
  }
}
