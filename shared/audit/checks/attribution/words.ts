import type { RuleWords } from '../../rule-words.ts'

// Data: the words of the rules of `attribution`. Every example is the HTML of the home page.

export const attributionWords = {
  dark_traffic_untracked: {
    passed: 'snippet_present',
    severity: 'medium',
    label: 'Visits from AI surfaces are not tracked',
    fix: 'Put <script src="{cdn_url}/attribution.js?id=<property_id>"></script> into the <head> of every page.',
    passes: 'Visits from AI surfaces are tracked',
    meaning:
      'The home page does not load the Aisle tag, which recognizes visits that come from AI surfaces. A tag manager may add it later; that cannot be seen from outside.',
    why: 'Visits from assistants often arrive without a referrer, so your analytics counts them as direct. You cannot see what AI brings you, or what you lose.',
    language: 'html',
    before: `<head>
  <title>Shop</title>
</head>`,
    after: `<head>
  <title>Shop</title>
  <script async src="https://aisle.example/attribution.js?id=prop_8aF3kQ2mZx71LrT0vWnY"></script>
</head>`,
  },
  snippet_without_id: {
    passed: 'snippet_has_id',
    severity: 'medium',
    label: 'The tag has no property id',
    fix: 'Use the URL of your own tag, which ends in ?id= and your property id.',
    passes: 'The tag has your property id',
    meaning:
      'The tag is loaded without the property id that says whose visits it counts, or still has a placeholder such as <property_id>.',
    why: 'Without your id the tag cannot report anywhere, so every visit is lost.',
    language: 'html',
    before: '<head><script async src="https://aisle.example/attribution.js"></script></head>',
    after:
      '<head><script async src="https://aisle.example/attribution.js?id=prop_8aF3kQ2mZx71LrT0vWnY"></script></head>',
  },
  snippet_duplicated: {
    passed: 'snippet_once',
    severity: 'low',
    label: 'The tag is loaded more than once',
    fix: 'Keep only one of the script elements: each extra copy costs visitors a request.',
    passes: 'The tag is loaded once',
    meaning:
      'The page loads the tag twice or more, often once from the theme and once from a plugin.',
    why: 'The second copy does nothing, but every visitor has to download it.',
    language: 'html',
    before: `<head>
  <script async src="https://aisle.example/attribution.js?id=prop_8aF3kQ2mZx71LrT0vWnY"></script>
  <script async src="https://aisle.example/attribution.js?id=prop_8aF3kQ2mZx71LrT0vWnY"></script>
</head>`,
    after: `<head>
  <script async src="https://aisle.example/attribution.js?id=prop_8aF3kQ2mZx71LrT0vWnY"></script>
</head>`,
  },
  snippet_not_in_head: {
    passed: 'snippet_in_head',
    severity: 'low',
    label: 'The tag is not in the head',
    fix: 'Move the script element into <head>: in the body it misses visits that end early.',
    passes: 'The tag is in the head of the page',
    meaning: 'The tag is in the body of the page, not in its head.',
    why: 'It starts late there. It misses visits that end early, and analytics that start before it count visits without it.',
    language: 'html',
    before: `<head><title>Shop</title></head>
<body>
  <script async src="https://aisle.example/attribution.js?id=prop_8aF3kQ2mZx71LrT0vWnY"></script>
</body>`,
    after: `<head>
  <title>Shop</title>
  <script async src="https://aisle.example/attribution.js?id=prop_8aF3kQ2mZx71LrT0vWnY"></script>
</head>
<body></body>`,
  },
  snippet_blocked_by_csp: {
    passed: 'snippet_allowed_by_csp',
    severity: 'medium',
    label: "The page's own Content-Security-Policy blocks the tag",
    fix: 'Allow the host of the tag in script-src and connect-src. If the policy lacks one of them, begin it with the sources of default-src; without a default-src, leave it out.',
    passes: 'Your security policy lets the tag run',
    meaning:
      'The Content-Security-Policy of the page does not let the tag load (script-src), or does not let it report visits (connect-src). It reports to its own host, or to that of its data-endpoint.',
    why: 'The browser refuses and says so in its console only. The tag is there, but nothing is counted.',
    language: 'html',
    before: `<head>
  <meta http-equiv="Content-Security-Policy" content="script-src 'self'; connect-src 'self'">
  <script async src="https://aisle.example/attribution.js?id=prop_8aF3kQ2mZx71LrT0vWnY"></script>
</head>`,
    after: `<head>
  <meta http-equiv="Content-Security-Policy" content="script-src 'self' https://aisle.example; connect-src 'self' https://aisle.example">
  <script async src="https://aisle.example/attribution.js?id=prop_8aF3kQ2mZx71LrT0vWnY"></script>
</head>`,
  },
} satisfies RuleWords
