/** Twenty page titles that turn into markup, links or commands wherever escaping is forgotten. */
export const HOSTILE_TITLES: Record<string, string> = {
  script: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  'end of an element': '</title></p></table></html><h1>Sale',
  'a comment and CDATA': '<!-- ]]> <![CDATA[ <b>tent</b> ]]> -->',
  'an entity': '&lt;b&gt; &amp;amp; &#60;i&#62; &xxe; %26lt;',
  'a document type': '<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>&xxe;',
  'a mention of Slack': '<!channel> <!here> <!everyone> <@U012AB3CD> <#C123ABC456>',
  'a link of Slack': '<https://evil.example|Sign in to Aisle> <!date^0^{date}|now>',
  'markup of Slack': '*bold* _italic_ ~gone~ `code` ```block``` > quote :rotating_light:',
  'links of Markdown': '[Sign in](https://evil.example) ![x](https://evil.example/x.png)',
  'markup of Markdown': '# Head\n- item\n1. one\n**bold** __bold__ <at>Everyone</at> \\*',
  'functions of cards': '{{DATE(2026-01-01T00:00:00Z, SHORT)}} {{TIME(x)}} $[evil] @{body}',
  'headers of a mail':
    'Tent\r\nBcc: victim@evil.example\r\nContent-Type: text/html\r\n\r\n<b>hi</b>',
  'encoded words': '=?utf-8?Q?=0ABcc:_victim@evil.example?= =?utf-8?B?PGI+?=',
  'the end of a mail': 'Tent\r\n.\r\nQUIT\r\n',
  'turned around': 'Tent \u202egpj.exe\u202c \u2066abc\u2069 \u200f\u061c',
  'null and controls': 'Te\u0000nt \u001b[31mred\u001b[0m \u0007\u0008 \u009b31m',
  'half characters': 'Tent \ud83d and \ude00 \ufffe\uffff \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'what breaks JSON': '"},"data":{"x":"\\u0000 \\" \u2028\u2029 \'',
  'a formula': '=HYPERLINK("https://evil.example","Sign in")',
  'very long': `${'Tent & <b>“über”</b> \u{1f3d5} '.repeat(400)}`,
}

/** The words of a title that must still be readable. */
export const readable = (text: string): string[] =>
  text
    .slice(0, 60)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && /^[a-z]+$/i.test(word))
