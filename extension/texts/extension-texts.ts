/** Every English text of the extension, for `_locales`; `$1` stands for the first value. */
export const EXTENSION_TEXTS = {
  extension_name: 'Aisle',
  extension_description: 'Shows how ready the open shop is for AI agents, and what to fix first.',
  action_title: 'Check this page',

  refusal_no_grant:
    "Click the Aisle button in the toolbar to check this page. The browser's own pages cannot be checked.",
  refusal_browser_page: "This is one of the browser's own pages. Open a page of your shop.",
  refusal_store_page: 'Browsers do not let extensions read this page. Open a page of your shop.',
  refusal_extension_page: 'This page belongs to an extension. Open a page of your shop.',
  refusal_file: 'This is a file on your computer. Open the page on your shop.',
  refusal_not_html: 'This is a file, not a web page. Open a page of your shop.',
  refusal_no_answer: 'The page did not answer in time. Reload it, then check it again.',
  refusal_no_tab: 'The tab was closed. Open a page of your shop.',
  refusal_failed: 'The page could not be read. Reload it, then check it again.',

  served_status:
    'The server answered $1 when asked without cookies, so the page was judged as your browser shows it.',
  served_redirected:
    'Without cookies the server redirects to $1, so the page was judged as your browser shows it.',
  served_not_html:
    'When asked again, the server sent $1 instead of a page, so the page was judged as your browser shows it.',
  served_timeout:
    'The server took too long to send the page again, so the page was judged as your browser shows it.',
  served_unreachable:
    'The page could not be fetched again, so the page was judged as your browser shows it.',
  served_unreadable:
    'The answer of the server could not be read, so the page was judged as your browser shows it.',

  failure_offline_title: 'The server cannot be reached',
  failure_offline_text: 'Check your connection and the server address.',
  failure_bad_url_title: 'The server address is not valid',
  failure_bad_url_text: 'Enter an https address, or http for a server on this computer.',
  failure_unauthorized_title: 'The server does not accept the key',
  failure_unauthorized_text: '$1 Enter a valid key in the options.',
  failure_forbidden_title: 'The key does not allow this',
  failure_forbidden_text: '$1 Ask the operator for a key with this permission.',
  failure_not_found_title: 'Nothing here yet',
  failure_not_found_text: '$1',
  failure_invalid_title: 'The server could not accept this',
  failure_invalid_text: '$1',
  failure_rate_limited_title: 'Too many requests',
  failure_rate_limited_text: 'Try again in $1.',
  failure_rate_limited_unknown: 'Wait a while, then try again.',
  failure_unavailable_title: 'The server is busy',
  failure_unavailable_text: '$1 Try again in a moment.',
  failure_timeout_title: 'The server took too long',
  failure_timeout_text: '$1 Try again; a large shop may need a second attempt.',
  failure_server_title: 'Something failed on the server',
  failure_server_text: 'Try again. If it keeps happening, send the operator the request id.',
  failure_unexpected_title: 'This is not an Aisle server',
  failure_unexpected_text: '$1 Check the server address.',
  failure_redirected_text: 'The server redirects to another address. Enter the final address.',
  failure_cancelled_title: 'Cancelled',
  failure_cancelled_text: 'Nothing was changed.',
  failure_retry: 'Try again',
  failure_options: 'Open the options',
  wait_seconds: '$1 seconds',
  wait_one_second: '1 second',
  wait_minutes: '$1 minutes',

  merge_server_skipped: 'The server could not judge this: $1.',
  merge_only_shown_page:
    'The check passes on the server, which reads the HTML as it is sent. Here the page was read as your browser shows it.',
  merge_server_passed_before:
    'The check passed on the server earlier, or on other pages of the shop.',
  merge_server_passed:
    'The check passes on the server, which reads up to five other pages of the shop.',
  merge_page_skipped: 'This cannot be judged from this page alone: $1.',
  merge_page_passed:
    'The check passes on this page. The server found the gap on other pages, or earlier.',
  merge_page_passed_shown:
    'The check passes on this page as your browser shows it. The server reads the HTML before any script runs.',

  export_heading: 'Aisle: $1',
  export_score: 'Score $1 of 100, grade $2',
  export_checked: 'Checked $1',
  export_gaps: 'To fix',
  export_no_gaps: 'Nothing to fix was found.',
  export_passed: 'Passed',
  export_skipped: 'Could not be judged',
  export_fix: 'Fix:',
  export_seen: 'Seen:',
  export_origin_page: 'seen on this page',
  export_origin_server: 'seen by the server',
  export_origin_both: 'seen by both',

  highlight_close: 'Close',
  highlight_json_ld: 'JSON-LD block $1. It is not visible on the page. It begins with:',
  highlight_microdata: 'This markup is not visible: it describes the highlighted product.',
  highlight_page: 'This applies to the whole page.',
  highlight_snippet: 'The attribution snippet. It is not visible.',
  highlight_no_snippet: 'There is no attribution snippet on this page.',
  highlight_gone: 'It is no longer on the page. Check the page again.',

  data_not_granted:
    'The browser sends nothing to a server until you allow it. Save again, and choose Allow.',

  badge_title: 'Aisle: $1 of 100',
} as const
